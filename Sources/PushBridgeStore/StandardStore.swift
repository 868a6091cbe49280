public import Foundation
public import PushBridgeCore
import PushBridgeFiles
import PushBridgePlatform

/// The store that all APIs of an app work on unless told otherwise, so that each sees what the others do.
public enum StandardStore {
    /// A keychain, the system's or another one; here, because other modules have types of that name as well.
    public typealias Keychain = PushBridgeStore.Keychain
    /// A named piece of data in a keychain; here for the same reason, as are the next.
    public typealias KeychainItem = PushBridgeStore.KeychainItem
    /// Why a keychain did not do what it was asked for.
    public typealias KeychainError = PushBridgeStore.KeychainError
    /// The names of the services that a store's items have in a keychain.
    public typealias KeychainServices = PushBridgeStore.KeychainServices

    /// The folder for files of the default stores; `nil` is `PingPush` in the user's application support folder.
    ///
    /// For tests of an app, which then touch nothing of the user's. Set it before a store is opened: what is open stays
    /// where it is. The keychain of Apple platforms is not a file and is not moved.
    public static var folder: URL? {
        get { namedFolder.withValue { $0 } }
        set { namedFolder.withValue { $0 = newValue } }
    }

    private static let namedFolder = Lock<URL?>(nil)

    /// Opens the store: the keychain on Apple platforms, ``SQLiteCredentialStore/standard()`` elsewhere.
    ///
    /// By default its items are readable after the first unlock, so that a push is stored on a locked phone, and travel
    /// with an encrypted backup to a new one, as the legacy SDK's do.
    /// - Parameter accessibility: When new items of the keychain can be read; existing ones keep theirs.
    /// - Returns: The store, of which nothing is read yet in the keychain.
    /// - Throws: ``StoreError`` if a file cannot be opened.
    public static func open(
        accessibility: KeychainAccessibility = .afterFirstUnlock
    ) throws(StoreError) -> any CredentialStore {
        #if canImport(Security)
        return KeychainCredentialStore(keychain: SystemKeychain(), accessibility: accessibility)
        #else
        return try SQLiteCredentialStore.standard()
        #endif
    }

    /// The keychain of the system; where there is none, one in memory that lasts as long as the process.
    package static let keychain: any Keychain = {
        #if canImport(Security)
        SystemKeychain()
        #else
        InMemoryKeychain()
        #endif
    }()

    /// The keychain of the system, whose owner is asked before new items of some services are read; where there is none,
    /// the one in memory, which asks nobody.
    package static func keychain(asking presence: OwnerPresence?, services: Set<String>) -> any Keychain {
        #if canImport(Security)
        return presence.map { SystemKeychain(asking: $0, services: services) } ?? keychain
        #else
        return keychain
        #endif
    }
}

extension SQLiteCredentialStore {
    /// Opens or makes the file `push.sqlite` in ``StandardStore/folder``.
    ///
    /// Its key is in the keychain, or, where there is none, in the file `push.key` beside it.
    ///
    /// - Returns: The store, opened.
    /// - Throws: ``StoreError`` if the file or its key can be neither opened nor made.
    public static func standard() throws(StoreError) -> SQLiteCredentialStore {
        let folder = try standardFolder()
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

    private static func standardFolder() throws(StoreError) -> URL {
        do {
            let folder = try StandardStore.folder ?? supportFolder().appendingPathComponent("PingPush")
            try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
            // What SQLite makes beside the database gets the folder's protection.
            try FileCare.apply(to: folder.path, .included)
            return folder
        } catch {
            throw StoreError(.notWritable, reason: "The folder for the storage cannot be made.")
        }
    }

    private static func supportFolder() throws -> URL {
        try FileManager.default.url(
            for: .applicationSupportDirectory,
            in: .userDomainMask,
            appropriateFor: nil,
            create: true
        )
    }
}
