import Foundation
import PingPush

/// Moves a store to another place, and sets aside a store whose key is missing.
enum StoreChanges {
    // guide: begin
    /// At each launch, before the first use of either store.
    static func storeToUse(
        old: any CredentialStore,
        new: any CredentialStore,
        log: (String) -> Void
    ) -> any CredentialStore {
        do {
            let receipt = try StoreMove(from: old, to: new).run()
            for record in receipt.remaining { log("Not moved (\(record.kind)): \(record.reason)") }
            return new
        } catch {
            // The old store has not changed; the next launch tries again.
            log("The store was not moved: \(error)")
            return old
        }
    }
    // guide: end

    // guide: begin
    static func openOrSetAside(
        at path: String,
        key: some SealingKeyProvider,
        show: (String) -> Void
    ) throws -> SQLiteCredentialStore {
        do {
            return try SQLiteCredentialStore(path: path, key: key, mode: .create)
        } catch {
            guard error.code == .keyMissing else { throw error }
            try SQLiteCredentialStore.setAside(path: path)
            show("This phone was restored without its keys. Please enrol your accounts again.")
            return try SQLiteCredentialStore(path: path, key: key, mode: .create)
        }
    }
    // guide: end
}
