import FRCore
import Foundation
public import PushBridgeCore
import PushBridgePlatform

extension FRAClient {
    /// The configuration of this process's client, and the client itself after its creation.
    struct Setup {
        var configuration = Authenticator.Configuration.standard
        var authenticator: Authenticator?
        var client: FRAClient?
    }

    static let setup = Lock(Setup())

    /// Creates ``shared``.
    ///
    /// If the app has set no storage, `shared` works on the legacy SDK's own keychain items until they are
    /// migrated; see ``migration``. With the mode ``FRAMigration/Mode/atOnce``, this method first imports these
    /// items and blocks the calling thread during the import. Locked items are imported later. Make the first call
    /// on the main thread, because the platform provides the device's name only on that thread.
    ///
    /// ```swift
    /// FRAClient.start()
    /// let accounts = FRAClient.shared?.getAllAccounts() ?? []
    /// ```
    public static func start() {
        let authenticator = sharedAuthenticator
        if let sentence = PackageCopy.this.register() { Log.alert(sentence) }
        // The device's name is read here because it is available only on the main thread. An app starts on
        // the main thread, but its requests may start on other threads.
        _ = authenticator.configuration.deviceName()
        authenticator.configuration.migration?.runIfDue(on: authenticator)
        setup.withValue { setup in
            if setup.client == nil { setup.client = FRAClient(authenticator) }
        }
    }

    /// The settings and results of the migration of the legacy SDK's records.
    public static var migration: FRAMigration { .shared }

    /// Stores all records in the app's own storage.
    ///
    /// Call this method before ``start()``.
    ///
    /// If the server accepted an enrolment but the storage fails to save it, the keychain keeps the
    /// enrolment. A later process moves the enrolment into the same storage, which it recognises by the storage's
    /// push credentials. If the storage had no push credentials, the process moves the enrolment into the next
    /// storage that the app sets and that has none either.
    /// - Parameter storage: The app's storage. Its methods are called on any thread.
    /// - Throws: ``FRAError/invalidStateForChangingStorage`` if the client has already started.
    public static func setStorage(storage: any StorageClient) throws {
        let store = StorageClientStore(storage)
        try configure(or: .invalidStateForChangingStorage) { configuration in
            configuration.store = { store }
            configuration.migration = nil
        }
    }

    /// Uses a store that the app opened, for example to share the store with `PingPush`.
    ///
    /// Call this method before ``start()``.
    /// - Parameter store: The store.
    /// - Throws: ``FRAError/invalidStateForChangingStorage`` if the client has already started.
    public static func setCredentialStore(_ store: any CredentialStore) throws {
        try configure(or: .invalidStateForChangingStorage) { configuration in
            configuration.store = { store }
            // An earlier call to `setStorage(storage:)` may have removed the migration, so it is added again.
            configuration.migration = configuration.migration ?? .shared
        }
        migration.recordOwnStore()
    }

    /// Sets the evaluator that checks the policies of accounts.
    ///
    /// Call this method before ``start()``.
    /// - Parameter policyEvaluator: The evaluator.
    /// - Throws: ``FRAError/invalidStateForChangingPolicyEvaluator`` if the client has already started.
    public static func setPolicyEvaluator(policyEvaluator: FRAPolicyEvaluator) throws {
        try configure(or: .invalidStateForChangingPolicyEvaluator) { $0.policyEvaluator = policyEvaluator }
    }

    /// The authenticator of the process; the first access creates it from the configuration.
    static var sharedAuthenticator: Authenticator {
        setup.withValue { setup in
            if let authenticator = setup.authenticator { return authenticator }
            let authenticator = Authenticator(setup.configuration)
            setup.authenticator = authenticator
            return authenticator
        }
    }

    /// Removes the client and its configuration, so that a test begins like a new process.
    package static func reset(_ configuration: Authenticator.Configuration = .standard) {
        FRAMigration.shared.reset()
        setup.withValue { $0 = Setup(configuration: configuration) }
    }

    private static func configure(
        or error: FRAError,
        _ change: (inout Authenticator.Configuration) -> Void
    ) throws {
        try setup.withValue { setup in
            guard setup.client == nil else { throw error }
            change(&setup.configuration)
            setup.authenticator = nil
        }
    }
}

extension Authenticator.Configuration {
    /// The configuration of the process's client if the app has not changed the configuration.
    package static var standard: Authenticator.Configuration {
        var configuration = Authenticator.Configuration()
        configuration.migration = .shared
        return configuration
    }
}
