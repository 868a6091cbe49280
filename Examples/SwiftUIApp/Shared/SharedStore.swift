import Foundation
import PushBridgeNotifications

/// The store that the app and its extension share since step 2.
nonisolated enum SharedStore {
    /// The app group; both targets have its entitlement.
    static let group = "group.com.example.swiftui"
    /// The keychain group; both targets have its entitlement.
    ///
    /// On a device, its name begins with the team's identifier.
    static let keychainGroup = "com.example.swiftui.shared"

    /// Opens the store; the app creates it, and the extension opens only an existing store.
    static func open(_ mode: SQLiteStoreMode) throws -> SQLiteCredentialStore {
        let key = KeychainSealingKey(service: "SwiftUIApp", accessGroup: accessGroup)
        return try SQLiteCredentialStore(path: file("credentials.db").path, key: key, mode: mode)
    }

    /// Whether the accounts of the legacy SDK have moved.
    static var isMigrated: Bool {
        get throws { try FileManager.default.fileExists(atPath: file("migrated").path) }
    }

    /// Stores that the accounts of the legacy SDK have moved.
    static func noteMigration() throws { try Data().write(to: file("migrated")) }

    private static func file(_ name: String) throws -> URL {
        guard let folder = FileManager.default.containerURL(forSecurityApplicationGroupIdentifier: group)
        else {
            throw CocoaError(.fileNoSuchFile)
        }
        return folder.appendingPathComponent(name)
    }

    /// The keychain group with the team's identifier, which the build writes into the Info.plist of both targets.
    private static var accessGroup: String {
        let prefix = Bundle.main.object(forInfoDictionaryKey: "AppIdentifierPrefix") as? String
        return (prefix ?? "") + keychainGroup
    }
}
