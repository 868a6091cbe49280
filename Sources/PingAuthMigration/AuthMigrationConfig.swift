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
    /// Takes a line for each step and each record that is left; `nil` takes none.
    public var logger: (any PingLogger.Logger)?
    /// Whether records that arrived and were proven are removed from the legacy keychain; `true` unless set.
    ///
    /// Nothing else is ever removed.
    public var cleanupLegacyData = true
    /// Where one-time-password credentials go to; `nil`, here and for pushes, is the SDK's items in the keychain.
    ///
    /// Through an own storage goes what the SDK's storages can hold; the rest stays where it is.
    public var oathStorage: (any OathStorage)?
    /// Where push credentials, notifications and the device token go to; see ``oathStorage``.
    public var pushStorage: (any PushStorage)?

    /// Where legacy records come from; `nil` is the legacy SDK's items in this device's keychain.
    public var source: MigrationSource?
    /// Where records go to if the app names no storages; other services or another group than the SDK's can be given.
    public var destination = MigrationDestination.successorKeychain()
    /// A new file that keeps a copy of all legacy items, secrets in clear, before some are removed.
    ///
    /// With `nil` the copy is in the temporary folder while items are removed, and is removed after that.
    public var backup: URL?
    /// Asks the app before records are stored, and again before some are removed, counts attempts and hands over events;
    /// `nil` asks nobody.
    ///
    /// A run that is held back ends with ``MigrationHeldBack``, and what it did not do is as it was.
    public var rollout: MigrationRollout?

    /// The SDK's settings.
    public init() {}

    /// The legacy store; `nil` where there is no keychain.
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
    /// What was proven is removed from the legacy store.
    public static let cleanup = MigrationStep(id: "cleanup", description: "Cleanup legacy data")
}
