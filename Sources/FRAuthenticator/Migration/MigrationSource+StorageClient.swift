public import CredentialMigration
import PushBridgeCore

extension MigrationSource {
    /// An app's own legacy storage, read and retired through its methods.
    ///
    /// Mechanisms without an account are not found: the storage lists mechanisms by account.
    public static func storageClient(_ client: any StorageClient) -> MigrationSource {
        .storage(StorageClientRecords(client))
    }
}
