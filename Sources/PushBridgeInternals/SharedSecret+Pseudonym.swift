import Crypto
import Foundation
public import PushBridgeCore

extension PushBridgeCore.SharedSecret {
    /// A pseudonym: the same for the same text, and without the secret, no guess of the text can be confirmed.
    /// - Parameter text: The text to replace.
    /// - Returns: Twelve hexadecimal digits of the authentication code of the text.
    public func pseudonym(of text: String) -> String {
        authenticationCode(for: Data(text.utf8), using: SHA256.self).prefix(6)
            .map { String(format: "%02x", $0) }.joined()
    }
}
