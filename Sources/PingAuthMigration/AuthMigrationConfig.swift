public import CredentialMigration
public import Foundation
public import PingCommons
public import PingLogger
public import PingOath
public import PingPush

/// How ``AuthMigration`` runs; set up in one place before it starts.
public final class AuthMigrationConfig: @unchecked Sendable {
    /// The group of the legacy items; `nil` is the app's own.
    public var accessGroup: String?
    /// Receives a line for each step and each record that stays; `nil` means no log.
    public var logger: (any PingLogger.Logger)?
    /// Whether imported and proven records are removed from the legacy keychain; `true` by default.
    ///
    /// Nothing else is ever removed.
    public var cleanupLegacyData = true
    /// The storage for one-time-password credentials; `nil`, here and for pushes, means the SDK's items in the
    /// keychain.
    ///
    /// An own storage receives only data that the SDK's storages support; the rest stays in the source.
    public var oathStorage: (any OathStorage)?
    /// The storage for push credentials, notifications and the device token; see ``oathStorage``.
    public var pushStorage: (any PushStorage)?

    /// Where legacy records come from; `nil` is the legacy SDK's items in this device's keychain.
    public var source: MigrationSource?
    /// Where records go to if the app names no storages; other services or another group than the SDK's can be given.
    public var destination = MigrationDestination.successorKeychain()
    /// A new file for a copy of all legacy items, with plain-text secrets, which is written before items are removed.
    ///
    /// With `nil` the copy exists in the temporary folder only while items are removed.
    public var backup: URL?
    /// The roll-out, which consults the app before records are stored and before they are removed, counts attempts and
    /// delivers events; `nil` means no roll-out.
    ///
    /// A blocked run ends with ``MigrationHeldBack``, and leaves everything else unchanged.
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

    /// The app's own storages, or for one that it did not name the SDK's; `nil` if it named none.
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
