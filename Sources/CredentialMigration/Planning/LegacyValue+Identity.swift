import AuthenticatorCore
import Foundation

/// The name under which the destination keeps a value, and what must be equal for two of that name to be the same.
struct ValueIdentity: Equatable {
    let name: String
    let contents: RecordFingerprint
}

extension LegacyValue {
    /// `nil` for what the destination does not keep under an id.
    var identity: ValueIdentity? {
        switch self {
        case .push(_, _, let credential):
            ValueIdentity(
                name: "push \(credential.id)",
                contents: credential.sharedSecret.mark(
                    with: [credential.registrationEndpoint, credential.authenticationEndpoint]
                )
            )
        case .oath(_, let credential):
            ValueIdentity(
                name: "oath \(credential.id)",
                contents: credential.password.secret.mark(
                    with: [
                        credential.oathType.rawValue, credential.oathAlgorithm.rawValue,
                        "\(credential.digits)",
                        "\(credential.period)",
                    ]
                )
            )
        case .notification(let notification):
            ValueIdentity(
                name: "notification \(notification.id)",
                contents: RecordFingerprint(
                    parts: [notification.messageId, notification.credentialId, notification.challenge],
                    payload: Data(),
                    occurrence: 0
                )
            )
        case .account, .deviceToken:
            nil
        }
    }
}

extension SharedSecret {
    /// A digest of the secret and other values; tells secrets apart without holding them.
    fileprivate func mark(with parts: [String]) -> RecordFingerprint {
        withUnsafeBytes { RecordFingerprint(parts: parts, payload: Data($0), occurrence: 0) }
    }
}
