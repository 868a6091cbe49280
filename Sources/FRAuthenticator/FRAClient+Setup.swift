import FRCore
import Foundation
public import PushBridgeCore
import PushBridgePlatform

extension FRAClient {
    /// The configuration of this process's client, and the client itself once it is created.
    struct Setup {
        var configuration = Authenticator.Configuration.standard
        var authenticator: Authenticator?
        var client: FRAClient?
    }

    static let setup = Lock(Setup())

    /// Creates ``shared``, which works on the legacy SDK's own keychain items unless ``migration`` sets another mode.
    ///
    /// With ``FRAMigration/Mode/atOnce`` it imports them first, and blocks the calling thread during the import; a
    /// later call imports items that were locked. Make the first call on the main thread, because the platform provides
    /// the device's name only there.
    ///
    /// ```swift
    /// FRAClient.start()
    /// let accounts = FRAClient.shared?.getAllAccounts() ?? []
    /// ```
    public static func start() {
        let authenticator = sharedAuthenticator
        if let sentence = PackageCopy.this.register() { Log.alert(sentence) }
        // The device's name is available only on the main thread, on which an app starts; requests may start on other
        // threads.
        _ = authenticator.configuration.deviceName()
        authenticator.configuration.migration?.runIfDue(on: authenticator)
        setup.withValue { setup in
            if setup.client == nil { setup.client = FRAClient(authenticator) }
        }
    }

    /// The settings and results of the migration of the legacy SDK's records.
    public static var migration: FRAMigration { .shared }

    /// Keeps everything in an app's own storage and nothing elsewhere; call it before ``start()``.
    ///
    /// If the server accepted an enrolment but the storage rejects it, the keychain keeps the enrolment. A storage of
    /// the same class receives it later, if it contains one of the earlier push credentials, or if both have none. Two
    /// empty storages of one class cannot be distinguished: use a different class for each.
    /// - Parameter storage: The app's storage; called on any thread.
    /// - Throws: ``FRAError/invalidStateForChangingStorage`` once the client started.
    public static func setStorage(storage: any StorageClient) throws {
        let store = StorageClientStore(storage)
        try configure(or: .invalidStateForChangingStorage) { configuration in
            configuration.store = { store }
            configuration.migration = nil
        }
    }

    /// Uses a store that the app opened, for example to share it with `PingPush`; call it before ``start()``.
    /// - Parameter store: The store.
    /// - Throws: ``FRAError/invalidStateForChangingStorage`` once the client started.
    public static func setCredentialStore(_ store: any CredentialStore) throws {
        try configure(or: .invalidStateForChangingStorage) { $0.store = { store } }
        migration.noteOwnStore()
    }

    /// Sets the evaluator of accounts' policies; call it before ``start()``.
    /// - Parameter policyEvaluator: The evaluator.
    /// - Throws: ``FRAError/invalidStateForChangingPolicyEvaluator`` once the client started.
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

    /// Removes the client and its configuration, as after a start of the process; for tests.
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
    /// The configuration of the process's client unless an app changes it.
    package static var standard: Authenticator.Configuration {
        var configuration = Authenticator.Configuration()
        configuration.migration = .shared
        return configuration
    }
}
