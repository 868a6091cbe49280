public import LegacyStore
public import PushBridgeStore

/// The store from which a migration reads.
///
/// The store is opened only when a step of the migration needs it.
public struct MigrationSource: Sendable {
    private let open: @Sendable (_ mayBeEmpty: Bool) throws(LegacyStoreError) -> any LegacySource
    /// The legacy SDK's keychain items if they are the source; otherwise `nil`.
    ///
    /// An app can also use these items in place.
    package private(set) var legacyKeychain: LegacyKeychain?

    /// Creates a source from a function that opens it.
    /// - Parameter open: Opens the source; called for each step that needs it, on the thread of that step.
    public init(_ open: @escaping @Sendable () throws(LegacyStoreError) -> any LegacySource) {
        self.open = { (_) throws(LegacyStoreError) in try open() }
    }

    /// Creates a source from a function that opens it.
    ///
    /// If the function's argument `mayBeEmpty` is true, the function also opens a store from which all
    /// records were removed.
    package init(
        opening open: @escaping @Sendable (_ mayBeEmpty: Bool) throws(LegacyStoreError) -> any LegacySource
    ) {
        self.open = open
    }

    /// Opens the legacy store.
    package func opened() throws(LegacyStoreError) -> any LegacySource { try open(false) }

    /// Opens the legacy store, even if it is a file from which all records were removed.
    func openedEvenIfEmpty() throws(LegacyStoreError) -> any LegacySource { try open(true) }

    /// Returns the legacy SDK's items in a keychain as a source.
    ///
    /// If the whole keychain is locked, the step ends with a `LegacyStoreError` with the code `locked` and can be
    /// repeated later.
    /// - Parameters:
    ///   - keychain: The keychain.
    ///   - accessGroup: The access group of the items; `nil` for all access groups of the app.
    ///   - key: The key that opens sealed items; if there is no key, sealed items are *undecryptable*.
    /// - Returns: The source.
    public static func keychain(
        _ keychain: any Keychain,
        accessGroup: String? = nil,
        key: (any LegacyItemKey)? = nil
    ) -> MigrationSource {
        var source = MigrationSource { () throws(LegacyStoreError) in
            // A service whose name an app chose may contain the successor SDK's one-time-password credentials. Each
            // of them has two items, which have to be combined.
            PairingSource(KeychainLegacySource(keychain, accessGroup: accessGroup)).unsealed(with: key)
        }
        source.legacyKeychain = LegacyKeychain(keychain, accessGroup: accessGroup, key: key)
        return source
    }

    /// Returns a source for keychain items that have the legacy SDK's form, but are in services with other
    /// names.
    ///
    /// The items can be migrated, but they cannot be used in place.
    /// - Parameters:
    ///   - keychain: The keychain.
    ///   - services: The prefix of the services' names, for example `LegacyService.flutterPrefix` for the vendor's
    ///     Flutter plug-in. The names continue with `.account`, `.mechanism`, `.notification` and `.pushDeviceToken`.
    ///   - accessGroup: The access group of the items; `nil` for all access groups of the app.
    ///   - key: The key that opens sealed items; if there is no key, sealed items are *undecryptable*.
    /// - Returns: The source, which has not been read yet.
    public static func keychain(
        _ keychain: any Keychain,
        services: String,
        accessGroup: String? = nil,
        key: (any LegacyItemKey)? = nil
    ) -> MigrationSource {
        let contents = KeychainLegacySource.Contents.legacy(prefix: services)
        return .store(
            PairingSource(KeychainLegacySource(keychain, accessGroup: accessGroup, contents: contents))
                .unsealed(with: key)
        )
    }

    /// Returns a source for the successor SDK's items in a keychain.
    ///
    /// The items contain push and one-time-password credentials, notifications and the device token.
    ///
    /// The migration repairs push secrets that were copied into these items as URL-safe or unpadded base64. If a
    /// credential is also migrated from the legacy store (earlier or later), the credential gets the complete addresses
    /// from the legacy store.
    /// - Parameters:
    ///   - keychain: The keychain.
    ///   - accessGroup: The access group of the items; `nil` for all access groups of the app.
    ///   - services: The names of the services, if the app changed the names that the SDK's storages use.
    /// - Returns: The source, which has not been read yet.
    public static func newSDKKeychain(
        _ keychain: any Keychain,
        accessGroup: String? = nil,
        services: KeychainServices = KeychainServices()
    ) -> MigrationSource {
        let halves = KeychainLegacySource(keychain, accessGroup: accessGroup, contents: .services(services))
        return .store(PairingSource(halves, services: services))
    }

    /// Returns a source for an app's own legacy storage.
    /// - Parameter storage: An adapter for the app's storage.
    /// - Returns: The source.
    package static func storage(_ storage: any LegacyRecordStorage) -> MigrationSource {
        .store(LegacyStorageSource(storage))
    }

    /// Returns this source, prepared for archives that name `module` instead of the legacy SDK's module
    /// `FRAuthenticator`.
    ///
    /// An app with a renamed copy of the SDK wrote its own module name into the archives.
    ///
    /// With this name, the records can be migrated, but they cannot be used in place. Without this name, the
    /// records are *unsupported*, and the reason contains the class of the record.
    /// - Parameter module: The module's name, for example `BankAuthenticator`; `nil` for the legacy SDK's
    ///   module.
    /// - Returns: The source.
    public func archives(ofModule module: String?) -> MigrationSource {
        guard let module else { return self }
        let open = open
        return MigrationSource(opening: { mayBeEmpty throws(LegacyStoreError) in
            try open(mayBeEmpty).archives(ofModule: module)
        })
    }

    /// Returns this source, extended by the items of further services.
    ///
    /// Use this method if the app changed the names of an SDK's services. The kind of each item is read from its
    /// archive or its JSON; a sealed item counts as a mechanism. The items can be migrated, but they cannot be used in
    /// place.
    /// - Parameter names: The names of the services.
    /// - Returns: The source.
    public func items(ofServices names: [String]) -> MigrationSource {
        guard !names.isEmpty else { return self }
        let open = open
        return MigrationSource(opening: { mayBeEmpty throws(LegacyStoreError) in
            try openReading(services: names) { () throws(LegacyStoreError) in try open(mayBeEmpty) }
        })
    }

    /// Returns a source for a legacy store that is already open.
    /// - Parameter source: The legacy store.
    /// - Returns: The source.
    public static func store(_ source: any LegacySource) -> MigrationSource {
        MigrationSource { () throws(LegacyStoreError) in source }
    }
}

#if canImport(Security)
extension MigrationSource {
    /// The legacy SDK's items in this device's keychain; the key in the device's Secure Enclave opens sealed
    /// items.
    public static var keychain: MigrationSource { .keychain(accessGroup: nil) }

    /// The legacy SDK's items in this device's keychain; the key in the device's Secure Enclave opens sealed
    /// items.
    /// - Parameter accessGroup: The access group of the items; `nil` for all access groups of the app.
    /// - Returns: The source, which has not been read yet.
    public static func keychain(accessGroup: String?) -> MigrationSource {
        .keychain(SystemKeychain(), accessGroup: accessGroup, key: SecureEnclaveItemKey())
    }

    /// The items of the successor SDK in this device's keychain.
    public static var newSDKKeychain: MigrationSource { .newSDKKeychain(SystemKeychain()) }
}
#endif

extension LegacySource {
    /// Returns this store, prepared to read archives of the classes of a module; `nil` leaves the store unchanged.
    package func archives(ofModule module: String?) -> any LegacySource {
        guard let module else { return self }
        return RenamedModuleSource(self, module: module)
    }

    /// Returns this store, prepared to open sealed items with a key; `nil` leaves the store unchanged.
    package func unsealed(with key: (any LegacyItemKey)?) -> any LegacySource {
        guard let key else { return self }
        return UnsealingSource(self, key: key)
    }
}
