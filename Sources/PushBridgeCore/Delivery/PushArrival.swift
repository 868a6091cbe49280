package import Foundation

/// How a push is shown while the app is in the foreground.
public struct PushPresentation: OptionSet, Sendable {
    /// The options as a number.
    public let rawValue: Int

    /// Takes options from a number.
    public init(rawValue: Int) {
        self.rawValue = rawValue
    }

    /// As a banner.
    public static let banner = PushPresentation(rawValue: 1)
    /// In the list of notifications.
    public static let list = PushPresentation(rawValue: 2)
    /// With a sound.
    public static let sound = PushPresentation(rawValue: 4)
    /// With a number at the app's icon.
    public static let badge = PushPresentation(rawValue: 8)
    /// In every way.
    public static let all: PushPresentation = [.banner, .list, .sound, .badge]
}

/// The result of a push in the background; the raw values are UIKit's.
public enum PushBackgroundResult: UInt, Sendable {
    /// A push that was not known.
    case newData
    /// A push that is known already, or that was refused.
    case noData
    /// The push could not be stored, and will be processed later.
    case failed
}

/// The result of a response to a banner.
public enum PushReaction: Equatable, Sendable {
    /// The push is not PingAM's, or the action is one of the app's own: nothing was done.
    case foreign
    /// The app should show the notification with this id.
    case open(String)
    /// The banner was dismissed; the notification's id is known if the push could be stored.
    case dismissed(String?)
    /// The server accepted the answer to the notification with this id.
    case answered(String, isApproval: Bool)
    /// As far as the client knows, no answer was accepted; the id is known if the push could be stored.
    case failed(String?, reason: String)
    /// The same response arrived before in another way, and its caller received the result; nothing is left to do.
    case repeated
}

/// The result of a push that reached the app or its extension in any way.
package enum PushArrival: Sendable {
    /// It was verified and is stored.
    case stored(PushNotification, isNew: Bool)
    /// It cannot be verified, and nothing of it was stored.
    case refused(reason: String)
    /// The store refused it, for example before the first unlock; it will be processed later.
    case postponed(reason: String)

    /// Creates the result of `receive`.
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

    /// How the push is shown in the foreground: not at all if there is nothing to answer.
    ///
    /// One that will be processed later is only put into the list, where the app finds it.
    package func presentation(at now: Date) -> PushPresentation {
        switch self {
        case .stored(let push, _): push.isAnswerable(at: now) && !push.isClaimed(at: now) ? .all : []
        case .refused: []
        case .postponed: .list
        }
    }

    /// The result of the push.
    package var backgroundResult: PushBackgroundResult {
        switch self {
        case .stored(_, let isNew): isNew ? .newData : .noData
        case .refused: .noData
        case .postponed: .failed
        }
    }

    /// The result of a response to the push's banner.
    ///
    /// The verified push decides, not the category its banner was shown with; what cannot be done from a banner opens
    /// the app.
    /// - Parameters:
    ///   - actionId: The identifier of the action.
    ///   - text: The text that the user typed.
    ///   - id: Tells the id under which the API shows a push.
    /// - Returns: The result, or the answer that has to be sent.
    package func step(
        _ actionId: String,
        text: String?,
        id: (PushNotification) -> String
    ) -> PushStep {
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

/// The next step for a response to a banner.
package enum PushStep: Sendable {
    /// Nothing has to be sent.
    case ended(PushReaction)
    /// An answer to a stored push has to be sent.
    case answer(PushAnswer, PushNotification)
}

/// How long the system lets an app work on a push, less a reserve.
package enum PushDeadline {
    /// The time after which a completion handler is called in any case.
    package static let standard: Duration = .seconds(25)
    /// The result of a response to a banner when the time was over.
    package static func late(_ actionId: String) -> PushReaction {
        guard actionId != PushActions.dismissAction else { return .dismissed(nil) }
        return .failed(nil, reason: "There was no answer in time.")
    }
}

extension PushNotification {
    /// Whether the user can still answer: pending, and the server waits.
    package func isAnswerable(at now: Date) -> Bool { pending && !isExpired(at: now) }
}

extension CredentialReading {
    /// How many pushes the user can still answer: the number at the app's icon.
    ///
    /// - Throws: The store's error if it cannot be read.
    package func badge(at now: Date) throws -> Int {
        try notifications(.open).values.count { $0.isAnswerable(at: now) }
    }
}

/// An unverified push of PingAM, or the reason why it is refused.
package typealias IncomingPush = Swift.Result<UnverifiedPush, PushReceptionError>

extension PushPayload {
    /// The push in the payload; `nil` if it is not of PingAM.
    package var incoming: IncomingPush? {
        do {
            return try UnverifiedPush(self).map { .success($0) }
        } catch {
            return .failure(error)
        }
    }
}

extension JSONValue {
    /// Whether a push with this payload wakes the app in the background; older servers write the flag as text.
    @_spi(PushBridgeTools) public var isContentAvailable: Bool {
        [1, true, "1"].contains(self["aps"]?["content-available"])
    }
}
