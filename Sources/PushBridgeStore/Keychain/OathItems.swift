import Foundation
import PushBridgeCore
import PushBridgePlatform

// The two items of a one-time-password credential, and where they lay before.

/// One-time-password credentials in the place where versions before the first release kept them.
final class FormerItems: Sendable {
    /// Whether a search found none; only such a version, in another process, could store one after that.
    var areGone: Bool {
        get { known.withValue { $0 } }
        set { known.withValue { $0 = newValue } }
    }

    private let known = Lock(false)
}

extension StoredRecord {
    /// A one-time-password credential with the secret that an item beside it holds.
    ///
    /// Without such an item it needs one of its own, as versions before the first release wrote it.
    func joined(
        with secret: Result<Data, StoreError>?,
        under account: String
    ) -> Result<any StoredRecord, StoreError> {
        guard var credential = self as? OathCredential else { return .success(self) }
        guard let secret else {
            guard credential.hasSecret else {
                return .failure(.halfCredential(account, "Its secret is missing."))
            }
            return .success(credential)
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
            reason: "A \(RecordKind.oath.noun) in the keychain is not whole. \(fault)"
        )
    }
}
