public import CredentialMigration
public import Foundation
public import PingCommons
public import PingLogger
public import PingOath
public import PingPush

/// The settings of an ``AuthMigration``.
///
/// The conformance to `Sendable` is unchecked: an app must not change the settings after the migration has started.
public final class AuthMigrationConfig: @unchecked Sendable {
    /// The access group of the legacy items; `nil` means all access groups of the app.
    ///
    /// If ``source`` is set, the access group has no effect.
    public var accessGroup: String?
    /// Receives the result of the migration, and warnings; `nil` means no log.
    ///
    /// If the migration had to leave records in the legacy store, the logged error contains a line for each of them.
    public var logger: (any PingLogger.Logger)?
    /// Whether imported and proven records are removed from the legacy store; `true` by default.
    ///
    /// Records that are not proven are never removed.
    public var cleanupLegacyData = true
    /// The storage for one-time-password credentials.
    ///
    /// If neither this storage nor ``pushStorage`` is set, records are stored in ``destination``. By default,
    /// ``destination`` consists of the SDK's keychain items. If only one of the storages is set, the SDK's keychain
    /// storage is used in place of the other.
    ///
    /// An app's own storage receives only the data that the SDK's storage protocols support. All other data
    /// stays in the source.
    public var oathStorage: (any OathStorage)?
    /// The storage for push credentials, notifications and the device token, with the same rules as ``oathStorage``.
    public var pushStorage: (any PushStorage)?

    /// The source of legacy records; `nil` means the legacy SDK's items in this device's keychain.
    public var source: MigrationSource?
    /// The destination of the records if the app has set no storages.
    ///
    /// By default, the destination consists of the SDK's keychain items.
    ///
    /// Set a different destination to use different services or a different access group.
    public var destination = MigrationDestination.successorKeychain()
    /// A new file to which a copy of all legacy items is written before items are removed.
    ///
    /// The copy may contain unencrypted secrets.
    ///
    /// If the value is `nil`, the copy is in the temporary folder and exists only while items are removed.
    public var backup: URL?
    /// The roll-out; `nil` means no roll-out.
    ///
    /// A roll-out queries the app's gate before records are stored and before records are removed. It also
    /// counts attempts and delivers events.
    ///
    /// If the roll-out blocks a step, the run ends with ``MigrationHeldBack``, and this step changes no records.
    public var rollout: MigrationRollout?

    /// Creates settings with the defaults of the SDK's migrator.
    public init() {}

    /// The legacy store; `nil` if the app has set no source and the platform has no keychain.
    var legacySource: MigrationSource? {
        #if canImport(Security)
        source ?? .keychain(accessGroup: accessGroup)
        #else
        source
        #endif
    }

    /// The app's own storages; `nil` if the app has set none.
    ///
    /// If the app has set only one, the SDK's keychain storage is used in place of the other.
    var storages: AppStorages? {
        guard oathStorage != nil || pushStorage != nil else { return nil }
        return AppStorages(
            oath: oathStorage ?? OathKeychainStorage(),
            push: pushStorage ?? PushKeychainStorage()
        )
    }
}

extension MigrationStep {
    /// The step that reads the legacy store.
    public static let importLegacyData = MigrationStep(
        id: "importLegacyData",
        description: "Import legacy data"
    )
    /// The step that stores the records, reads them back and proves them.
    public static let migrateCredentials = MigrationStep(
        id: "migrateCredentials",
        description: "Migrate credentials"
    )
    /// The step that removes proven records from the legacy store.
    public static let cleanup = MigrationStep(id: "cleanup", description: "Cleanup legacy data")
}
