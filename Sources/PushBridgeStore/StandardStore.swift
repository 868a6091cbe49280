public import Foundation
public import PushBridgeCore
import PushBridgeFiles
import PushBridgePlatform

/// The default store, which all APIs of an app use, so that they share their data.
public enum StandardStore {
    /// A keychain: the system's keychain or another one.
    ///
    /// This type is in this namespace because other modules also define a type `Keychain`.
    public typealias Keychain = PushBridgeStore.Keychain
    /// An item of a keychain.
    ///
    /// This type is in this namespace because other modules also define a type of this name.
    public typealias KeychainItem = PushBridgeStore.KeychainItem
    /// An error of a keychain.
    public typealias KeychainError = PushBridgeStore.KeychainError
    /// The names of the keychain services under which a store's items are stored.
    public typealias KeychainServices = PushBridgeStore.KeychainServices

    /// The folder for the files of the default stores: SQLite's files, and the lock file of the keychain.
    ///
    /// If the value is `nil`, SQLite stores are in `PingPush` in the user's application support folder, and the
    /// keychain has no lock file.
    ///
    /// If an app and its extensions share a keychain group, set this property to their app group's folder in the app
    /// and in each extension. The lock file `keychain.lock` in the folder serialises their transactions. Set this
    /// property in an app's tests too; otherwise, the tests write into the user's folder. Set it before a store is
    /// opened; an open SQLite store keeps its folder.
    public static var folder: URL? {
        get { namedFolder.withValue { $0 } }
        set { namedFolder.withValue { $0 = newValue } }
    }

    private static let namedFolder = Lock<URL?>(nil)

    /// Opens the store: the keychain on Apple platforms, ``SQLiteCredentialStore/standard(accessGroup:)`` elsewhere.
    ///
    /// By default, the store's items are readable after the first unlock, so that a push can be stored while
    /// the phone is locked. Like the items of the legacy SDK, the store's items are part of encrypted backups
    /// and are restored to a new phone. ``StoreMove`` moves the items to another group.
    /// - Parameters:
    ///   - accessGroup: The keychain group that the app shares with its extensions; `nil` for the app's own
    ///     group. Ignored on platforms without a keychain.
    ///   - accessibility: The accessibility of new keychain items; existing items keep their accessibility.
    /// - Returns: The store; nothing is read from a keychain yet.
    /// - Throws: ``StoreError`` if a file cannot be opened.
    public static func open(
        accessGroup: String? = nil,
        accessibility: KeychainAccessibility = .afterFirstUnlock
    ) throws(StoreError) -> any CredentialStore {
        #if canImport(Security)
        return KeychainCredentialStore(
            keychain: SystemKeychain(),
            accessGroup: accessGroup,
            accessibility: accessibility
        )
        #else
        return try SQLiteCredentialStore.standard(accessGroup: accessGroup)
        #endif
    }

    /// The system's keychain or, on platforms without a keychain, a keychain in memory for the lifetime of
    /// the process.
    package static let keychain: any Keychain = {
        #if canImport(Security)
        SystemKeychain()
        #else
        InMemoryKeychain()
        #endif
    }()

    /// Returns the system's keychain, whose new items in the given services can be read only after the owner has
    /// authenticated.
    ///
    /// Without `presence`, and on platforms without a keychain, the method returns ``keychain``, which does not
    /// authenticate the owner.
    package static func keychain(asking presence: OwnerPresence?, services: Set<String>) -> any Keychain {
        #if canImport(Security)
        return presence.map { SystemKeychain(asking: $0, services: services) } ?? keychain
        #else
        return keychain
        #endif
    }
}

extension SQLiteCredentialStore {
    /// Opens or creates the file `push.sqlite` in ``StandardStore/folder``.
    ///
    /// The file's key is in the keychain or, on platforms without a keychain, in the file `push.key` in the
    /// same folder.
    ///
    /// - Parameter accessGroup: The keychain group of the key, for a file in the folder of an app group;
    ///   `nil` for the app's own group. Ignored on platforms without a keychain.
    /// - Returns: The open store.
    /// - Throws: ``StoreError`` if the file or its key can be neither opened nor created. The code is
    ///   `keyMissing` if the file was restored without its key; in this case, call ``setStandardAside()``.
    public static func standard(accessGroup: String? = nil) throws(StoreError) -> SQLiteCredentialStore {
        let path = try standardPath()
        #if canImport(Security)
        return try SQLiteCredentialStore(
            path: path,
            key: KeychainSealingKey(service: "PingPush", accessGroup: accessGroup),
            mode: .create
        )
        #else
        let key = KeyFile(path: URL(fileURLWithPath: path).deletingLastPathComponent().path + "/push.key")
        return try SQLiteCredentialStore(path: path, key: key, mode: .create)
        #endif
    }

    /// Renames the file of ``standard(accessGroup:)``, as ``setAside(path:)`` does.
    /// - Returns: The new path.
    /// - Throws: ``StoreError`` if the file cannot be renamed.
    @discardableResult
    public static func setStandardAside() throws(StoreError) -> String { try setAside(path: standardPath()) }

    /// Renames the file of a store that cannot be opened because its key is missing, so that an empty store can be
    /// created.
    ///
    /// No data is deleted. If the key is found later, the store can be opened under its new name, and
    /// ``StoreMove`` can move its records. The store must not be open in any process.
    /// - Parameter path: The path of the file.
    /// - Returns: The new path: the old path, followed by a number.
    /// - Throws: ``StoreError`` if the file does not exist or cannot be renamed.
    @discardableResult
    public static func setAside(path: String) throws(StoreError) -> String {
        let path = URL(fileURLWithPath: path).path
        guard try storing("Examining \(path)", { try FileStatus(path: path) }) != nil else {
            throw StoreError(.missing, reason: "There is no credential store at \(path).")
        }
        var number = 1
        while FileStatus.isTaken(URL(fileURLWithPath: "\(path).\(number)")) { number += 1 }
        let new = "\(path).\(number)"
        return try storing("Renaming \(path)") {
            // The database is renamed last, because a database without its `-wal` file would lack the latest
            // changes.
            for suffix in ["-wal", "-shm", ""] where try FileStatus(path: path + suffix) != nil {
                try FileManager.default.moveItem(atPath: path + suffix, toPath: new + suffix)
            }
            return new
        }
    }

    private static func standardPath() throws(StoreError) -> String {
        try standardFolder().appendingPathComponent("push.sqlite").path
    }

    private static func standardFolder() throws(StoreError) -> URL {
        do {
            let folder = try StandardStore.folder ?? supportFolder().appendingPathComponent("PingPush")
            try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
            // The files that SQLite creates in the same folder get the folder's protection.
            try FileProtection.apply(to: folder.path, .included)
            return folder
        } catch {
            throw StoreError(.notWritable, reason: "The folder of the default store cannot be created.")
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
