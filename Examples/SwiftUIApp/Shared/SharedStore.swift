import Foundation
import PushBridgeNotifications

/// The store that the app and its extension share from step 2 on.
nonisolated enum SharedStore {
    /// The app group, for which both targets have an entitlement.
    static let group = "group.com.example.swiftui"
    /// The keychain access group without the team's identifier; both targets have an entitlement for the group.
    static let keychainGroup = "com.example.swiftui.shared"

    /// Opens the store.
    ///
    /// The app creates the store if it does not exist, and the extension opens only an existing store.
    static func open(_ mode: SQLiteStoreMode) throws -> SQLiteCredentialStore {
        let key = KeychainSealingKey(service: "SwiftUIApp", accessGroup: accessGroup)
        return try SQLiteCredentialStore(path: file("credentials.db").path, key: key, mode: mode)
    }

    /// Whether the accounts of the legacy SDK have been migrated into this store.
    static var isMigrated: Bool {
        get throws { try FileManager.default.fileExists(atPath: file("migrated").path) }
    }

    /// Sets `isMigrated` to `true`.
    static func noteMigration() throws { try Data().write(to: file("migrated")) }

    private static func file(_ name: String) throws -> URL {
        guard let folder = FileManager.default.containerURL(forSecurityApplicationGroupIdentifier: group)
        else {
            throw CocoaError(.fileNoSuchFile)
        }
        return folder.appendingPathComponent(name)
    }

    /// The keychain access group, including the team's identifier.
    ///
    /// The build writes this identifier into the Info.plist of both targets.
    private static var accessGroup: String {
        let prefix = Bundle.main.object(forInfoDictionaryKey: "AppIdentifierPrefix") as? String
        return (prefix ?? "") + keychainGroup
    }
}
