import Foundation
import PingPush

/// Opens the same store in an app and in its notification extension.
enum AppGroup {
    // guide: begin
    static func open(
        in container: URL,
        accessGroup: String,
        keychain: any StandardStore.Keychain
    ) throws -> SQLiteCredentialStore {
        let key = KeychainSealingKey(service: "Example", accessGroup: accessGroup, keychain: keychain)
        let path = container.appendingPathComponent("credentials.db").path
        return try SQLiteCredentialStore(path: path, key: key, mode: .create)
    }
    // guide: end

    // guide: begin
    /// In the extension: stores the push, and returns the text to show.
    static func text(
        of userInfo: [AnyHashable: Any],
        open: () throws -> SQLiteCredentialStore
    ) async throws -> String {
        do {
            let store = try open()
            let client = try await PushClient.createClient { $0.storage = CredentialStoreStorage(store) }
            return try await client.processNotification(userInfo: userInfo)?.messageText ?? "Log in?"
        } catch let error as StoreError where error.code == .locked {
            return "Unlock your phone to log in."
        }
    }
    // guide: end
}
