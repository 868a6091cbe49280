import AuthenticatorCore
import Foundation

extension SQLiteCredentialStore {
    /// Opens or makes the file `PingPush/push.sqlite` in the user's application support folder, where both APIs
    /// keep credentials unless told otherwise.
    ///
    /// Its key is in the keychain, or, where there is none, in the file `push.key` beside it.
    package static func standard() throws -> SQLiteCredentialStore {
        let folder = try FileManager.default.url(
            for: .applicationSupportDirectory,
            in: .userDomainMask,
            appropriateFor: nil,
            create: true
        ).appendingPathComponent("PingPush")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        let path = folder.appendingPathComponent("push.sqlite").path
        #if canImport(Security)
        return try SQLiteCredentialStore(
            path: path,
            key: KeychainSealingKey(service: "PingPush"),
            mode: .create
        )
        #else
        let key = KeyFile(path: folder.appendingPathComponent("push.key").path)
        return try SQLiteCredentialStore(path: path, key: key, mode: .create)
        #endif
    }
}
