public import CredentialMigration
public import Foundation
public import LegacyStore

extension MigrationSource {
    /// A file in any container of either SDK, recognised by its content.
    ///
    /// - Parameters:
    ///   - url: The file.
    ///   - key: The key that opens sealed items; without one they are *undecryptable*.
    /// - Returns: The source, which opens the file when a migration first needs it.
    public static func file(_ url: URL, key: (any LegacyItemKey)? = nil) -> MigrationSource {
        MigrationSource(opening: { mayBeEmpty throws(LegacyStoreError) in
            try LegacyFile.open(url, mayBeEmpty: mayBeEmpty).unsealed(with: key)
        })
    }
}

@_spi(PushBridgeTools) extension LegacyFile {
    /// Opens what ``open(_:)`` opens, with items of further services.
    ///
    /// - Parameters:
    ///   - url: The file.
    ///   - services: Further services whose items are read as the legacy SDK's.
    /// - Returns: The store.
    /// - Throws: ``LegacyStoreError`` as ``open(_:)`` does.
    public static func open(_ url: URL, services: [String]) throws(LegacyStoreError) -> any LegacySource {
        try openReading(services: services) { () throws(LegacyStoreError) in try open(url) }
    }

    /// Opens what ``open(_:)`` opens, and also what a removal emptied: a keychain or JSON lines without any of our records,
    /// or an empty file.
    ///
    /// - Parameters:
    ///   - url: The file.
    ///   - key: The key that opens sealed items; without one they are *undecryptable*.
    ///   - module: The module of the archives' classes, if it is not the legacy SDK's.
    ///   - services: Further services whose items are read as the legacy SDK's.
    /// - Returns: The store.
    /// - Throws: ``LegacyStoreError`` if the file is no legacy store, or cannot be read.
    public static func openEvenIfEmpty(
        _ url: URL,
        key: (any LegacyItemKey)? = nil,
        module: String? = nil,
        services: [String] = []
    ) throws(LegacyStoreError) -> any LegacySource {
        try openReading(services: services) { () throws(LegacyStoreError) in try open(url, mayBeEmpty: true) }
            .unsealed(with: key).archives(ofModule: module)
    }
}
