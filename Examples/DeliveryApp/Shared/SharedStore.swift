import Foundation
import PushBridgeNotifications

/// The store that the app and its extension share.
nonisolated enum SharedStore {
    /// The app group; both targets have its entitlement.
    static let group = "group.com.example.delivery"
    /// The keychain group; both targets have its entitlement.
    ///
    /// On a device, its name begins with the team's identifier.
    static let keychainGroup = "com.example.delivery.shared"

    /// Opens the store; the app creates it, and the extension opens only an existing store.
    static func open(_ mode: SQLiteStoreMode) throws -> SQLiteCredentialStore {
        guard let folder = FileManager.default.containerURL(forSecurityApplicationGroupIdentifier: group)
        else {
            throw CocoaError(.fileNoSuchFile)
        }
        let path = folder.appendingPathComponent("credentials.db").path
        let key = KeychainSealingKey(service: "DeliveryApp", accessGroup: accessGroup)
        return try SQLiteCredentialStore(path: path, key: key, mode: mode)
    }

    /// The keychain group with the team's identifier, which the build writes into the Info.plist of both targets.
    private static var accessGroup: String {
        let prefix = Bundle.main.object(forInfoDictionaryKey: "AppIdentifierPrefix") as? String
        return (prefix ?? "") + keychainGroup
    }
}
