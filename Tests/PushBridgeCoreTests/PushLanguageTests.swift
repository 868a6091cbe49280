import Foundation
import PushBridgeTestSupport
import Testing

@testable import PushBridgeCore

/// The languages of banners and buttons.
@Suite struct PushLanguageTests {
    @Test func everyLanguageHasEveryText() {
        let all = PushLanguage.allCases.map { language in
            let (titles, texts) = (PushActions.Titles(language), PushTexts(language))
            let kinds = [texts.login, texts.ended, texts.suspicious, texts.postponed]
            return [titles.approve, titles.deny, titles.enterNumber, titles.send, titles.placeholder]
                + kinds.flatMap { [$0.title, $0.body] }
        }
        #expect(all.count == 4)
        for texts in all { #expect(texts.allSatisfy { !$0.isEmpty && $0.count < 90 }) }
        // Every text except the title of the send button differs between the languages. Within a language,
        // the titles of the actions differ.
        for index in all[0].indices where index != 3 {
            #expect(Set(all.map { $0[index] }).count == all.count, "\(all[0][index])")
        }
        for texts in all { #expect(Set([texts[0], texts[1], texts[2]]).count == 3) }
    }

    @Test(arguments: [
        ("de", PushLanguage.german), ("de-AT", .german), ("fr_CA", .french), ("ES-419", .spanish),
        ("en-001", .english),
    ])
    func theRegionOfAnIdentifierIsIgnored(_ identifier: String, _ language: PushLanguage) {
        #expect(PushLanguage(identifier: identifier) == language)
    }

    @Test(arguments: ["", "it", "deu", "-de", "zh-Hans"])
    func otherLanguagesHaveNoTexts(_ identifier: String) {
        #expect(PushLanguage(identifier: identifier) == nil)
    }

    /// If the app's bundle has no localizations, PushBridge's texts are English.
    ///
    /// The languages of the bundle determine the language, as for all other texts that the system shows.
    @Test func theLanguageOfABundleWithoutLocalizationsIsEnglish() throws {
        let folder = try TemporaryFolder()
        try FileManager.default.createDirectory(
            at: folder.url("App.bundle"),
            withIntermediateDirectories: true
        )
        let bundle = try #require(Bundle(url: folder.url("App.bundle")))
        #expect(PushLanguage(of: bundle) == .english)
    }

    @Test func eachTextCanBeReplaced() {
        let titles = PushActions.Titles(.german, approve: "Zulassen")
        #expect(titles.approve == "Zulassen")
        #expect(titles.deny == "Ablehnen")
        var texts = PushTexts(.french)
        texts.postponed.title = "Ma banque"
        #expect(
            texts.postponed == PushTexts.Text(title: "Ma banque", body: PushTexts(.french).postponed.body)
        )
    }
}
