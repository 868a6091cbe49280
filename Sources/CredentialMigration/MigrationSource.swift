public import LegacyStore
public import PushBridgeStore

/// Where legacy records come from; opened when a migration first needs it.
public struct MigrationSource: Sendable {
    private let open: @Sendable (_ mayBeEmpty: Bool) throws(LegacyStoreError) -> any LegacySource
    /// The legacy SDK's keychain items, if they are the source: an app can also work on them where they are.
    package private(set) var legacyKeychain: LegacyKeychain?

    /// Creates a source from a function that opens it.
    /// - Parameter open: Opens the source; called once for each step that needs it, on the thread of that step.
    public init(_ open: @escaping @Sendable () throws(LegacyStoreError) -> any LegacySource) {
        self.open = { (_) throws(LegacyStoreError) in try open() }
    }

    /// Creates a source from a function that opens it, with `mayBeEmpty` also where all records were removed from it.
    package init(
        opening open: @escaping @Sendable (_ mayBeEmpty: Bool) throws(LegacyStoreError) -> any LegacySource
    ) {
        self.open = open
    }

    /// Opens the legacy store.
    package func opened() throws(LegacyStoreError) -> any LegacySource { try open(false) }

    /// Opens the legacy store; a file may be one that all records were removed from.
    func openedEvenIfEmpty() throws(LegacyStoreError) -> any LegacySource { try open(true) }

    /// The legacy SDK's items in a keychain.
    ///
    /// A keychain that is locked as a whole ends the step with a `LegacyStoreError` of the code `locked`: later, not
    /// never.
    /// - Parameters:
    ///   - keychain: The keychain.
    ///   - accessGroup: The group of apps that share the items; `nil` is the app's own.
    ///   - key: Opens sealed items; without it they are *undecryptable*.
    /// - Returns: The source.
    public static func keychain(
        _ keychain: any Keychain,
        accessGroup: String? = nil,
        key: (any LegacyItemKey)? = nil
    ) -> MigrationSource {
        var source = MigrationSource { () throws(LegacyStoreError) in
            // Services with names that an app chose may hold records of the successor SDK.
            PairingSource(KeychainLegacySource(keychain, accessGroup: accessGroup)).unsealed(with: key)
        }
        source.legacyKeychain = LegacyKeychain(keychain, accessGroup: accessGroup, key: key)
        return source
    }

    /// Items of the legacy SDK's form in a keychain, under services with other names.
    ///
    /// They are migrated, and never worked on in place.
    /// - Parameters:
    ///   - keychain: The keychain.
    ///   - services: The beginning of the services' names, for example `LegacyService.flutterPrefix` for the vendor's
    ///     Flutter plug-in: `.account`, `.mechanism`, `.notification` and `.pushDeviceToken` follow it.
    ///   - accessGroup: The group of apps that share the items; `nil` is the app's own.
    ///   - key: Opens sealed items; without it they are *undecryptable*.
    /// - Returns: The source; nothing is read yet.
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

    /// The successor SDK's items in a keychain, push and one-time-password credentials alike.
    ///
    /// Push secrets that were copied there without recoding are repaired. Migrated from the legacy store as well,
    /// before or after, a credential has the addresses of the legacy one, which are complete.
    /// - Parameters:
    ///   - keychain: The keychain.
    ///   - accessGroup: The group of apps that share the items; `nil` is the app's own.
    ///   - services: The services of the items, where the app gave the SDK's storages other ones.
    /// - Returns: The source; nothing is read yet.
    public static func newSDKKeychain(
        _ keychain: any Keychain,
        accessGroup: String? = nil,
        services: KeychainServices = KeychainServices()
    ) -> MigrationSource {
        let halves = KeychainLegacySource(keychain, accessGroup: accessGroup, contents: .services(services))
        return .store(PairingSource(halves, services: services))
    }

    /// An app's own legacy storage, through an adapter.
    /// - Parameter storage: The adapter.
    /// - Returns: The source.
    package static func storage(_ storage: any LegacyRecordStorage) -> MigrationSource {
        .store(LegacyStorageSource(storage))
    }

    /// The source, with archives of another module than the legacy SDK's: an app that was built with a renamed copy of the
    /// SDK wrote its own module's name into them.
    ///
    /// Without it, such records are *unsupported*, and the reason names their class. They are migrated, and never worked on
    /// in place.
    /// - Parameter module: The module's name, for example `BankAuthenticator`; `nil` is the legacy SDK's.
    /// - Returns: The source.
    public func archives(ofModule module: String?) -> MigrationSource {
        guard let module else { return self }
        let open = open
        return MigrationSource(opening: { mayBeEmpty throws(LegacyStoreError) in
            try open(mayBeEmpty).archives(ofModule: module)
        })
    }

    /// Returns the source with items of further services: an app chose other names for the services of either SDK.
    ///
    /// The kind of such an item is read from its archive or its JSON; a sealed one counts as a mechanism. The items are migrated, and
    /// never worked on in place.
    /// - Parameter names: The names of the services.
    /// - Returns: The source.
    public func items(ofServices names: [String]) -> MigrationSource {
        guard !names.isEmpty else { return self }
        let open = open
        return MigrationSource(opening: { mayBeEmpty throws(LegacyStoreError) in
            try openReading(services: names) { () throws(LegacyStoreError) in try open(mayBeEmpty) }
        })
    }

    /// A legacy store that is already open.
    /// - Parameter source: The legacy store.
    /// - Returns: The source.
    public static func store(_ source: any LegacySource) -> MigrationSource {
        MigrationSource { () throws(LegacyStoreError) in source }
    }
}

#if canImport(Security)
extension MigrationSource {
    /// The legacy SDK's items in this device's keychain, the sealed ones opened with the key in its Secure Enclave.
    public static var keychain: MigrationSource { .keychain(accessGroup: nil) }

    /// The legacy SDK's items in this device's keychain, the sealed ones opened with the key in its Secure Enclave.
    /// - Parameter accessGroup: The group of apps that share the items; `nil` is the app's own.
    /// - Returns: The source; nothing is read yet.
    public static func keychain(accessGroup: String?) -> MigrationSource {
        .keychain(SystemKeychain(), accessGroup: accessGroup, key: SecureEnclaveItemKey())
    }

    /// The items of the successor SDK in this device's keychain.
    public static var newSDKKeychain: MigrationSource { .newSDKKeychain(SystemKeychain()) }
}
#endif

extension LegacySource {
    /// This store, its archives read as of another module if one is named.
    package func archives(ofModule module: String?) -> any LegacySource {
        guard let module else { return self }
        return RenamedModuleSource(self, module: module)
    }

    /// This store, its sealed items opened if there is a key.
    package func unsealed(with key: (any LegacyItemKey)?) -> any LegacySource {
        guard let key else { return self }
        return UnsealingSource(self, key: key)
    }
}
