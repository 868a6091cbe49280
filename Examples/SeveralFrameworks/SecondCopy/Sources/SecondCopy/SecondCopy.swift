import FRAuthenticator
public import Foundation
import PushBridgeNotifications

/// The copy of PushBridge in this framework.
public enum SecondCopy {
    /// Starts the client of this copy of PushBridge, with a store in a folder.
    public static func start(in folder: URL) throws {
        let path = folder.appendingPathComponent("second.db").path
        let key = KeyFile(path: folder.appendingPathComponent("second.key").path)
        try FRAClient.setCredentialStore(SQLiteCredentialStore(path: path, key: key, mode: .create))
        FRAClient.start()
    }

    /// The client of this copy of PushBridge.
    public static var client: AnyObject? { FRAClient.shared }
}
