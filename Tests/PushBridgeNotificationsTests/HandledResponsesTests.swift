import Foundation
import PushBridgeCore
import PushBridgeNotifications
import PushBridgeTestSupport
import Testing

/// A response that arrives through several callbacks.
///
/// The first callback handles the response, and one callback receives the reaction.
@Suite struct HandledResponsesTests {
    private let responses = HandledResponses()
    private let recorded = Guarded<[String]>([])

    private func key(_ notification: String, date: Double = 0, action: String = "a") -> HandledResponses.Key {
        HandledResponses.Key(
            notification: notification,
            date: Date(timeIntervalSince1970: date),
            action: action
        )
    }

    private func take(_ key: HandledResponses.Key, as name: String, isWanted: Bool = true) -> Bool {
        let recorded = recorded
        return responses.take(key, isWanted: isWanted) { reaction in
            recorded.withValue { $0.append(reaction == .repeated ? "\(name) waited" : "\(name) received") }
        }
    }

    private var outcomes: [String] { recorded.withValue { $0 } }

    @Test func theFirstCallbackHandlesTheResponseAndReceivesTheReaction() {
        #expect(take(key("1"), as: "scene"))
        #expect(!take(key("1"), as: "delegate"))
        #expect(outcomes == [])
        responses.end(key("1"), .open("id"))
        #expect(outcomes == ["scene received", "delegate waited"])
        #expect(!take(key("1"), as: "late"))
        #expect(outcomes == ["scene received", "delegate waited", "late waited"])
    }

    /// The callback with a closure receives the reaction, even if the system calls a callback without a closure first.
    @Test(arguments: [true, false])
    func theCallbackWithAClosureReceivesTheReaction(_ endsBefore: Bool) {
        #expect(take(key("1"), as: "delegate", isWanted: false))
        if endsBefore { responses.end(key("1"), .open("id")) }
        #expect(!take(key("1"), as: "scene"))
        if !endsBefore { responses.end(key("1"), .open("id")) }
        #expect(outcomes == ["delegate waited", "scene received"])
    }

    /// A response is handled unless an earlier response had the same notification, date and action.
    ///
    /// For example, the user taps a notification that replaced an earlier notification with the same identifier.
    @Test func aDifferentResponseIsHandled() {
        #expect(take(key("1"), as: "first"))
        #expect(take(key("1", date: 1), as: "replaced"))
        #expect(take(key("1", action: "b"), as: "other action"))
        #expect(take(key("2"), as: "other notification"))
    }

    /// A response is remembered while it is being handled.
    ///
    /// Of the handled responses, only the latest are remembered.
    @Test func onlyTheLatestHandledResponsesAreRemembered() {
        #expect(take(key("slow"), as: "slow"))
        for index in 0..<65 {
            #expect(take(key("\(index)"), as: "\(index)"))
            responses.end(key("\(index)"), .dismissed(nil))
        }
        #expect(!take(key("64"), as: "again"))
        #expect(take(key("0"), as: "forgotten"))
        #expect(!take(key("slow"), as: "slow again"))
        responses.end(key("slow"), .open("id"))
        #expect(outcomes.suffix(2) == ["slow received", "slow again waited"])
    }
}
