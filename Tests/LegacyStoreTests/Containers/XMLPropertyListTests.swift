import Foundation
import PushBridgeCore
import PushBridgeTestSupport
import Testing

@testable import LegacyFiles
@testable import LegacyStore

struct XMLPropertyListTests {
    private let scratch: TemporaryFolder
    private let account = LegacyService.account.rawValue

    init() throws {
        scratch = try TemporaryFolder()
    }

    @Test func entriesAreReadInTheOrderOfTheFile() throws {
        let items = try read(
            """
            <key>other</key><array><dict><key>\(account)</key><data>AA==</data></dict></array>
            <key>\(account)</key><dict>
              <key>z</key><data> AQ
              I= </data>
              <!-- <key>commented</key><data>AA==</data> -->
              <key>a &amp; b &#x263A;<![CDATA[<&>]]></key><data/>
            </dict>
            <key>\(LegacyService.deviceToken.rawValue)</key><dict><key>deviceToken</key><data>AA==</data></dict>
            """
        )
        #expect(items.map(\.key) == ["z", "a & b \u{263A}<&>", "deviceToken"])
        #expect(items.map(\.payload) == [Data([1, 2]), Data(), Data([0])].map { .archive($0) })
        #expect(items.map(\.position) == (0..<3).map { .index($0) })
    }

    @Test(arguments: [
        ("<string>AA==</string>", "The value is not data."),
        ("<dict><key>k</key><data>AA==</data></dict>", "The value is not data."),
        ("<data>A</data>", "The value is not base64."),
    ])
    func valuesOfAnotherTypeAreDamagedItems(_ value: String, _ reason: String) throws {
        let items = try read(
            "<key>\(account)</key><dict><key>a</key>\(value)<key>b</key><data>AA==</data></dict>"
        )
        #expect(items.map(\.key) == ["a", "b"])
        #expect(items[0].payload == .unreadable(LegacyRecordError(.damaged, reason: reason)))
        #expect(items[1].payload == .archive(Data([0])))
    }

    @Test func aServiceWithoutADictionaryDoesNotAffectOtherServices() throws {
        let token = LegacyService.deviceToken.rawValue
        let items = try read(
            "<key>\(account)</key><array/><key>\(token)</key><dict><key>a</key><data>AA==</data></dict>"
        )
        #expect(items.map(\.key) == ["record 1", "a"])
        #expect(items.map(\.payload) == [.damaged("A service is not a dictionary."), .archive(Data([0]))])
    }

    @Test(arguments: [
        ("<key>b</key><data>AA", "The end of the property list is missing."),
        ("<key>b</ke", "From here on, the property list is not well-formed XML."),
        ("", "The end of the property list is missing."),
        ("<data>AA==</data>", "From here on, the property list is not well-formed XML."),
        ("<key>&unknown;</key>", "From here on, the property list is not well-formed XML."),
    ])
    func theRestAfterASyntaxErrorIsOneDamagedItem(_ rest: String, _ reason: String) throws {
        let text = "<plist><dict><key>\(account)</key><dict><key>a</key><data>AA==</data>" + rest
        let items = try LegacyFile.open(scratch.file("a", text)).allItems()
        #expect(items.map(\.key) == ["a", "record 2"])
        #expect(items[1].payload == .unreadable(LegacyRecordError(.damaged, reason: reason)))
    }

    private func read(_ members: String) throws -> [LegacyItem] {
        let text = """
            <?xml version="1.0" encoding="UTF-8"?>
            <!DOCTYPE plist PUBLIC "-//Apple//DTD PLIST 1.0//EN" "x" [ <!ENTITY e "a>b"> ]>
            <plist version="1.0"><dict>\(members)</dict></plist>

            """
        let source = try LegacyFile.open(scratch.file("a", text))
        #expect(source.container == "propertyList")
        return try source.allItems()
    }
}
