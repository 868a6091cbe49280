public import Foundation
public import PushBridgeCore

// This file gives this repository's tools and benchmarks access to types and members that apps cannot use.

extension Data {
    /// Decodes standard or URL-safe base64 (RFC 4648), with or without padding; `nil` for any other text.
    public init?(anyBase64 text: String) {
        guard let bytes = Base64.decode(text) else { return nil }
        self = bytes
    }

    /// The bytes as base64url without padding (RFC 4648, section 5), as in JWTs.
    public var base64URLText: String { Base64.encodeURLSafe(self) }
}

extension SharedSecret {
    /// Returns the response that PingAM expects for a challenge: the HMAC-SHA256 in padded standard base64.
    public func response(to challenge: Data) -> String {
        ChallengeResponse.compute(challenge: challenge, secret: self)
    }

    /// Returns the response that PingAM expects for a challenge in base64; `nil` if `challenge` is not base64.
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
    /// Creates the request that registers a device.
    ///
    /// - Parameters:
    ///   - mechanismUid: The id of the new credential.
    ///   - deviceId: The APNs token in hexadecimal.
    ///   - deviceName: The name that users see in their list of devices.
    /// - Returns: The request, which is not sent yet.
    public func request(mechanismUid: String, deviceId: String, deviceName: String) -> PushRequest {
        request(
            mechanismUid: mechanismUid,
            device: DeviceDescription(deviceId: deviceId, deviceName: deviceName)
        )
    }
}

extension PushCredential {
    /// Creates the request that sends a new device token to the server.
    ///
    /// - Parameters:
    ///   - deviceId: The APNs token in hexadecimal.
    ///   - deviceName: The name that users see in their list of devices.
    /// - Returns: The request, which is not sent yet.
    public func refreshRequest(deviceId: String, deviceName: String) -> PushRequest {
        refreshRequest(device: DeviceDescription(deviceId: deviceId, deviceName: deviceName))
    }

    /// Creates the request that approves a push.
    ///
    /// - Parameters:
    ///   - notification: The push.
    ///   - number: The number that the user chose, for a push of the type `challenge`; `nil` for other types.
    /// - Returns: The request, which is not sent yet.
    /// - Throws: An error if the push has a type that cannot be approved in this way, if the push is for another
    ///   credential, or if this credential cannot sign an answer to the challenge.
    public func approvalRequest(of notification: PushNotification, number: String? = nil) throws
        -> PushRequest
    {
        try answerRequest(number.map(PushAnswer.approveChallenge) ?? .approve, to: notification)
    }

    /// Parses the payload of a push, and verifies its signature.
    ///
    /// - Parameters:
    ///   - payload: The payload that APNs delivers, in JSON.
    ///   - id: The id of the new notification.
    ///   - receivedAt: The date when the device received the push.
    /// - Returns: The notification; `nil` if the payload does not come from PingAM.
    /// - Throws: An error if the push is malformed or is not signed with this credential's secret, or if a required
    ///   claim is missing or invalid.
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

    /// Returns those values of the credential that only the legacy model has; see ``LegacyDetails``.
    ///
    /// - Parameter proof: Returns a value that replaces a secret.
    /// - Returns: The members by name; `nil` if the credential has no legacy details.
    public func legacyMembers(proof: (SharedSecret) -> String) -> JSONValue? { legacy?.members(proof) }
}

extension PushNotification {
    /// Creates a pending notification.
    ///
    /// - Parameters:
    ///   - id: The notification's id.
    ///   - credentialId: The id of the credential that answers the push.
    ///   - messageId: The server's message id.
    ///   - challenge: The challenge in base64.
    ///   - ttl: The number of seconds for which the server waits for an answer.
    ///   - sentAt: The date when the server sent the push; also used as the date when the device stored it.
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
    ///   - mechanismUUID: The id of the mechanism that answers the push.
    ///   - messageId: The server's message id.
    ///   - challenge: The challenge in base64.
    ///   - ttl: The number of seconds for which the server waits for an answer; may have a fraction.
    ///   - timeAdded: The date when the server sent the push.
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

    /// The optional string members of the notification, by their names in the stored form.
    public var optionalTexts: [String: String?] {
        Dictionary(uniqueKeysWithValues: Self.texts.map { ($0.name, self[keyPath: $0.property]) })
    }

    /// Whether the notification contains a claim of an answer, even an expired one.
    public var hasClaim: Bool { answerClaim != nil }

    /// Those values of the notification that only the legacy model has: the exact time to live in seconds, and the
    /// spelling of the type; `nil` if the notification has no legacy details.
    public var legacyMembers: (timeToLive: TimeInterval, pushType: String?)? {
        legacy.map { ($0.timeToLive, $0.pushType) }
    }
}

extension OathCredential {
    /// Creates a credential whose one-time passwords have six digits and use HMAC-SHA1.
    ///
    /// - Parameters:
    ///   - id: The credential's id.
    ///   - account: The credential's account.
    ///   - secret: The shared secret.
    ///   - movingFactor: The moving factor of the one-time passwords: time or a counter.
    ///   - createdAt: The date of the enrolment.
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

    /// Generates the one-time password for a counter (RFC 4226), even if the credential is time-based.
    ///
    /// - Throws: An error if `counter` is negative, or if the credential cannot generate one-time passwords.
    public func code(counter: Int) throws -> String { try password.code(counter: counter) }

    /// Generates the one-time password for a date (RFC 6238), even if the credential is counter-based.
    ///
    /// - Throws: An error if `date` is before 1970, or if the credential cannot generate one-time passwords.
    public func code(at date: Date) throws -> String { try password.code(at: date, period: period) }

    /// Returns those values of the credential that only the legacy model has; see ``LegacyDetails``.
    ///
    /// - Parameter proof: Returns a value that replaces a secret.
    /// - Returns: The members by name; `nil` if the credential has no legacy details.
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
