public import FRCore
public import Foundation
import LegacyStore
public import PushBridgeCore
import PushBridgePlatform

/// A push notification; its `accept` and `deny` methods send the answer.
///
/// The object contains the answer as soon as the server has accepted it.
///
/// Safe to use from any thread.
#if canImport(ObjectiveC)
@objcMembers
#endif
public final class PushNotification: NSObject, NSSecureCoding, Codable, Sendable {
    /// The push in its legacy form.
    let content: Lock<PushBridgeCore.PushNotification>
    /// The push's id in the store; `nil` if the object was decoded.
    let storedId: String?
    /// The client that created the object; `nil` if the object was decoded.
    let origin: Authenticator?

    init(
        _ notification: PushBridgeCore.PushNotification,
        storedId: String? = nil,
        origin: Authenticator? = nil
    ) {
        content = Lock(notification.legacyNotification)
        self.storedId = storedId
        self.origin = origin
    }

    /// Reads the JSON that ``toJson()`` writes; an absent optional key and `null` have the same meaning.
    /// - Parameter decoder: The decoder.
    /// - Throws: `DecodingError` for text that is not JSON, `LegacyRecordError` for a required field that is missing or
    ///   invalid.
    public init(from decoder: any Decoder) throws {
        content = Lock(try PushBridgeCore.PushNotification(legacyJSON: decoder))
        storedId = nil
        origin = nil
    }

    /// Reads an archive; `nil` if a required field is missing.
    /// - Parameter coder: The archive.
    public init?(coder: NSCoder) {
        let read = coder.legacyValue { fields throws(LegacyRecordError) in
            try PushBridgeCore.PushNotification(fields: fields)
        }
        guard let notification = read else { return nil }
        content = Lock(notification)
        storedId = nil
        origin = nil
    }

    /// The server's message id, for which it accepts one answer.
    public var messageId: String { value.messageId }
    /// The id of the mechanism that answers the push.
    #if MigrationFixIts
    @available(*, deprecated, renamed: "credentialId")
    #endif
    public var mechanismUUID: String { value.credentialId }
    /// The number of seconds for which the server waits for an answer; setting it changes this object only.
    public var ttl: Double {
        get { value.timeToLive }
        set { content.withValue { $0.timeToLive = newValue } }
    }
    /// The date when the server sent the push; setting it changes only this object and its ``identifier``.
    public var timeAdded: Date {
        get { value.orderedAt }
        set { content.withValue { $0.setTimeAdded(newValue) } }
    }
    /// The date when the server stops waiting.
    #if MigrationFixIts
    @available(*, deprecated, renamed: "expiresAt")
    #endif
    public var timeExpired: Date { value.expiresAt }
    /// The custom payload of the administrator, as JSON text.
    public var customPayload: String? { value.customPayload }
    /// The text to show.
    #if MigrationFixIts
    @available(*, deprecated, renamed: "messageText")
    #endif
    public var message: String? { value.messageText }
    /// The type of the push, which determines how the user approves it.
    public var pushType: PushType { PushType(value.pushType) }
    /// The numbers to choose from, as the server sent them.
    public var numbersChallenge: String? { value.numbersChallenge }
    /// The numbers to choose from; parts of the server's text that are not numbers are left out.
    public var numbersChallengeArray: [Int]? {
        value.numbersChallenge.map(PushBridgeCore.PushNotification.numbers)
    }
    /// The origin of the login, as JSON text.
    public var contextInfo: String? { value.contextInfo }
    /// The origin of the login as a typed value; each part is `nil` if it is missing or invalid.
    public var context: PushContext { value.context }
    /// The key of the push, `{mechanismUUID}-{timeAdded in ms}`.
    #if MigrationFixIts
    @available(*, deprecated, renamed: "id")
    #endif
    public var identifier: String { value.legacyIdentifier }
    /// Whether the push is not answered yet.
    public var isPending: Bool { value.pending }
    /// Whether the server stopped waiting.
    ///
    /// An expired push can still be answered; the server decides whether to accept the answer.
    public var isExpired: Bool { Date() >= value.expiresAt }
    /// Whether the user approved the push.
    public var isApproved: Bool {
        let value = value
        return !value.pending && value.approved
    }
    /// Whether the user denied the push.
    public var isDenied: Bool {
        let value = value
        return !value.pending && !value.approved
    }

    var value: PushBridgeCore.PushNotification { content.withValue { $0 } }
}

extension PushNotification {
    /// `true`.
    public static var supportsSecureCoding: Bool { true }

    /// Writes the archive of the legacy SDK.
    public func encode(with coder: NSCoder) {
        var fields = CoderFieldWriter(coder)
        value.write(to: &fields)
    }

    /// Writes the JSON of ``toJson()``.
    /// - Parameter encoder: The encoder.
    /// - Throws: The encoder's error, and `LegacyRecordError` for a number that JSON cannot express.
    public func encode(to encoder: any Encoder) throws {
        try value.encodeLegacyJSON(to: encoder)
    }

    /// Returns the push as JSON text, with dates in milliseconds since 1970 and ``ttl`` in seconds.
    /// - Returns: The text; `nil` for a number that JSON cannot express.
    public func toJson() -> String? {
        LegacyRecord.notification(value).legacyText
    }
}

// Each call calls exactly one callback: with an error found before a request, immediately on the caller's thread;
// otherwise on a background queue. After a failure the push is still pending.
extension PushNotification {
    /// Approves a push of type `default`.
    ///
    /// Calls one callback once: on a background queue, or on the caller's thread with an error found before a request
    /// is sent. `onError` receives: ``PushNotificationError/notificationInvalidStatus`` if the push was answered or an
    /// answer is being sent; ``MechanismError/invalidInformation(_:)`` for a push of another type;
    /// ``AccountError/accountLocked(_:)``; ``PushNotificationError/storageError(_:)`` if the mechanism is not stored or
    /// the storage failed; ``CryptoError/invalidParam(_:)`` if the challenge or the secret is not base64;
    /// `NetworkError.apiRequestFailure` if the server answered with a status outside 200...299, and `URLError` if it
    /// did not answer. After an error the push is still pending.
    ///
    /// ```swift
    /// push.accept(onSuccess: { show("Approved") }, onError: { error in show(error.localizedDescription) })
    /// ```
    ///
    /// - Parameters:
    ///   - onSuccess: Called when the server accepted the answer.
    ///   - onError: Gets the reason.
    public func accept(onSuccess: @escaping SuccessCallback, onError: @escaping ErrorCallback) {
        (origin ?? .shared).answer(.approve, to: self, Callbacks(onSuccess, onError))
    }

    /// Approves a push of type `challenge` with the number that the user chose; calls back as
    /// ``accept(onSuccess:onError:)``.
    ///
    /// If the number is wrong, AM up to 8.0 denies the login, but `onSuccess` is called. AM 8.1 rejects the number with
    /// HTTP 400: `onError` receives ``PushNotificationError/pushNumberChallengeError(_:)``, and the push stays pending.
    /// - Parameters:
    ///   - challengeResponse: The number in decimal, one of ``numbersChallengeArray``.
    ///   - onSuccess: Called when the server accepted the answer.
    ///   - onError: Gets the reason.
    public func accept(
        challengeResponse: String,
        onSuccess: @escaping SuccessCallback,
        onError: @escaping ErrorCallback
    ) {
        let answer = PushAnswer.approveChallenge(challengeResponse)
        (origin ?? .shared).answer(answer, to: self, Callbacks(onSuccess, onError))
    }

    /// Approves a push of type `biometric` after local authentication; calls back as ``accept(onSuccess:onError:)``.
    ///
    /// If the push cannot be answered, the local authentication does not start. If the local authentication fails,
    /// `onError` receives ``MechanismError/invalidInformation(_:)`` with the system's description, on a background
    /// queue.
    /// - Parameters:
    ///   - title: The reason for the local authentication, which the system shows.
    ///   - allowDeviceCredentials: Whether the user can use the device's passcode instead.
    ///   - onSuccess: Called when the server accepted the answer.
    ///   - onError: Gets the reason.
    public func accept(
        title: String,
        allowDeviceCredentials: Bool,
        onSuccess: @escaping SuccessCallback,
        onError: @escaping ErrorCallback
    ) {
        let prompt = AuthenticationPrompt(title: title, allowsDeviceCredentials: allowDeviceCredentials)
        (origin ?? .shared).approve(self, after: prompt, Callbacks(onSuccess, onError))
    }

    /// Denies a push of any type; calls back as ``accept(onSuccess:onError:)``.
    /// - Parameters:
    ///   - onSuccess: Called when the server accepted the answer.
    ///   - onError: Gets the reason.
    public func deny(onSuccess: @escaping SuccessCallback, onError: @escaping ErrorCallback) {
        (origin ?? .shared).answer(.deny, to: self, Callbacks(onSuccess, onError))
    }
}

/// How the user approves a push.
public enum PushType: String, CaseIterable, Codable, Sendable {
    /// The user taps a button.
    case `default`
    /// The user chooses the number that the login page shows.
    case challenge
    /// The user passes a biometric authentication.
    case biometric

    init(_ type: PushBridgeCore.PushType) {
        switch type {
        case .default: self = .default
        case .challenge: self = .challenge
        case .biometric: self = .biometric
        }
    }
}
