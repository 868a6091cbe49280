public import Foundation
public import PushBridgeCore

// Members that this repository's tools and benchmarks need of types that no app sees.

extension Data {
    /// Decodes standard or url-safe base64 (RFC 4648), with or without padding; `nil` if `text` is neither.
    public init?(anyBase64 text: String) {
        guard let bytes = Base64.decode(text) else { return nil }
        self = bytes
    }

    /// The bytes as base64url without padding (RFC 4648, section 5), the alphabet of JWTs.
    public var base64URLText: String { Base64.encodeURLSafe(self) }
}

extension SharedSecret {
    /// The response that PingAM expects to a challenge: HMAC-SHA256 in standard base64 with padding.
    public func response(to challenge: Data) -> String {
        ChallengeResponse.compute(challenge: challenge, secret: self)
    }

    /// The response that PingAM expects to a challenge in base64; `nil` if `challenge` is not base64.
    public func response(toBase64 challenge: String) -> String? {
        ChallengeResponse.compute(base64Challenge: challenge, secret: self)
    }

    /// Returns whether `token` is a compact JWT (RFC 7519) that this secret signed with HS256.
    public func hasSigned(_ token: String) -> Bool {
        do throws(TokenError) {
            _ = try JSONWebToken(token).verified(with: self)
            return true
        } catch {
            return false
        }
    }
}

extension PushRegistration {
    /// The request that registers a device.
    ///
    /// - Parameters:
    ///   - mechanismUid: The id of the credential to be.
    ///   - deviceId: The APNs token in hexadecimal.
    ///   - deviceName: The name that users see in their list of devices.
    /// - Returns: The request, not yet sent.
    public func request(mechanismUid: String, deviceId: String, deviceName: String) -> PushRequest {
        request(
            mechanismUid: mechanismUid,
            device: DeviceDescription(deviceId: deviceId, deviceName: deviceName)
        )
    }
}

extension PushCredential {
    /// The request that sends the server a new device token.
    ///
    /// - Parameters:
    ///   - deviceId: The APNs token in hexadecimal.
    ///   - deviceName: The name that users see in their list of devices.
    /// - Returns: The request, not yet sent.
    public func refreshRequest(deviceId: String, deviceName: String) -> PushRequest {
        refreshRequest(device: DeviceDescription(deviceId: deviceId, deviceName: deviceName))
    }

    /// The request that approves a push.
    ///
    /// - Parameters:
    ///   - notification: The push.
    ///   - number: The number that the user chose; for a challenge push only.
    /// - Returns: The request, not yet sent.
    /// - Throws: An error if the approval does not suit the push, or the push is another credential's.
    public func approvalRequest(of notification: PushNotification, number: String? = nil) throws
        -> PushRequest
    {
        try answerRequest(number.map(PushAnswer.approveChallenge) ?? .approve, to: notification)
    }

    /// Reads a push as APNs delivers it, and checks its signature.
    ///
    /// - Parameters:
    ///   - payload: The payload, JSON.
    ///   - id: The id that the notification gets.
    ///   - receivedAt: When the device received it.
    /// - Returns: The notification; `nil` if the payload is not one of PingAM's.
    /// - Throws: An error if the push is not signed with this credential's secret, or a claim is missing.
    public func notification(
        from payload: Data,
        id: String,
        receivedAt: Date
    ) throws -> PushNotification? {
        guard let payload = try PushPayload(json: payload), let push = try UnverifiedPush(payload) else {
            return nil
        }
        return try push.verified(with: self, receivedAt: receivedAt).notification(id: id)
    }

    /// What only the legacy model knows of the credential; see ``LegacyDetails``.
    ///
    /// - Parameter proof: Returns the replacement for a secret.
    /// - Returns: The members by name; `nil` if the legacy model has no further data.
    public func legacyMembers(proof: (SharedSecret) -> String) -> JSONValue? { legacy?.members(proof) }
}

extension PushNotification {
    /// Creates a pending notification.
    ///
    /// - Parameters:
    ///   - id: The notification's id.
    ///   - credentialId: The credential that answers it.
    ///   - messageId: The server's id of the message.
    ///   - challenge: The challenge in base64.
    ///   - ttl: Seconds the server waits.
    ///   - sentAt: When the server sent it, and the device stored it.
    public init(
        id: String,
        credentialId: String,
        messageId: String,
        challenge: String,
        ttl: Int,
        sentAt: Date
    ) {
        self.init(
            id: id,
            credentialId: credentialId,
            message: PushMessage(id: messageId, challenge: challenge),
            ttl: ttl,
            sentAt: sentAt,
            createdAt: sentAt
        )
    }

    /// Creates a pending notification in its legacy form.
    ///
    /// - Parameters:
    ///   - mechanismUUID: The mechanism that answers it.
    ///   - messageId: The server's id of the message.
    ///   - challenge: The challenge in base64.
    ///   - ttl: Seconds the server waits; may have a fraction.
    ///   - timeAdded: When the server sent it.
    public init(
        mechanismUUID: String,
        messageId: String,
        challenge: String,
        ttl: TimeInterval,
        timeAdded: Date
    ) {
        self.init(
            message: PushMessage(id: messageId, challenge: challenge),
            mechanismUUID: mechanismUUID,
            ttl: ttl,
            timeAdded: timeAdded
        )
    }

    /// Whether an answer was begun and has not ended, however long ago.
    public var hasClaim: Bool { answerClaim != nil }

    /// What only the legacy model knows of the notification: its exact seconds to live and the spelling of its type.
    public var legacyMembers: (timeToLive: TimeInterval, pushType: String?)? {
        legacy.map { ($0.timeToLive, $0.pushType) }
    }
}

extension OathCredential {
    /// Creates a credential whose codes have six digits, with HMAC-SHA1.
    ///
    /// - Parameters:
    ///   - id: The credential's id.
    ///   - account: The account the credential belongs to.
    ///   - secret: The key.
    ///   - movingFactor: What moves the code on.
    ///   - createdAt: When the credential was enrolled.
    public init(
        id: String,
        account: AccountProfile,
        secret: SharedSecret,
        movingFactor: OathMovingFactor,
        createdAt: Date
    ) {
        self.init(
            id: id,
            account: account,
            password: OneTimePassword(unchecked: secret, algorithm: .sha1, digits: 6),
            movingFactor: movingFactor,
            createdAt: createdAt
        )
    }

    /// The code for a counter (RFC 4226), for any credential.
    ///
    /// - Throws: An error if `counter` is negative or the secret cannot make codes.
    public func code(counter: Int) throws -> String { try password.code(counter: counter) }

    /// The code at a time (RFC 6238), for any credential.
    ///
    /// - Throws: An error if `date` is before 1970 or the secret cannot make codes.
    public func code(at date: Date) throws -> String { try password.code(at: date, period: period) }

    /// What only the legacy model knows of the credential; see ``LegacyDetails``.
    ///
    /// - Parameter proof: Returns the replacement for a secret.
    /// - Returns: The members by name; `nil` if the legacy model has no further data.
    public func legacyMembers(proof: (SharedSecret) -> String) -> JSONValue? { legacy?.members(proof) }
}

extension LegacyDetails {
    fileprivate func members(_ proof: (SharedSecret) -> String) -> JSONValue {
        func text(_ text: String?) -> JSONValue { text.map(JSONValue.string) ?? .null }
        return [
            "version": version.map(JSONValue.integer) ?? .null,
            "secretSpelling": text(secretSpelling.map(proof)),
            "messageId": text(registration?.messageId),
            "challenge": text(registration?.challenge.map(proof)),
            "loadBalancer": text(registration?.loadBalancer),
        ]
    }
}
