import AuthenticatorCore
import Crypto
import Foundation

extension LegacyRules {
    /// The one-time code for a counter, from the secret as it was typed; `nil` where the legacy SDK has none.
    static func code(secret: String, parameters: LegacyOathParameters, counter: Int) -> String? {
        guard let key = base32Key(secret), counter >= 0, (1...9).contains(parameters.digits) else {
            return nil
        }
        let message = (0..<8).map { UInt8(truncatingIfNeeded: counter >> (8 * (7 - $0))) }
        guard let digest = digest(of: message, algorithm: parameters.algorithm, key: key) else { return nil }
        let offset = Int(digest[digest.endIndex - 1] & 15)
        guard offset + 3 < digest.count else { return nil }
        var number =
            Int(digest[offset] & 127) << 24 | Int(digest[offset + 1]) << 16
            | Int(digest[offset + 2]) << 8 | Int(digest[offset + 3])
        var code: [Character] = []
        for _ in 0..<parameters.digits {
            code.insert(Character("\(number % 10)"), at: 0)
            number /= 10
        }
        return String(code)
    }

    /// Base32 by whole groups: eight letters are forty bits.
    private static func base32Key(_ text: String) -> SymmetricKey? {
        var values: [UInt64] = []
        for character in text.uppercased() where !" \t\r\n-=".contains(character) {
            let letter: Character =
                switch character {
                case "0": "O"
                case "1": "L"
                case "8": "B"
                default: character
                }
            guard let index = alphabet[letter] else { return nil }
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

    private static let alphabet: [Character: UInt64] = Dictionary(
        uniqueKeysWithValues: zip("ABCDEFGHIJKLMNOPQRSTUVWXYZ234567", 0...)
    )

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
