import Foundation

extension SharedSecret {
    /// Calls `body` with the secret in standard base64 with padding, the form PingAM and the new API use.
    public func withBase64<Value>(_ body: (String) throws -> Value) rethrows -> Value {
        try body(withUnsafeBytes { Data($0).base64EncodedString() })
    }

    /// Calls `body` with the secret in canonical base32: upper case, no separators, no padding.
    public func withBase32<Value>(_ body: (String) throws -> Value) rethrows -> Value {
        try body(withUnsafeBytes { Base32.encode($0) })
    }

    /// Calls `body` with the bytes read as UTF-8, for secrets made with ``init(utf8:)``.
    public func withUTF8<Value>(_ body: (String) throws -> Value) rethrows -> Value {
        try body(withUnsafeBytes { String(decoding: $0, as: UTF8.self) })
    }

    /// The text of this secret in standard base64, itself guarded as a secret.
    public var base64Spelling: SharedSecret { spelled { Data($0).base64EncodedString() } }

    /// The text of this secret in canonical base32, itself guarded as a secret.
    public var base32Spelling: SharedSecret { spelled { Base32.encode($0) } }
}
