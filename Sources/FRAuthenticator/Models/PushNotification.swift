public import FRCore
public import Foundation
import LegacyStore
public import PushBridgeCore
import PushBridgePlatform

/// A login push, answered by its `accept` and `deny` methods; it shows its answer as soon as the server accepted it.
///
/// Safe to use from any thread.
#if canImport(ObjectiveC)
@objcMembers
#endif
public final class PushNotification: NSObject, NSSecureCoding, Codable, Sendable {
    /// The push in its legacy form.
    let content: Lock<PushBridgeCore.PushNotification>
    /// The id under which the store keeps the push; `nil` if the object was decoded.
    let storedId: String?
    /// The client that made the push; `nil` if the object was decoded.
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

    /// Reads JSON of the shape of ``toJson()``; absent optional keys and `null` are the same.
    /// - Parameter decoder: The decoder.
    /// - Throws: `DecodingError` for what is not JSON, `LegacyRecordError` for a required field that is missing or
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

    /// The server's id of the message; single use.
    public var messageId: String { value.messageId }
    /// The mechanism that answers it.
    #if MigrationFixIts
    @available(*, deprecated, renamed: "credentialId")
    #endif
    public var mechanismUUID: String { value.credentialId }
    /// Seconds the server waits; setting them changes this object only.
    public var ttl: Double {
        get { value.timeToLive }
        set { content.withValue { $0.timeToLive = newValue } }
    }
    /// When the server sent it; setting it changes this object, and its ``identifier``, only.
    public var timeAdded: Date {
        get { value.orderedAt }
        set { content.withValue { $0.setTimeAdded(newValue) } }
    }
    /// When the server stops waiting.
    #if MigrationFixIts
    @available(*, deprecated, renamed: "expiresAt")
    #endif
    public var timeExpired: Date { value.expiresAt }
    /// The administrator's own payload, as JSON text.
    public var customPayload: String? { value.customPayload }
    /// The text to show.
    #if MigrationFixIts
    @available(*, deprecated, renamed: "messageText")
    #endif
    public var message: String? { value.messageText }
    /// The user's task.
    public var pushType: PushType { PushType(value.pushType) }
    /// The numbers to choose from, as the server spelled them.
    public var numbersChallenge: String? { value.numbersChallenge }
    /// The numbers to choose from; parts of the server's text that are not numbers are left out.
    public var numbersChallengeArray: [Int]? {
        value.numbersChallenge.map(PushBridgeCore.PushNotification.numbers)
    }
    /// Where the login came from, as JSON text.
    public var contextInfo: String? { value.contextInfo }
    /// The same, typed: each part is `nil` if it is missing or is not what it should be.
    public var context: PushContext { value.context }
    /// The key of the push, `{mechanismUUID}-{timeAdded in ms}`.
    #if MigrationFixIts
    @available(*, deprecated, renamed: "id")
    #endif
    public var identifier: String { value.legacyIdentifier }
    /// Whether the push is not answered yet.
    public var isPending: Bool { value.pending }
    /// Whether the server stopped waiting; the push may still be answered, the server decides.
    public var isExpired: Bool { Date() >= value.expiresAt }
    /// Whether the user approved.
    public var isApproved: Bool {
        let value = value
        return !value.pending && value.approved
    }
    /// Whether the user denied.
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

    /// Writes JSON of the shape of ``toJson()``.
    /// - Parameter encoder: The encoder.
    /// - Throws: The encoder's error, and `LegacyRecordError` for a number that JSON cannot express.
    public func encode(to encoder: any Encoder) throws {
        try value.encodeLegacyJSON(to: encoder)
    }

    /// The push as JSON text, dates in milliseconds since 1970, ``ttl`` in seconds.
    /// - Returns: The text; `nil` for a number that JSON cannot express.
    public func toJson() -> String? {
        LegacyRecord.notification(value).legacyText
    }
}

// Exactly one callback per call. Errors found before a request are reported at once on the caller's thread, everything
// else on a background queue. After a failure the push is still pending.
extension PushNotification {
    /// Approves a push of type `default`.
    ///
    /// Calls one callback once: with an error found before the request, on the caller's thread; else on a background
    /// queue. `onError` gets ``PushNotificationError/notificationInvalidStatus`` if the push was answered or an answer
    /// is on its way; ``MechanismError/invalidInformation(_:)`` for a push of another type;
    /// ``AccountError/accountLocked(_:)``; ``PushNotificationError/storageError(_:)`` if the mechanism is not stored or
    /// the storage failed; ``CryptoError/invalidParam(_:)`` if the challenge or the secret is not base64;
    /// `NetworkError.apiRequestFailure` if the server answered with a status outside 200...299, and `URLError` if it did
    /// not answer. After an error the push is still pending.
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
    /// A wrong number denies the login and still succeeds, up to AM 8.0; AM 8.1 refuses it with 400, which is
    /// ``PushNotificationError/pushNumberChallengeError(_:)`` and leaves the push pending.
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
    /// The user is not asked about a push that cannot be answered. If the local authentication fails, `onError` gets
    /// ``MechanismError/invalidInformation(_:)`` with the system's sentence, on a background queue.
    /// - Parameters:
    ///   - title: The reason that the system shows.
    ///   - allowDeviceCredentials: Whether the device's passcode does as well.
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

/// The user's task to approve a push.
public enum PushType: String, CaseIterable, Codable, Sendable {
    /// Tap.
    case `default`
    /// Pick the number that the login page shows.
    case challenge
    /// Pass biometric authentication.
    case biometric

    init(_ type: PushBridgeCore.PushType) {
        switch type {
        case .default: self = .default
        case .challenge: self = .challenge
        case .biometric: self = .biometric
        }
    }
}
