import Foundation
import GRDB
import PushBridgeCore
import PushBridgeStore
import PushBridgeTestSupport

/// A folder with a store and its key file, and functions that tamper with these files.
struct StoreFiles {
    let folder: TemporaryFolder
    let path: String
    let key: KeyFile

    init() throws {
        folder = try TemporaryFolder()
        path = folder.path("store.sqlite")
        key = KeyFile(path: path + ".key")
    }

    /// Creates a folder with a closed store that contains samples of credentials, a notification, a token and outcomes.
    static func filled() throws -> StoreFiles {
        let files = try StoreFiles()
        let store = try files.open(.create)
        try store.write { view in
            try view.save(PushCredential.sample().filled())
            try view.save(OathCredential.sample().filled())
            try view.save(PushNotification.sample().filled())
            try view.save(PushDeviceToken(tokenId: "00ff", createdAt: .distantPast))
            try view.record(.sample("push"))
            try view.record(.sample("kept", .kept, verbatim: .sample()))
        }
        try store.close()
        return files
    }

    func open(_ mode: SQLiteStoreMode = .open) throws(StoreError) -> SQLiteCredentialStore {
        try SQLiteCredentialStore(path: path, key: key, mode: mode)
    }

    /// Changes the database without using the store.
    func tamper(_ sql: String) throws {
        let queue = try DatabaseQueue(path: path)
        try queue.writeWithoutTransaction { try $0.execute(sql: sql) }
        try queue.close()
    }
}

/// Returns the code of the store error that `body` throws; `nil` if `body` throws no error.
func storeErrorCode(_ body: () throws -> Void) throws -> StoreError.Code? {
    do {
        try body()
        return nil
    } catch let error as StoreError {
        return error.code
    }
}
