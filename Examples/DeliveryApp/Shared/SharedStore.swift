import Foundation
import PushBridgeNotifications

/// The store that the app and its extension share.
nonisolated enum SharedStore {
    /// The app group, which both targets are entitled to.
    static let group = "group.com.example.delivery"
    /// The keychain group, which both are entitled to as well.
    ///
    /// On a device it begins with the team's identifier.
    static let keychainGroup = "com.example.delivery.shared"

    /// Opens the store: the app makes it, the extension opens what is there.
    static func open(_ mode: SQLiteStoreMode) throws -> SQLiteCredentialStore {
        guard let folder = FileManager.default.containerURL(forSecurityApplicationGroupIdentifier: group)
        else {
            throw CocoaError(.fileNoSuchFile)
        }
        let path = folder.appendingPathComponent("credentials.db").path
        let key = KeychainSealingKey(service: "DeliveryApp", accessGroup: accessGroup)
        return try SQLiteCredentialStore(path: path, key: key, mode: mode)
    }

    /// The group with the team's identifier, which the build puts into the Info.plist of both targets.
    private static var accessGroup: String {
        let prefix = Bundle.main.object(forInfoDictionaryKey: "AppIdentifierPrefix") as? String
        return (prefix ?? "") + keychainGroup
    }
}
