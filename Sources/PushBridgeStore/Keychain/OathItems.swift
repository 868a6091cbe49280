import Foundation
import PushBridgeCore

extension StoredRecord {
    /// Returns a one-time-password credential with the secret from its second item; returns any other record unchanged.
    func joined(
        with secret: Result<Data, StoreError>?,
        under account: String
    ) -> Result<any StoredRecord, StoreError> {
        guard var credential = self as? OathCredential else { return .success(self) }
        guard let secret else {
            return .failure(.halfCredential(account, "Its secret is missing."))
        }
        return secret.flatMap { data in
            guard let text = String(bytes: data, encoding: .utf8) else {
                return .failure(.halfCredential(account, "Its secret is not text."))
            }
            credential.setSecret(text)
            return .success(credential)
        }
    }
}

extension StoreError {
    static func halfCredential(_ account: String, _ fault: String) -> StoreError {
        StoreError(
            .damaged,
            record: account,
            reason: "A \(RecordKind.oath.noun) in the keychain is incomplete. \(fault)"
        )
    }
}
