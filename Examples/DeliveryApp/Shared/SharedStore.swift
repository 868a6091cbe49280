import Foundation
import PushBridgeNotifications

/// The store that the app and its extension share.
nonisolated enum SharedStore {
    /// The app group, for which both targets have an entitlement.
    static let group = "group.com.example.delivery"
    /// The keychain access group without the team's identifier; both targets have an entitlement for the group.
    static let keychainGroup = "com.example.delivery.shared"

    /// Opens the store.
    ///
    /// The app creates the store if it does not exist, and the extension opens only an existing store.
    static func open(_ mode: SQLiteStoreMode) throws -> SQLiteCredentialStore {
        guard let folder = FileManager.default.containerURL(forSecurityApplicationGroupIdentifier: group)
        else {
            throw CocoaError(.fileNoSuchFile)
        }
        let path = folder.appendingPathComponent("credentials.db").path
        let key = KeychainSealingKey(service: "DeliveryApp", accessGroup: accessGroup)
        return try SQLiteCredentialStore(path: path, key: key, mode: mode)
    }

    /// The keychain access group, including the team's identifier.
    ///
    /// The build writes this identifier into the Info.plist of both targets.
    private static var accessGroup: String {
        let prefix = Bundle.main.object(forInfoDictionaryKey: "AppIdentifierPrefix") as? String
        return (prefix ?? "") + keychainGroup
    }
}
