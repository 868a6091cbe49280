import Crypto
import Foundation

/// How the legacy SDK signs, written without any of the core's code, so that a proof compares two roads.
enum LegacyRules {
    /// The key bytes of a push secret as it stood in the QR code.
    static func key(secret: String) -> SymmetricKey? {
        var standard = secret.utf8.compactMap { character -> UInt8? in
            switch character {
            case UInt8(ascii: "-"): UInt8(ascii: "+")
            case UInt8(ascii: "_"): UInt8(ascii: "/")
            case UInt8(ascii: "="), UInt8(ascii: " "), 9...13: nil
            default: character
            }
        }
        while standard.count % 4 != 0 { standard.append(UInt8(ascii: "=")) }
        return Data(base64Encoded: Data(standard)).map { SymmetricKey(data: $0) }
    }

    /// The answer to a challenge.
    static func response(challenge: Data, key: SymmetricKey) -> String {
        Data(HMAC<SHA256>.authenticationCode(for: challenge, using: key)).base64EncodedString()
    }

    /// A signed compact JWT.
    static func token(claims: String, key: SymmetricKey) -> String {
        let input = "\(urlSafe(Data(header.utf8))).\(urlSafe(Data(claims.utf8)))"
        let signature = HMAC<SHA256>.authenticationCode(for: Data(input.utf8), using: key)
        return "\(input).\(urlSafe(Data(signature)))"
    }

    private static let header = #"{"typ":"JWT","alg":"HS256"}"#

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
