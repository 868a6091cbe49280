import Foundation
import PushBridgeStore

extension LegacyRecordError {
    /// Why one item could not be read.
    ///
    /// A refusal that is not understood may pass; nobody is told to enrol again for it.
    init(_ error: KeychainError) {
        let reason = error.errorDescription ?? "The keychain refused."
        self.init(error.code == .undecryptable ? .undecryptable : .locked, reason: reason)
    }
}

extension LegacyStoreError {
    /// Why the names of the items could not be read.
    init(reading error: KeychainError) {
        let reason = error.errorDescription ?? "The keychain refused."
        self.init(error.code == .locked ? .locked : .unreadable, reason: reason)
    }

    /// Why an item could not be removed.
    init(removing error: KeychainError) {
        let reason = error.errorDescription ?? "The keychain refused."
        self.init(error.code == .locked ? .locked : .notWritable, reason: reason)
    }
}
