public import CredentialMigration
public import Foundation
public import LegacyStore

extension MigrationSource {
    /// A file in any container of either SDK, recognised by its content; `key` opens what is sealed.
    public static func file(_ url: URL, key: (any LegacyItemKey)? = nil) -> MigrationSource {
        MigrationSource(opening: { mayBeEmpty throws(LegacyStoreError) in
            try LegacyFile.open(url, mayBeEmpty: mayBeEmpty).unsealed(with: key)
        })
    }
}
