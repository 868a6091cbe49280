public import CredentialMigration
public import Foundation
public import LegacyStore

extension MigrationSource {
    /// Returns a source for a legacy store in a file.
    ///
    /// The format is recognised by the file's content, as in ``LegacyFile/open(_:)``.
    ///
    /// - Parameters:
    ///   - url: The file.
    ///   - key: The key that opens sealed items; if there is no key, sealed items are *undecryptable*.
    /// - Returns: The source, which opens the file when a migration needs it.
    public static func file(_ url: URL, key: (any LegacyItemKey)? = nil) -> MigrationSource {
        MigrationSource(opening: { mayBeEmpty throws(LegacyStoreError) in
            try LegacyFile.open(url, mayBeEmpty: mayBeEmpty).unsealed(with: key)
        })
    }
}

@_spi(PushBridgeTools) extension LegacyFile {
    /// Opens a store like ``open(_:)``, and reads the items of further services as well.
    ///
    /// - Parameters:
    ///   - url: The file.
    ///   - services: Further services whose items are read like items of the SDKs.
    /// - Returns: The store.
    /// - Throws: The same errors as ``open(_:)``.
    public static func open(_ url: URL, services: [String]) throws(LegacyStoreError) -> any LegacySource {
        try openReading(services: services) { () throws(LegacyStoreError) in try open(url) }
    }

    /// Opens a store like ``open(_:)``, and also opens a store from which all records were removed.
    ///
    /// Such a store is an empty file, or a keychain or a JSON lines file without records of the SDKs.
    ///
    /// - Parameters:
    ///   - url: The file.
    ///   - key: The key that opens sealed items; if there is no key, sealed items are *undecryptable*.
    ///   - module: The module of the archived classes; `nil` for the legacy SDK's module.
    ///   - services: Further services whose items are read like items of the SDKs.
    /// - Returns: The store.
    /// - Throws: The same errors as ``open(_:)`` for other files.
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
