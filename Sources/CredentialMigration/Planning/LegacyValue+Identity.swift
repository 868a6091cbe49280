import Foundation
import PushBridgeCore

extension LegacyValue {
    /// The name under which the destination keeps the value; `nil` for what it does not keep under an id.
    var identity: String? {
        switch self {
        case .push(_, _, let credential): "push \(credential.id)"
        case .oath(_, let credential): "oath \(credential.id)"
        case .notification(let notification): "notification \(notification.id)"
        case .account, .deviceToken: nil
        }
    }

    /// A digest of what must be equal for two values of one identity to be the same; holds no secret.
    var contents: RecordFingerprint {
        switch self {
        case .push(_, _, let credential):
            credential.sharedSecret.digest(
                with: [credential.registrationEndpoint, credential.authenticationEndpoint]
            )
        case .oath(_, let credential):
            credential.password.secret.digest(
                with: [
                    credential.oathType.rawValue, credential.oathAlgorithm.rawValue, "\(credential.digits)",
                    "\(credential.period)",
                ]
            )
        case .notification(let notification):
            RecordFingerprint(
                parts: [notification.messageId, notification.credentialId, notification.challenge],
                payload: Data(),
                occurrence: 0
            )
        case .account, .deviceToken:
            RecordFingerprint(parts: [], payload: Data(), occurrence: 0)
        }
    }
}

extension LegacyValue {
    /// A digest of what must be equal where one of two push credentials knows only the server; `nil` for others.
    var serverContents: RecordFingerprint? {
        guard case .push(_, _, let credential) = self else { return nil }
        return credential.sharedSecret.digest(with: [credential.serverEndpoint])
    }

    /// Whether the value is a push credential that knows only the server.
    var knowsServerOnly: Bool {
        if case .push(_, _, let credential) = self { credential.knowsServerOnly } else { false }
    }
}

extension SharedSecret {
    fileprivate func digest(with parts: [String]) -> RecordFingerprint {
        withUnsafeBytes { RecordFingerprint(parts: parts, payload: Data($0), occurrence: 0) }
    }
}
