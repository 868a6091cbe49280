package import Foundation

/// What PingAM puts into an APNs payload: a message id and a signed token, both inside `aps`.
package struct PushPayload: Equatable, Sendable {
    /// The largest payload that is read; APNs delivers 5 KiB at most.
    static let largest = 64 * 1024

    /// The server's id of the message.
    package let messageId: String
    /// The signed token, unread.
    package let token: String

    /// Creates a push of two parts from any source.
    package init(messageId: String, token: String) {
        self.messageId = messageId
        self.token = token
    }

    /// Finds both parts in `aps`, and only there; `nil` if one is absent or is not text: the push is not of PingAM.
    package init?(_ payload: JSONValue) {
        guard
            let aps = payload["aps"],
            let messageId = aps["messageId"]?.string, !messageId.isEmpty,
            let token = aps["data"]?.string
        else { return nil }
        self.init(messageId: messageId, token: token)
    }

    /// As above, from JSON; `nil` also if it is not JSON.
    ///
    /// - Throws: ``PushReceptionError/tooLarge`` if there are more than 64 KiB.
    package init?(json: Data) throws(PushReceptionError) {
        guard json.count <= Self.largest else { throw .tooLarge }
        guard let payload = JSONValue(json: json) else { return nil }
        self.init(payload)
    }

    /// Finds each part in `aps` or, if it is not there, where the successor SDK reads it: as `messageId` and `message`
    /// beside `aps`; `nil` if one is absent or is not text.
    package init?(lifted payload: JSONValue) {
        let aps = payload["aps"]
        guard let messageId = (aps?["messageId"] ?? payload["messageId"])?.string, !messageId.isEmpty,
            let token = (aps?["data"] ?? payload["message"])?.string
        else { return nil }
        self.init(messageId: messageId, token: token)
    }

    /// As above, from JSON, or from the token alone.
    ///
    /// A token without its own `messageId` is identified by its signature, so that a repeated one is recognised.
    ///
    /// - Throws: ``PushReceptionError`` if the text is larger than 64 KiB, or the token is not signed with
    ///   HS256.
    package init?(text: String) throws(PushReceptionError) {
        guard text.utf8.count <= Self.largest else { throw .tooLarge }
        if let payload = JSONValue(json: Data(text.utf8)) {
            self.init(lifted: payload)
        } else if let token = try UnverifiedPush.token(text), let claims = ClaimReader(token.payload) {
            let signature = String(text.split(separator: ".").last ?? "")
            self.init(messageId: claims.messageId ?? signature, token: text)
        } else {
            return nil
        }
    }
}

/// A push with an unchecked signature; only for finding its credential and verifying it.
package struct UnverifiedPush: Sendable {
    /// The largest token that is read, about three times what APNs delivers.
    static let largestToken = 16 * 1024

    /// The server's id of the message, which is not signed.
    package let messageId: String
    /// The mechanism UID the push claims to be for, unverified; good for finding the credential only.
    package let claimedCredentialId: String
    private let token: JSONWebToken

    /// Divides a payload into its parts, or returns `nil` if its token is not a JWT: the push is not of PingAM.
    ///
    /// - Throws: ``PushReceptionError`` if the token is too large, is not signed with HS256, or names no
    ///   credential.
    package init?(_ payload: PushPayload) throws(PushReceptionError) {
        guard payload.token.utf8.count <= Self.largestToken, payload.messageId.utf8.count <= 1024 else {
            throw .tooLarge
        }
        guard let token = try Self.token(payload.token), let claims = ClaimReader(token.payload) else {
            return nil
        }
        messageId = payload.messageId
        claimedCredentialId = try claims.required(.credentialId)
        self.token = token
    }

    /// Checks the signature, then the claims.
    ///
    /// A push without a sending time counts as sent when it was received.
    ///
    /// - Throws: ``PushReceptionError`` if the signature is wrong, the push is another credential's, or a
    ///   claim is missing or invalid.
    package func verified(
        with credential: PushCredential,
        receivedAt: Date
    ) throws(PushReceptionError) -> VerifiedPush {
        let verified: VerifiedToken
        do {
            verified = try token.verified(with: credential.sharedSecret)
        } catch {
            throw .token(error)
        }
        guard claimedCredentialId == credential.id else { throw .wrongCredential }
        guard let claims = ClaimReader(verified.claims) else { throw .token(.malformed) }
        return try VerifiedPush(
            claims,
            messageId: messageId,
            credentialId: credential.id,
            receivedAt: receivedAt
        )
    }

    fileprivate static func token(_ compact: String) throws(PushReceptionError) -> JSONWebToken? {
        do {
            return try JSONWebToken(compact)
        } catch .malformed {
            return nil
        } catch {
            throw .token(error)
        }
    }
}

/// Why an incoming push was refused; nothing of it was stored.
package enum PushReceptionError: Error, Equatable, Sendable {
    /// Far larger than APNs delivers.
    case tooLarge
    /// The token is signed wrongly, or not with HS256.
    case token(TokenError)
    /// A claim is absent that the push cannot do without.
    case missingClaim(String)
    /// A claim is of the wrong type or invalid.
    case invalidClaim(String)
    /// No credential has the mechanism UID that the push names.
    case unknownCredential
    /// The push was verified with another credential than the one it names.
    case wrongCredential
    /// The message id belongs to a stored push of another credential.
    case messageTaken
}
