import Crypto
package import Foundation
@_spi(PushBridgeTools) import PushBridgeCore

/// A team's key for APNs, which signs provider tokens.
package struct ProviderKey: Sendable {
    /// How long APNs takes a provider token.
    package static let tokenLifetime: TimeInterval = 3600
    /// How often a provider token may be renewed.
    package static let shortestRenewal: TimeInterval = 20 * 60

    /// The key's id, 10 characters.
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
    /// - Throws: ``APNsError`` if the text is no key for ES256.
    package init(pem: String, keyId: String, teamId: String) throws(APNsError) {
        self.keyId = keyId
        self.teamId = teamId
        do {
            key = try P256.Signing.PrivateKey(pemRepresentation: pem)
        } catch {
            throw APNsError(code: .unreadableKey, reason: "The key is not a P-256 key in PEM.")
        }
    }

    /// The private key as a `.p8` file holds it.
    package var pem: String { key.pemRepresentation }

    /// The public key in PEM, for the verifier of tokens.
    package var publicPEM: String { key.publicKey.pemRepresentation }

    /// A name that only this key has, with its id and its team's, and that says nothing of the key.
    var name: String {
        let text = "\(keyId)\n\(teamId)\n\(publicPEM)"
        return SHA256.hash(data: Data(text.utf8)).map { String(format: "%02x", $0) }.joined()
    }

    /// Signs a provider token.
    ///
    /// - Throws: The error of the cryptography, which has none for a valid key.
    package func token(issuedAt now: Date) throws -> String {
        let header: JSONValue = ["alg": "ES256", "kid": .string(keyId)]
        let issued = Int(now.timeIntervalSince1970)
        let claims: JSONValue = ["iss": .string(teamId), "iat": .integer(issued)]
        let input = "\(header.data.base64URLText).\(claims.data.base64URLText)"
        let signature = try key.signature(for: Data(input.utf8))
        return "\(input).\(signature.rawRepresentation.base64URLText)"
    }

    /// When a provider token was issued; `nil` if it is not one of this key, team and algorithm.
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

    /// Why APNs refuses a provider token of this date; `nil` if it does not.
    static func refusal(issuedAt issued: Date?, at now: Date) -> APNsReason? {
        guard let issued, issued <= now + largestClockDifference else { return .invalidProviderToken }
        return now.timeIntervalSince(issued) > tokenLifetime ? .expiredProviderToken : nil
    }

    /// How far a provider's clock may be ahead.
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
    /// The key's id, and nothing of the key.
    package var description: String { "ProviderKey(\(keyId))" }
    /// As ``description``.
    package var debugDescription: String { description }
    /// Nothing.
    package var customMirror: Mirror { Mirror(self, children: []) }
}
