import CredentialMigration

extension MigrationSource {
    /// The legacy SDK's keychain; `nil` where there is none.
    static var legacyKeychain: MigrationSource? {
        #if canImport(Security)
        .keychain
        #else
        nil
        #endif
    }
}
