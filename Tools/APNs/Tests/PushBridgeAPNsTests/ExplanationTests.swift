import Foundation
import Testing

@testable import PushBridgeAPNs

/// The explanations of all refusals.
@Suite struct ExplanationTests {
    /// The guide's table contains the explanation of each reason, in the words of the command line.
    @Test func guideContainsTheTableOfReasons() throws {
        let guide = URL(fileURLWithPath: #filePath)
            .deletingLastPathComponent().appendingPathComponent("../../../../docs/simulator.md").standardized
        let rows = try String(contentsOf: guide, encoding: .utf8).split(separator: "\n")
            .map(String.init).filter { $0.wholeMatch(of: /\| [0-9]{3} \| `.*/) != nil }
        let ours = APNsReason.allCases.map { reason in
            let explanation = reason.explanation
            let cells = [
                "\(reason.status)", "`\(reason.rawValue)`", explanation.cause, explanation.fault.rawValue,
                explanation.remedy,
            ]
            return "| \(cells.joined(separator: " | ")) |"
        }
        #expect(rows == ours)
    }

    @Test func everyCauseIsADifferentSentence() {
        let causes = APNsReason.allCases.map(\.explanation.cause)
        #expect(Set(causes).count == causes.count)
        for text in causes + APNsReason.allCases.map(\.explanation.remedy) {
            #expect(text.hasSuffix("."))
            #expect(!text.contains("|"))
        }
    }

    /// An independent list of the reasons for which the set-up, the device or APNs is at fault.
    @Test(arguments: [
        (
            APNsExplanation.Fault.setup,
            [
                "BadDeviceToken", "BadTopic", "DeviceTokenNotForTopic", "TopicDisallowed", "BadCertificate",
                "BadCertificateEnvironment", "BadEnvironmentKeyIdInToken", "Forbidden",
                "InvalidProviderToken",
                "MissingProviderToken", "UnrelatedKeyIdInToken",
            ]
        ),
        (.device, ["ExpiredToken", "Unregistered"]),
        (.apns, ["InternalServerError", "ServiceUnavailable", "Shutdown"]),
    ])
    func eachReasonNamesThePartyAtFault(_ fault: APNsExplanation.Fault, _ reasons: [String]) {
        let ours = APNsReason.allCases.filter { $0.explanation.fault == fault }.map(\.rawValue)
        #expect(ours == reasons)
    }

    /// A sender forgets a token only if APNs reports that the token is no longer valid.
    @Test func onlyUnregisteredAndExpiredTokensAreForgotten() {
        let forgetting = APNsReason.allCases.filter { APNsAnswer(id: "", $0).advice == .forgetToken }
        #expect(Set(forgetting.map(\.rawValue)) == ["Unregistered", "ExpiredToken"])
        for reason in [APNsReason.badDeviceToken, .deviceTokenNotForTopic] {
            #expect(reason.explanation.cause.contains("to the other environment"))
            #expect(reason.explanation.remedy.contains("Check the environment"))
            #expect(reason.explanation.remedy.contains("keep the token"))
        }
    }

    @Test func refusalShowsWhenTheTokenBecameInvalid() {
        let body = Data(#"{"reason":"Unregistered","timestamp":1700000000000}"#.utf8)
        let answer = APNsAnswer(status: 410, id: "", body: body)
        let outcome = APNsOutcome(answer: answer, attempts: 1)
        #expect(outcome.words == "410 Unregistered: forget the device token")
        #expect(outcome.explanation.last == "    since  2023-11-14T22:13:20Z")
        let accepted = APNsOutcome(answer: APNsAnswer(id: ""), attempts: 1)
        #expect(
            accepted.words == "200, accepted by APNs, which does not report whether the push is delivered"
        )
        #expect(accepted.explanation.isEmpty)
    }

    @Test func anUnpublishedReasonAdvisesToCorrectTheRequest() {
        let answer = APNsAnswer(status: 410, id: "", body: Data(#"{"reason":"New"}"#.utf8))
        #expect(answer.advice == .correctRequest)
        #expect(answer.explanation == nil)
    }
}
