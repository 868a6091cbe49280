public import Foundation

/// A push whose signature was not checked; the only thing to do with it is to find its credential and verify it.
public struct UnverifiedPush: Sendable {
    /// The largest token that is read, about three times what APNs delivers.
    static let largestToken = 16 * 1024

    /// The server's id of the message, which is not signed.
    public let messageId: String
    /// The mechanism UID the push claims to be for, unverified; good for finding the credential only.
    public let claimedCredentialId: String
    private let token: CompactToken

    /// Takes a payload apart, or answers `nil` if its token is no JWT: the push is not ours.
    public init?(_ payload: PushPayload) throws(PushReceptionError) {
        guard payload.token.utf8.count <= Self.largestToken, payload.messageId.utf8.count <= 1024 else {
            throw .tooLarge
        }
        guard let token = try Self.token(payload.token), let claims = ClaimReader(token.payload) else {
            return nil
        }
        messageId = payload.messageId
        claimedCredentialId = try claims.required("u")
        self.token = token
    }

    /// Checks the signature, then the claims.
    ///
    /// A push without a sending time counts as sent when it was received.
    public func verified(
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
        return VerifiedPush(
            messageId: messageId,
            credentialId: credential.id,
            claims: try PushClaims(claims),
            receivedAt: receivedAt
        )
    }

    private static func token(_ compact: String) throws(PushReceptionError) -> CompactToken? {
        do {
            return try CompactToken(compact)
        } catch .malformed {
            return nil
        } catch {
            throw .token(error)
        }
    }
}
