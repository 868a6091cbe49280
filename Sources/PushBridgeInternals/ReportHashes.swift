import Crypto
public import Foundation
public import PushBridgeCore

/// Computes the SHA-256 hash of bytes that are added in parts.
public struct ContentDigest {
    private var hash = SHA256()

    /// Creates a digest without bytes.
    public init() {}

    /// Adds bytes.
    public mutating func add(_ bytes: Data) { hash.update(data: bytes) }

    /// The hash of all bytes that have been added so far, in hexadecimal.
    public var text: String { hash.finalize().map { String(format: "%02x", $0) }.joined() }
}

extension PushBridgeCore.SharedSecret {
    /// Returns a pseudonym for `text`; the same secret and text always give the same pseudonym.
    ///
    /// A guess at the text can be checked only with the secret.
    /// - Parameter text: The text to replace.
    /// - Returns: The first twelve hexadecimal digits of the text's HMAC-SHA256.
    public func pseudonym(of text: String) -> String {
        authenticationCode(for: Data(text.utf8), using: SHA256.self).prefix(6)
            .map { String(format: "%02x", $0) }.joined()
    }
}
