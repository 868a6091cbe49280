import Foundation
import PushBridgeCore
import PushBridgeStore

/// A credential store on disk and the key that opens it.
struct Destination {
    private let path: String
    private let key: KeyFile

    init(path: String, keyFile: String?) {
        self.path = path
        key = KeyFile(path: keyFile ?? "\(path).key")
    }

    /// Opens the store for reading; it must exist.
    func open() throws -> any CredentialStore {
        try SQLiteCredentialStore(path: path, key: key, mode: .readOnly)
    }

    /// Opens the store, or answers `nil` if there is nothing at its place.
    func openIfPresent(writable: Bool = false) throws -> (any CredentialStore)? {
        do throws(StoreError) {
            return try SQLiteCredentialStore(path: path, key: key, mode: writable ? .open : .readOnly)
        } catch {
            guard error.code == .missing else { throw error }
            return nil
        }
    }

    /// Makes the store, and its key if there is none.
    func create() throws -> any CredentialStore {
        guard
            URL(fileURLWithPath: path).standardizedFileURL
                != URL(fileURLWithPath: key.path).standardizedFileURL
        else { throw CommandFailure(status: .usage, sentence: "The database and its key need a file each.") }
        return try SQLiteCredentialStore(path: path, key: key, mode: .create)
    }
}
