package import Foundation
package import PushBridgeCore
import PushBridgePlatform

/// Ensures that a response to a banner is handled once, even if the system delivers the response several
/// times.
///
/// iOS 27 and later pass a tap that starts an app in the options of the app's scene. The system also
/// passes the tap to the notification center's delegate, if the delegate was set in time. The order of the
/// two deliveries is not documented.
package final class HandledResponses: Sendable {
    /// Identifies one response of the user: all deliveries of the response have the same key.
    ///
    /// A later notification may have the same identifier but a different date, so its responses have different keys.
    package struct Key: Hashable, Sendable {
        private let notification: String
        private let date: Date
        private let action: String

        /// Creates the key of a response.
        /// - Parameters:
        ///   - notification: The identifier of the notification's request.
        ///   - date: The date when the notification was delivered.
        ///   - action: The identifier of the action.
        package init(notification: String, date: Date, action: String) {
            self.notification = notification
            self.date = date
            self.action = action
        }
    }

    private struct Response {
        var reaction: PushReaction?
        /// Whether a handler that reports the reaction to the app has been chosen.
        var isClaimed = false
        var waiting: [(PushReaction) -> Void] = []
    }

    /// The maximum number of handled responses that this object remembers.
    ///
    /// This number suffices, because the deliveries of one response follow each other quickly.
    private static let most = 64
    private let state = Lock<(responses: [Key: Response], ended: [Key])>(([:], []))

    package init() {}

    /// Registers a handler for the outcome of a response, and returns whether the caller has to handle the response.
    /// - Parameters:
    ///   - key: The response.
    ///   - isWanted: Whether the handler reports the outcome to the app. The first such handler receives the
    ///     outcome; all other handlers receive ``PushBridgeCore/PushReaction/repeated``.
    ///   - handler: Called once, after the response is handled; immediately if another caller has handled it already.
    /// - Returns: Whether this is the first call for the response. The first caller must handle the response
    ///   and then call ``end(_:_:)``.
    package func take(
        _ key: Key,
        isWanted: Bool = true,
        _ handler: @escaping (PushReaction) -> Void
    ) -> Bool {
        let (isFirst, report, reaction) = state.withValue { state in
            let isFirst = state.responses[key] == nil
            var response = state.responses[key] ?? Response()
            let isReported = isWanted && !response.isClaimed
            if isReported { response.isClaimed = true }
            let report: (PushReaction) -> Void = { handler(isReported ? $0 : .repeated) }
            if response.reaction == nil { response.waiting.append(report) }
            state.responses[key] = response
            return (isFirst, report, response.reaction)
        }
        if let reaction { report(reaction) }
        return isFirst
    }

    /// Passes the outcome of a response to all waiting handlers.
    package func end(_ key: Key, _ reaction: PushReaction) {
        let waiting = state.withValue { state in
            let waiting = state.responses[key]?.waiting ?? []
            state.responses[key]?.reaction = reaction
            state.responses[key]?.waiting = []
            state.ended.append(key)
            if state.ended.count > Self.most { state.responses[state.ended.removeFirst()] = nil }
            return waiting
        }
        for handler in waiting { handler(reaction) }
    }
}
