public import FRCore
public import Foundation
import LegacyStore
public import PushBridgeCore
import PushBridgePlatform

/// A push notification; its `accept` and `deny` methods send the answer.
///
/// The object contains the answer as soon as the server has accepted the answer.
///
/// The class is safe to use from any thread.
#if canImport(ObjectiveC)
@objcMembers
#endif
public final class PushNotification: NSObject, NSSecureCoding, Codable, Sendable {
    /// The push in its legacy form.
    let content: Lock<PushBridgeCore.PushNotification>
    /// The push's id in the store; `nil` if no client created the object, for example because it was decoded.
    let storedId: String?
    /// The client that created the object, or `nil` if no client created it.
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

    /// Reads the JSON that ``toJson()`` writes.
    ///
    /// For optional values, an absent key and `null` have the same meaning.
    /// - Parameter decoder: The decoder.
    /// - Throws: `DecodingError` if the text is not JSON, and `LegacyRecordError` if a required field is
    ///   missing or invalid.
    public init(from decoder: any Decoder) throws {
        content = Lock(try PushBridgeCore.PushNotification(legacyJSON: decoder))
        storedId = nil
        origin = nil
    }

    /// Reads an archive.
    ///
    /// The result is `nil` if a required field is missing or invalid.
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

    /// The server's identifier of the push, for which the server accepts one answer.
    public var messageId: String { value.messageId }
    /// The id of the mechanism that answers the push.
    #if MigrationFixIts
    @available(*, deprecated, renamed: "credentialId")
    #endif
    public var mechanismUUID: String { value.credentialId }
    /// The number of seconds for which the server waits for an answer.
    ///
    /// Setting this property changes only this object.
    public var ttl: Double {
        get { value.timeToLive }
        set { content.withValue { $0.timeToLive = newValue } }
    }
    /// The date when the server sent the push or, if that date is unknown, when the device stored the push.
    ///
    /// Setting this property changes only this object and its ``identifier``.
    public var timeAdded: Date {
        get { value.orderedAt }
        set { content.withValue { $0.setTimeAdded(newValue) } }
    }
    /// The date when the server stops waiting for an answer.
    #if MigrationFixIts
    @available(*, deprecated, renamed: "expiresAt")
    #endif
    public var timeExpired: Date { value.expiresAt }
    /// The custom payload that the server's administrator configured, as JSON text.
    public var customPayload: String? { value.customPayload }
    /// The text to show.
    #if MigrationFixIts
    @available(*, deprecated, renamed: "messageText")
    #endif
    public var message: String? { value.messageText }
    /// The type of the push, which determines how the user approves it.
    public var pushType: PushType { PushType(value.pushType) }
    /// The numbers from which the user chooses, as the server sent them.
    public var numbersChallenge: String? { value.numbersChallenge }
    /// The numbers from which the user chooses; `nil` if the server sent none.
    ///
    /// Parts of the server's text that are not numbers are left out.
    public var numbersChallengeArray: [Int]? {
        value.numbersChallenge.map(PushBridgeCore.PushNotification.numbers)
    }
    /// The origin of the login, as JSON text.
    public var contextInfo: String? { value.contextInfo }
    /// The origin of the login as a typed value.
    ///
    /// Each part that is missing or invalid is `nil`.
    public var context: PushContext { value.context }
    /// The legacy key of the push, `{mechanismUUID}-{timeAdded in ms}`.
    #if MigrationFixIts
    @available(*, deprecated, renamed: "id")
    #endif
    public var identifier: String { value.legacyIdentifier }
    /// Whether the push has not been answered yet.
    public var isPending: Bool { value.pending }
    /// Whether the date ``timeExpired`` has passed.
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
    /// Always `true`, because the class conforms to `NSSecureCoding`.
    public static var supportsSecureCoding: Bool { true }

    /// Writes the archive in the legacy SDK's form.
    public func encode(with coder: NSCoder) {
        var fields = CoderFieldWriter(coder)
        value.write(to: &fields)
    }

    /// Writes the same JSON as ``toJson()``.
    /// - Parameter encoder: The encoder.
    /// - Throws: The encoder's error, and `LegacyRecordError` if JSON cannot express one of the numbers.
    public func encode(to encoder: any Encoder) throws {
        try value.encodeLegacyJSON(to: encoder)
    }

    /// Returns the push as JSON text, with dates in milliseconds since 1970 and ``ttl`` in seconds.
    /// - Returns: The text, or `nil` if JSON cannot express one of the numbers.
    public func toJson() -> String? {
        LegacyRecord.notification(value).legacyText
    }
}

extension PushNotification {
    /// Approves a push of type `default`.
    ///
    /// One of the callbacks is called, once, on a background queue. If an error occurs before a request is sent,
    /// `onError` is called on the caller's thread instead. `onError` receives:
    /// ``PushNotificationError/notificationInvalidStatus`` if the push has been answered or an answer is being
    /// sent; ``MechanismError/invalidInformation(_:)`` for a push of another type;
    /// ``AccountError/accountLocked(_:)``; ``PushNotificationError/storageError(_:)`` if the mechanism is not
    /// stored or the storage failed; ``CryptoError/invalidParam(_:)`` if the challenge or the secret is not base64;
    /// `NetworkError.apiRequestFailure` if the server responded with a status outside 200...299; and `URLError` if
    /// the server did not respond. An error does not change the state of the push.
    ///
    /// ```swift
    /// push.accept(onSuccess: { show("Approved") }, onError: { error in show(error.localizedDescription) })
    /// ```
    ///
    /// - Parameters:
    ///   - onSuccess: Called after the server has accepted the answer.
    ///   - onError: Receives the error.
    public func accept(onSuccess: @escaping SuccessCallback, onError: @escaping ErrorCallback) {
        (origin ?? .shared).answer(.approve, to: self, Callbacks(onSuccess, onError))
    }

    /// Approves a push of type `challenge` with the number that the user chose.
    ///
    /// The callbacks are called in the same way as the callbacks of ``accept(onSuccess:onError:)``.
    ///
    /// If the number is wrong, the result depends on the version of AM. Versions up to 8.0 deny the login,
    /// but `onSuccess` is called. AM 8.1 rejects the number with HTTP 400: `onError` receives
    /// ``PushNotificationError/pushNumberChallengeError(_:)``, and the push stays pending. The server
    /// also responds with HTTP 400 if it no longer has the push. Therefore, if the push has expired or is not
    /// stored on this device, `onError` receives `NetworkError.apiRequestFailure` for HTTP 400.
    /// - Parameters:
    ///   - challengeResponse: The number as decimal digits; it is one of ``numbersChallengeArray``.
    ///   - onSuccess: Called after the server has accepted the answer.
    ///   - onError: Receives the error.
    public func accept(
        challengeResponse: String,
        onSuccess: @escaping SuccessCallback,
        onError: @escaping ErrorCallback
    ) {
        let answer = PushAnswer.approveChallenge(challengeResponse)
        (origin ?? .shared).answer(answer, to: self, Callbacks(onSuccess, onError))
    }

    /// Approves a push of type `biometric` after local authentication.
    ///
    /// The callbacks are called in the same way as the callbacks of ``accept(onSuccess:onError:)``.
    ///
    /// If the push cannot be answered, the local authentication does not start. If the local authentication fails,
    /// `onError` receives ``MechanismError/invalidInformation(_:)`` with the system's description, on a background
    /// queue. As an `NSError`, this error contains the system's `LAError` under `NSUnderlyingErrorKey`.
    /// - Parameters:
    ///   - title: The reason that the system shows for the local authentication.
    ///   - allowDeviceCredentials: Whether the user can enter the device's passcode instead of using
    ///     biometrics.
    ///   - onSuccess: Called after the server has accepted the answer.
    ///   - onError: Receives the error.
    public func accept(
        title: String,
        allowDeviceCredentials: Bool,
        onSuccess: @escaping SuccessCallback,
        onError: @escaping ErrorCallback
    ) {
        let prompt = AuthenticationPrompt(title: title, allowsDeviceCredentials: allowDeviceCredentials)
        (origin ?? .shared).approve(self, after: prompt, Callbacks(onSuccess, onError))
    }

    /// Denies a push of any type.
    ///
    /// The callbacks are called in the same way as the callbacks of ``accept(onSuccess:onError:)``.
    /// - Parameters:
    ///   - onSuccess: Called after the server has accepted the answer.
    ///   - onError: Receives the error.
    public func deny(onSuccess: @escaping SuccessCallback, onError: @escaping ErrorCallback) {
        (origin ?? .shared).answer(.deny, to: self, Callbacks(onSuccess, onError))
    }
}

/// The way in which the user approves a push.
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
