public import Crypto
public import Foundation

/// Key material that cannot be printed, dumped or encoded by accident.
///
/// The bytes are accessible only in a closure, for example that of ``withUnsafeBytes(_:)``. The type is deliberately
/// not `Codable`. A comparison takes the same time for any two secrets of the same length.
public struct SharedSecret: Equatable, Sendable {
    private let key: SymmetricKey

    /// Creates a secret from a copy of `bytes`; `nil` if `bytes` is empty, because an empty key is not valid.
    public init?(bytes: some ContiguousBytes) {
        key = SymmetricKey(data: bytes)
        guard key.bitCount > 0 else { return nil }
    }

    /// Decodes `text` in either base64 alphabet (RFC 4648), with or without padding, and ignores white space; `nil` if
    /// the text is empty or not base64.
    public init?(base64 text: String) {
        guard let bytes = Base64.bytes(text) else { return nil }
        self.init(bytes: bytes)
    }

    /// Decodes `text` as base32 (RFC 4648), and ignores case, white space, hyphens and padding; `nil` if the text is
    /// empty or not base32.
    ///
    /// The look-alikes 0, 1 and 8 are read as O, L and B.
    public init?(base32 text: String) {
        guard let bytes = Base32.bytes(text) else { return nil }
        self.init(bytes: bytes)
    }

    /// Creates a secret from the UTF-8 bytes of `text`, without decoding the text; `nil` if the text is
    /// empty.
    public init?(utf8 text: String) {
        var text = text
        guard let secret = text.withUTF8({ SharedSecret(bytes: $0) }) else { return nil }
        self = secret
    }

    /// Generates `count` random bytes, at least one, with the system's generator.
    public static func random(count: Int = 32) -> SharedSecret {
        SharedSecret(key: SymmetricKey(size: SymmetricKeySize(bitCount: max(1, count) * 8)))
    }

    /// The number of bytes.
    public var count: Int { key.bitCount / 8 }

    /// Calls `body` with the bytes; the pointer must not outlive the call.
    ///
    /// - Throws: The errors of `body`.
    public func withUnsafeBytes<Value>(_ body: (UnsafeRawBufferPointer) throws -> Value) rethrows -> Value {
        try key.withUnsafeBytes(body)
    }

    /// Returns the HMAC (RFC 2104) of `message` under this secret.
    ///
    /// - Parameters:
    ///   - message: The bytes to authenticate.
    ///   - hash: The hash function.
    /// - Returns: The HMAC; comparing two HMACs takes constant time.
    public func authenticationCode<Hash: HashFunction>(
        for message: some DataProtocol,
        using hash: Hash.Type
    ) -> HMAC<Hash>.MAC {
        HMAC<Hash>.authenticationCode(for: message, using: key)
    }

    /// The secret of a credential whose secret text encodes no key.
    ///
    /// This value cannot sign or verify anything.
    package static let unusable = SharedSecret(key: SymmetricKey(data: Data()))

    /// Whether there is a key.
    package var isUsable: Bool { key.bitCount > 0 }

    /// Returns this secret's text as a secret; `spelling` produces the text.
    ///
    /// The memory of the returned secret is protected in the same way as the memory of this secret.
    func spelled(_ spelling: (UnsafeRawBufferPointer) -> String) -> SharedSecret {
        var text = withUnsafeBytes(spelling)
        return SharedSecret(key: text.withUTF8 { SymmetricKey(data: $0) })
    }

    private init(key: SymmetricKey) {
        self.key = key
    }
}

extension SharedSecret: CustomStringConvertible, CustomDebugStringConvertible, Concealed {
    /// The size, without the bytes.
    public var description: String { "SharedSecret(\(count) bytes)" }
    /// The size, without the bytes.
    public var debugDescription: String { description }
}

extension SharedSecret {
    /// Calls `body` with the secret in standard base64 with padding, as PingAM and the async API spell it.
    ///
    /// - Throws: The errors of `body`.
    public func withBase64<Value>(_ body: (String) throws -> Value) rethrows -> Value {
        try body(withUnsafeBytes { Data($0).base64EncodedString() })
    }

    /// Calls `body` with the secret in canonical base32: upper case, no separators, no padding.
    ///
    /// - Throws: The errors of `body`.
    public func withBase32<Value>(_ body: (String) throws -> Value) rethrows -> Value {
        try body(withUnsafeBytes { Base32.encode($0) })
    }

    /// Calls `body` with the bytes as UTF-8 text, for secrets created with ``init(utf8:)``.
    ///
    /// - Throws: The errors of `body`.
    public func withUTF8<Value>(_ body: (String) throws -> Value) rethrows -> Value {
        try body(withUnsafeBytes { String(decoding: $0, as: UTF8.self) })
    }

    /// The standard base64 of this secret, as a `SharedSecret`.
    public var base64Spelling: SharedSecret { spelled { Data($0).base64EncodedString() } }

    /// The canonical base32 of this secret, as a `SharedSecret`.
    public var base32Spelling: SharedSecret { spelled { Base32.encode($0) } }
}
