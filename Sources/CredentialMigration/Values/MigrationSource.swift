public import Foundation
public import LegacyStore

/// Where legacy records come from; opened when a migration first needs it.
public struct MigrationSource: Sendable {
    /// Opens the legacy store.
    let open: @Sendable () throws(LegacyStoreError) -> any LegacySource

    /// Creates a source from a function that opens it.
    public init(_ open: @escaping @Sendable () throws(LegacyStoreError) -> any LegacySource) {
        self.open = open
    }

    /// A file in any of the five containers, recognised by its content.
    public static func file(_ url: URL) -> MigrationSource {
        MigrationSource { () throws(LegacyStoreError) in try LegacyFile.open(url) }
    }

    /// A legacy store that is already open.
    public static func store(_ source: any LegacySource) -> MigrationSource {
        MigrationSource { () throws(LegacyStoreError) in source }
    }
}
