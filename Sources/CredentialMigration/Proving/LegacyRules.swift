import Crypto
import Foundation

/// How the legacy SDK signs, written without any of the core's code, so that a proof compares two roads.
enum LegacyRules {
    /// The key bytes of a push secret as it stood in the QR code.
    static func key(secret: String) -> SymmetricKey? {
        let standard = secret.replacing("-", with: "+").replacing("_", with: "/")
        let bare = standard.filter { $0 != "=" && !$0.isWhitespace }
        let padded = bare + String(repeating: "=", count: (4 - bare.utf8.count % 4) % 4)
        return Data(base64Encoded: padded).map { SymmetricKey(data: $0) }
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
        bytes.base64EncodedString()
            .replacing("+", with: "-").replacing("/", with: "_").replacing("=", with: "")
    }
}
