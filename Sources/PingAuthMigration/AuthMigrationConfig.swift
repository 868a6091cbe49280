public import CredentialMigration
public import Foundation
public import PingCommons
public import PingLogger
public import PingOath
public import PingPush

/// The settings of an ``AuthMigration``; they are set before the migration starts.
public final class AuthMigrationConfig: @unchecked Sendable {
    /// The access group of the legacy items; `nil` means the app's own access group.
    public var accessGroup: String?
    /// Receives a line for each step and each record that stays; `nil` means no log.
    public var logger: (any PingLogger.Logger)?
    /// Whether imported and proven records are removed from the legacy keychain; `true` by default.
    ///
    /// Other records are never removed.
    public var cleanupLegacyData = true
    /// The storage for one-time-password credentials.
    ///
    /// If this storage and ``pushStorage`` are `nil`, records are stored in ``destination``. By default, that
    /// is the SDK's keychain items.
    ///
    /// An app's own storage receives only data that the SDK's storages support; all other data stays in the
    /// source.
    public var oathStorage: (any OathStorage)?
    /// The storage for push credentials, notifications and the device token; see ``oathStorage``.
    public var pushStorage: (any PushStorage)?

    /// The source of legacy records; `nil` means the legacy SDK's items in this device's keychain.
    public var source: MigrationSource?
    /// The destination of the records if the app sets no storages; by default, it is the SDK's keychain
    /// items.
    ///
    /// Set another destination to use other services or another access group.
    public var destination = MigrationDestination.successorKeychain()
    /// A new file for a copy of all legacy items, with unencrypted secrets; the copy is written before items
    /// are removed.
    ///
    /// If the value is `nil`, the copy is in the temporary folder, and exists only while items are removed.
    public var backup: URL?
    /// The roll-out; `nil` means no roll-out.
    ///
    /// A roll-out queries the app's gate before records are stored and before records are removed. It also
    /// counts attempts and delivers events.
    ///
    /// A run that the roll-out blocks ends with ``MigrationHeldBack``, and changes no records.
    public var rollout: MigrationRollout?

    /// The SDK's settings.
    public init() {}

    /// The legacy store; `nil` on platforms without a keychain.
    var legacySource: MigrationSource? {
        #if canImport(Security)
        source ?? .keychain(accessGroup: accessGroup)
        #else
        source
        #endif
    }

    /// The app's own storages; `nil` if the app set no storage.
    ///
    /// If the app set only one of the two storages, the SDK's storage takes the place of the other storage.
    var storages: AppStorages? {
        guard oathStorage != nil || pushStorage != nil else { return nil }
        return AppStorages(
            oath: oathStorage ?? OathKeychainStorage(),
            push: pushStorage ?? PushKeychainStorage()
        )
    }
}

extension MigrationStep {
    /// The legacy store is read.
    public static let importLegacyData = MigrationStep(
        id: "importLegacyData",
        description: "Import legacy data"
    )
    /// Credentials are stored, read back and proven.
    public static let migrateCredentials = MigrationStep(
        id: "migrateCredentials",
        description: "Migrate credentials"
    )
    /// Removes proven records from the legacy store.
    public static let cleanup = MigrationStep(id: "cleanup", description: "Cleanup legacy data")
}
