import Crypto
public import Foundation

/// Computes the SHA-256 hash of bytes that are added in parts.
public struct ContentDigest {
    private var hash = SHA256()

    /// Creates a digest without bytes.
    public init() {}

    /// Adds bytes.
    public mutating func add(_ bytes: Data) { hash.update(data: bytes) }

    /// The digest in hexadecimal.
    public var text: String { hash.finalize().map { String(format: "%02x", $0) }.joined() }
}
