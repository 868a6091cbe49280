import Crypto
import Foundation
import PushBridgeCore

extension LegacyRules {
    /// The one-time codes for some counters, from the secret as it was typed; `nil` where the legacy SDK has none.
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

    /// Base32 by whole groups: eight letters are forty bits.
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

    /// What each character counts; the look-alikes 0, 1 and 8 count as O, L and B.
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
        case "sha256": Array(HMAC<SHA256>.authenticationCode(for: message, using: key))
        case "sha384": Array(HMAC<SHA384>.authenticationCode(for: message, using: key))
        case "sha512": Array(HMAC<SHA512>.authenticationCode(for: message, using: key))
        default: nil
        }
    }
}
