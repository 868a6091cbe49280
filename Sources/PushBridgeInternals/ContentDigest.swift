import Crypto
public import Foundation

/// The SHA-256 of bytes that arrive in parts.
public struct ContentDigest {
    private var hash = SHA256()

    /// Creates the digest of no bytes.
    public init() {}

    /// Adds bytes.
    public mutating func add(_ bytes: Data) { hash.update(data: bytes) }

    /// The digest in hexadecimal.
    public var text: String { hash.finalize().map { String(format: "%02x", $0) }.joined() }
}
