package import Foundation

/// The options with which a push is shown while the app is in the foreground.
public struct PushPresentation: OptionSet, Sendable {
    /// The options as a number.
    public let rawValue: Int

    /// Creates options from the sum of their raw values.
    public init(rawValue: Int) {
        self.rawValue = rawValue
    }

    /// Shows the push as a banner.
    public static let banner = PushPresentation(rawValue: 1)
    /// Adds the push to the list of notifications.
    public static let list = PushPresentation(rawValue: 2)
    /// Plays a sound.
    public static let sound = PushPresentation(rawValue: 4)
    /// Sets the number on the app's icon.
    public static let badge = PushPresentation(rawValue: 8)
    /// All options.
    public static let all: PushPresentation = [.banner, .list, .sound, .badge]
}

/// The result that the app reports for a push in the background; the raw values are UIKit's.
public enum PushBackgroundResult: UInt, Sendable {
    /// A new push was stored.
    case newData
    /// The push was already stored, or it was refused.
    case noData
    /// The push could not be stored yet; it can be stored when the app passes it to an API again.
    case failed
}

/// The result of the user's response to a banner.
public enum PushReaction: Equatable, Sendable {
    /// The push is neither from PingAM nor accepted by a custom handler, or the action is the app's own.
    ///
    /// PushBridge did not handle the response.
    case foreign
    /// The app should show the notification with this id.
    case open(String)
    /// The user dismissed the banner.
    ///
    /// The associated value is the notification's id; `nil` if the push was refused, could not be stored yet, or was
    /// not handled in time.
    case dismissed(String?)
    /// The server accepted the answer to the notification with this id.
    case answered(String, isApproval: Bool)
    /// The push could not be stored or answered, or the server did not confirm that it accepted the answer.
    ///
    /// The first value is the notification's id; `nil` if the push was refused, could not be stored yet, or was not
    /// handled in time.
    case failed(String?, reason: String)
    /// The same response has already arrived through another callback, and that callback received the result.
    ///
    /// The app has nothing to do.
    case repeated
}

/// The result of a push that reached the app or its extension.
package enum PushArrival: Sendable {
    /// The push was verified and is stored.
    case stored(PushNotification, isNew: Bool)
    /// The push cannot be verified, and no part of it was stored.
    case refused(reason: String)
    /// The push cannot be verified or saved yet, for example before the first unlock.
    ///
    /// The push can be processed when the app passes it to an API again.
    case postponed(reason: String)

    /// Creates the result from a call of `receive`.
    package init(_ receive: () throws -> ReceivedPush) {
        do {
            let received = try receive()
            self = .stored(received.notification, isNew: received.isNew)
        } catch let error as PushReceptionError {
            self = .refused(reason: "The push was refused: \(error).")
        } catch {
            self = .postponed(reason: (error as? StoreError)?.reason ?? error.localizedDescription)
        }
    }

    /// Returns the options with which the push is shown in the foreground.
    ///
    /// A refused push is not shown. A stored push is shown only if it can be answered and no answer is being sent. A
    /// push that cannot be processed yet is only added to the list, so that the user can open it there.
    package func presentation(at now: Date) -> PushPresentation {
        switch self {
        case .stored(let push, _): push.isAnswerable(at: now) && !push.isClaimed(at: now) ? .all : []
        case .refused: []
        case .postponed: .list
        }
    }

    /// The result that the app reports for the push in the background.
    package var backgroundResult: PushBackgroundResult {
        switch self {
        case .stored(_, let isNew): isNew ? .newData : .noData
        case .refused: .noData
        case .postponed: .failed
        }
    }

    /// Returns how the user's response to the push's banner is handled.
    ///
    /// The verified push determines the result, not the category of the banner. If the answer cannot be sent from the
    /// banner, the app has to show the push.
    /// - Parameters:
    ///   - actionId: The identifier of the action.
    ///   - text: The text that the user typed.
    ///   - id: A function that returns the id under which the API shows a push.
    /// - Returns: The result, or the answer that has to be sent.
    package func plan(
        for actionId: String,
        text: String?,
        id: (PushNotification) -> String
    ) -> ResponsePlan {
        let isDismissal = actionId == PushActions.dismissAction
        switch self {
        case .refused where isDismissal, .postponed where isDismissal:
            return .ended(.dismissed(nil))
        case .refused(let reason), .postponed(let reason): return .ended(.failed(nil, reason: reason))
        case .stored(let push, _):
            switch (actionId, PushAction.Kind(rawValue: actionId)) {
            case (PushActions.defaultAction, _): return .ended(.open(id(push)))
            case (PushActions.dismissAction, _): return .ended(.dismissed(id(push)))
            case (_, let kind?):
                let answer = push.answer(by: kind, text: text)
                return answer.map { .answer($0, push) } ?? .ended(.open(id(push)))
            case (_, nil): return .ended(.foreign)
            }
        }
    }
}

/// The decision about a user's response to a banner: the result, or the answer that has to be sent.
package enum ResponsePlan: Sendable {
    /// Nothing has to be sent.
    case ended(PushReaction)
    /// An answer to a stored push has to be sent.
    case answer(PushAnswer, PushNotification)
}

/// The time limit for handling a push, which is the system's limit minus a reserve.
package enum PushDeadline {
    /// The time after which a completion handler is called even if there is no result yet.
    package static let standard: Duration = .seconds(25)
    /// Returns the result to report if the user's response to a banner was not handled in time.
    package static func late(_ actionId: String) -> PushReaction {
        guard actionId != PushActions.dismissAction else { return .dismissed(nil) }
        return .failed(nil, reason: "The answer was not confirmed in time.")
    }
}

extension PushNotification {
    /// Returns whether the user can still answer the push: it is neither answered nor expired.
    package func isAnswerable(at now: Date) -> Bool { pending && !isExpired(at: now) }
}

extension CredentialReading {
    /// Returns the number of pushes that the user can still answer, for the badge on the app's icon.
    ///
    /// - Throws: The store's error if the store cannot be read.
    package func badge(at now: Date) throws -> Int {
        try notifications(.open).values.count { $0.isAnswerable(at: now) }
    }
}

/// An unverified push from PingAM, or the reason why it is refused.
package typealias IncomingPush = Swift.Result<UnverifiedPush, PushReceptionError>

extension PushPayload {
    /// The push in the payload, or the reason why it is refused; `nil` if it is not from PingAM.
    package var incoming: IncomingPush? {
        do {
            return try UnverifiedPush(self).map { .success($0) }
        } catch {
            return .failure(error)
        }
    }
}

extension JSONValue {
    /// Whether a push with this payload wakes the app in the background.
    ///
    /// Older servers send the value of `content-available` as text.
    @_spi(PushBridgeTools) public var isContentAvailable: Bool {
        [1, true, "1"].contains(self["aps"]?["content-available"])
    }
}
