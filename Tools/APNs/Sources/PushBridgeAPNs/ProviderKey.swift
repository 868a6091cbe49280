import Crypto
package import Foundation
import PushBridgeCore
import PushBridgeInternals

/// A team's key for APNs, which signs provider tokens.
package struct ProviderKey: Sendable {
    /// The time for which APNs accepts a provider token.
    package static let tokenLifetime: TimeInterval = 3600
    /// The shortest interval between two renewals of a provider token.
    package static let shortestRenewal: TimeInterval = 20 * 60

    /// The key's id, which has 10 characters.
    package let keyId: String
    /// The team's id.
    package let teamId: String
    private let key: P256.Signing.PrivateKey

    /// Makes a new key.
    package init(keyId: String, teamId: String) {
        self.keyId = keyId
        self.teamId = teamId
        key = P256.Signing.PrivateKey()
    }

    /// Reads a key.
    /// - Throws: ``APNsError`` if the text is not a key for ES256.
    package init(pem: String, keyId: String, teamId: String) throws(APNsError) {
        self.keyId = keyId
        self.teamId = teamId
        do {
            key = try P256.Signing.PrivateKey(pemRepresentation: pem)
        } catch {
            throw APNsError(code: .unreadableKey, reason: "The key is not a P-256 key in PEM.")
        }
    }

    /// The private key in the format of a `.p8` file.
    package var pem: String { key.pemRepresentation }

    /// The public key in PEM, to verify tokens.
    package var publicPEM: String { key.publicKey.pemRepresentation }

    /// The name of the key's cache file: a hash of both ids and the public key.
    var name: String {
        let text = "\(keyId)\n\(teamId)\n\(publicPEM)"
        return SHA256.hash(data: Data(text.utf8)).map { String(format: "%02x", $0) }.joined()
    }

    /// Signs a provider token.
    ///
    /// - Throws: The error of the cryptography library. A valid key does not cause this error.
    package func token(issuedAt now: Date) throws -> String {
        let header: JSONValue = ["alg": "ES256", "kid": .string(keyId)]
        let issued = Int(now.timeIntervalSince1970)
        let claims: JSONValue = ["iss": .string(teamId), "iat": .integer(issued)]
        let input = "\(header.data.base64URLText).\(claims.data.base64URLText)"
        let signature = try key.signature(for: Data(input.utf8))
        return "\(input).\(signature.rawRepresentation.base64URLText)"
    }

    /// Returns the issue date of a provider token; `nil` unless this key signed the token for this team with ES256.
    func issueDate(of token: String) -> Date? {
        let parts = token.split(separator: ".", omittingEmptySubsequences: false)
        let bytes = parts.compactMap { Data(anyBase64: String($0)) }
        guard parts.count == 3, bytes.count == 3,
            let header = JSONValue(json: bytes[0]), let claims = JSONValue(json: bytes[1]),
            header["alg"] == "ES256", header["kid"] == .string(keyId), claims["iss"] == .string(teamId),
            case .integer(let issued)? = claims["iat"],
            isSignature(bytes[2], of: "\(parts[0]).\(parts[1])")
        else { return nil }
        return Date(timeIntervalSince1970: TimeInterval(issued))
    }

    /// Returns the reason that APNs gives if it refuses a provider token with this issue date; `nil` if APNs accepts
    /// the token.
    static func refusal(issuedAt issued: Date?, at now: Date) -> APNsReason? {
        guard let issued, issued <= now + largestClockDifference else { return .invalidProviderToken }
        return now.timeIntervalSince(issued) > tokenLifetime ? .expiredProviderToken : nil
    }

    /// The maximum time by which a provider's clock may be ahead, in seconds.
    private static let largestClockDifference: TimeInterval = 300

    private func isSignature(_ bytes: Data, of input: String) -> Bool {
        do {
            let signature = try P256.Signing.ECDSASignature(rawRepresentation: bytes)
            return key.publicKey.isValidSignature(signature, for: Data(input.utf8))
        } catch {
            return false
        }
    }
}

extension ProviderKey: CustomStringConvertible, CustomDebugStringConvertible, CustomReflectable {
    /// A text that contains the key's id and does not reveal the key.
    package var description: String { "ProviderKey(\(keyId))" }
    /// The same text as ``description``.
    package var debugDescription: String { description }
    /// A mirror without children, so that `dump` does not print the private key.
    package var customMirror: Mirror { Mirror(self, children: []) }
}
