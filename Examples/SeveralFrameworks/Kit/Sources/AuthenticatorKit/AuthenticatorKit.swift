// The app's other targets import this module; they link no product of PushBridge themselves.
@_exported import FRAuthenticator
@_exported import FRCore
public import Foundation
@_exported import PushBridgeNotifications

/// The store that the app and its extension share.
public enum SharedStore {
    /// Opens the store in a folder.
    ///
    /// A real app uses the folder of its app group, and a `KeychainSealingKey` instead of a `KeyFile`.
    public static func open(in folder: URL, _ mode: SQLiteStoreMode) throws -> SQLiteCredentialStore {
        let key = KeyFile(path: folder.appendingPathComponent("key").path)
        let path = folder.appendingPathComponent("credentials.db").path
        return try SQLiteCredentialStore(path: path, key: key, mode: mode)
    }
}
