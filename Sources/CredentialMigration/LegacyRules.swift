import Crypto
import Foundation
import PushBridgeCore

/// The rules by which the legacy SDK computes signatures and one-time passwords.
///
/// Except for SHA-224, these rules do not use the code of the module `PushBridgeCore`, so a proof compares two
/// independent implementations.
enum LegacyRules {
    /// Returns an HMAC whose key is a push secret from the QR code; returns `nil` if the secret is not
    /// base64.
    static func authenticator(secret: String) -> HMAC<SHA256>? {
        var standard = secret.utf8.compactMap { character -> UInt8? in
            switch character {
            case UInt8(ascii: "-"): UInt8(ascii: "+")
            case UInt8(ascii: "_"): UInt8(ascii: "/")
            case UInt8(ascii: "="), UInt8(ascii: " "), 9...13: nil
            default: character
            }
        }
        while standard.count % 4 != 0 { standard.append(UInt8(ascii: "=")) }
        return Data(base64Encoded: Data(standard)).map { HMAC(key: SymmetricKey(data: $0)) }
    }

    static func response(challenge: Data, _ authenticator: HMAC<SHA256>) -> String {
        Data(authenticator.code(for: challenge)).base64EncodedString()
    }

    static func token(claims: String, _ authenticator: HMAC<SHA256>) -> String {
        let input = "\(header).\(urlSafe(Data(claims.utf8)))"
        return "\(input).\(urlSafe(Data(authenticator.code(for: Data(input.utf8)))))"
    }

    private static let header = urlSafe(Data(#"{"typ":"JWT","alg":"HS256"}"#.utf8))

    private static func urlSafe(_ bytes: Data) -> String {
        let characters = bytes.base64EncodedData().compactMap { character -> UInt8? in
            switch character {
            case UInt8(ascii: "+"): UInt8(ascii: "-")
            case UInt8(ascii: "/"): UInt8(ascii: "_")
            case UInt8(ascii: "="): nil
            default: character
            }
        }
        return String(decoding: characters, as: UTF8.self)
    }
}

extension HMAC {
    /// Returns the authentication code of a message.
    ///
    /// The method works on a copy of this HMAC, so the key has to be set up only once.
    fileprivate func code(for message: Data) -> MAC {
        var copy = self
        copy.update(data: message)
        return copy.finalize()
    }
}

// MARK: - One-time passwords

extension LegacyRules {
    /// Returns the one-time password for each counter; `secret` is base32 text.
    ///
    /// An element is `nil` if the legacy SDK cannot generate a one-time password for the counter.
    static func codes(secret: String, parameters: LegacyOathParameters, counters: [Int]) -> [String?] {
        let key = base32Key(secret)
        return counters.map { counter in
            key.flatMap { code(key: $0, parameters: parameters, counter: counter) }
        }
    }

    private static func code(key: SymmetricKey, parameters: LegacyOathParameters, counter: Int) -> String? {
        guard counter >= 0, (1...9).contains(parameters.digits) else { return nil }
        let message = (0..<8).map { UInt8(truncatingIfNeeded: counter >> (8 * (7 - $0))) }
        guard let digest = digest(of: message, algorithm: parameters.algorithm, key: key) else { return nil }
        let offset = Int(digest[digest.endIndex - 1] & 15)
        guard offset + 3 < digest.count else { return nil }
        var number =
            Int(digest[offset] & 127) << 24 | Int(digest[offset + 1]) << 16
            | Int(digest[offset + 2]) << 8 | Int(digest[offset + 3])
        var code = [UInt8](repeating: 0, count: parameters.digits)
        for place in code.indices.reversed() {
            code[place] = UInt8(ascii: "0") + UInt8(number % 10)
            number /= 10
        }
        return String(decoding: code, as: UTF8.self)
    }

    /// Returns the key that base32 text represents; `nil` if the text is empty or has an invalid character.
    private static func base32Key(_ text: String) -> SymmetricKey? {
        var values: [UInt64] = []
        for character in text.uppercased().utf8 where !separators.contains(character) {
            guard let index = alphabet[character] else { return nil }
            values.append(index)
        }
        guard !values.isEmpty else { return nil }
        let count = values.count * 5 / 8
        while values.count % 8 != 0 { values.append(0) }
        let bytes = stride(from: 0, to: values.count, by: 8).flatMap { start -> [UInt8] in
            let group = values[start..<start + 8].reduce(0) { $0 * 32 + $1 }
            return (0..<5).map { UInt8(truncatingIfNeeded: group >> (32 - 8 * $0)) }
        }
        return SymmetricKey(data: bytes.prefix(count))
    }

    private static let separators = Set(" \t\r\n-=".utf8)

    /// The value of each character.
    ///
    /// The characters 0, 1 and 8 count as O, L and B, because they look similar.
    private static let alphabet: [UInt8: UInt64] = {
        var alphabet: [UInt8: UInt64] = Dictionary(
            uniqueKeysWithValues: zip("ABCDEFGHIJKLMNOPQRSTUVWXYZ234567".utf8, 0...)
        )
        for (digit, letter) in zip("018".utf8, "OLB".utf8) { alphabet[digit] = alphabet[letter] }
        return alphabet
    }()

    private static func digest(of message: [UInt8], algorithm: String, key: SymmetricKey) -> [UInt8]? {
        switch algorithm.lowercased() {
        case "md5": Array(HMAC<Insecure.MD5>.authenticationCode(for: message, using: key))
        case "sha1": Array(HMAC<Insecure.SHA1>.authenticationCode(for: message, using: key))
        // PushBridgeCore implements SHA-224 itself; the tests compare it with the vectors of NIST and RFC 4231.
        case "sha224": key.withUnsafeBytes { SHA224.authenticationCode(for: Data(message), key: $0) }
        case "sha256": Array(HMAC<SHA256>.authenticationCode(for: message, using: key))
        case "sha384": Array(HMAC<SHA384>.authenticationCode(for: message, using: key))
        case "sha512": Array(HMAC<SHA512>.authenticationCode(for: message, using: key))
        default: nil
        }
    }
}
