package import Foundation

/// The parts of an APNs payload from PingAM: a message id and a signed token, both inside `aps`.
package struct PushPayload: Equatable, Sendable {
    /// The maximum size in bytes of a payload that is parsed; APNs delivers at most 5 KiB.
    static let largest = 64 * 1024

    /// The server's id of the message.
    package let messageId: String
    /// The signed token, not yet parsed.
    package let token: String

    /// Creates a payload from its two parts; parses neither of them.
    package init(messageId: String, token: String) {
        self.messageId = messageId
        self.token = token
    }

    /// Reads the message id and the token only from `aps`.
    ///
    /// The result is `nil` if the message id or the token is absent or is not text, or if the message id is empty,
    /// because the push is then not from PingAM.
    package init?(_ payload: JSONValue) {
        guard
            let aps = payload["aps"],
            let messageId = aps["messageId"]?.string, !messageId.isEmpty,
            let token = aps["data"]?.string
        else { return nil }
        self.init(messageId: messageId, token: token)
    }

    /// Reads the message id and the token from the `aps` of JSON data; `nil` if one of them is missing or the data
    /// is not JSON.
    ///
    /// - Throws: ``PushReceptionError/tooLarge`` if the data is larger than 64 KiB.
    package init?(json: Data) throws(PushReceptionError) {
        guard json.count <= Self.largest else { throw .tooLarge }
        guard let payload = JSONValue(json: json) else { return nil }
        self.init(payload)
    }

    /// Reads the message id and the token as the successor SDK does.
    ///
    /// If `aps` lacks one of these values, reads it from the member `messageId` or `message` beside `aps`.
    ///
    /// The result is `nil` if a value is absent or is not text, or if the message id is empty.
    package init?(lifted payload: JSONValue) {
        let aps = payload["aps"]
        guard let messageId = (aps?["messageId"] ?? payload["messageId"])?.string, !messageId.isEmpty,
            let token = (aps?["data"] ?? payload["message"])?.string
        else { return nil }
        self.init(messageId: messageId, token: token)
    }

    /// Reads JSON text as ``init(lifted:)`` does, or text that is only the token; `nil` for any other text.
    ///
    /// A token without its own `messageId` is identified by its signature, so that a repeated token is recognised.
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

/// A push whose signature has not been verified; see ``verified(with:receivedAt:)``.
package struct UnverifiedPush: Sendable {
    /// The maximum size in bytes of a token that is parsed, about three times the size that APNs delivers.
    static let largestToken = 16 * 1024

    /// The server's id of the message, which is not signed.
    package let messageId: String
    /// The unverified mechanism UID in the push; it is used only to find the credential.
    package let claimedCredentialId: String
    private let token: JSONWebToken

    /// Splits a payload into its parts; `nil` if its token is not a JWT, because the push is then not from PingAM.
    ///
    /// - Throws: ``PushReceptionError`` if the token or the message id is too large, or if the token is not signed
    ///   with HS256 or names no credential.
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

    /// Verifies the signature and then the claims.
    ///
    /// If a push has no sending time, the time of its receipt is used instead.
    ///
    /// - Throws: ``PushReceptionError`` if the signature is wrong, the push belongs to another credential, or the
    ///   challenge is missing or invalid.
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

/// The reason why an incoming push was refused; no part of it was stored.
package enum PushReceptionError: Error, Equatable, Sendable {
    /// The push is far larger than APNs delivers.
    case tooLarge
    /// The token has a wrong signature, or is not signed with HS256.
    case token(TokenError)
    /// A required claim is absent.
    case missingClaim(String)
    /// A claim has the wrong type or an invalid value.
    case invalidClaim(String)
    /// No credential has the mechanism UID that the push names.
    case unknownCredential
    /// The push names one credential, but another credential was used to verify it.
    case wrongCredential
    /// The message id belongs to a stored push of another credential.
    case messageTaken
}
