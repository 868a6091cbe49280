public import PushBridgeCore
public import PushBridgeStore

#if canImport(Security)
public import Foundation
public import Security
#endif

/// Keeps everything in a keychain, one item for each value; the default on Apple platforms.
///
/// Items have the services, names and members that the new SDK's storage of this name gives them. Items without an
/// access group belong to the app alone. By default they can be read only while the device is unlocked, so a push
/// that arrives while it is locked cannot be processed; `afterFirstUnlock…` allows that. An app and its notification
/// extension that work at the same time share a ``PushSQLiteStorage`` instead.
public struct PushKeychainStorage: StoreBackedStorage {
    /// The store.
    public let store: any CredentialStore

    /// Takes the keychain to use, of which nothing is read yet.
    ///
    /// `accessibility` is given to new items; existing ones keep theirs.
    public init(
        keychain: any Keychain,
        credentialService: String = "com.pingidentity.push.credentials",
        notificationService: String = "com.pingidentity.push.notifications",
        tokenService: String = "com.pingidentity.push.tokens",
        accessGroup: String? = nil,
        accessibility: KeychainAccessibility = .whenUnlockedThisDeviceOnly
    ) {
        store = KeychainCredentialStore(
            keychain: keychain,
            services: KeychainServices(
                credentials: credentialService,
                notifications: notificationService,
                tokens: tokenService
            ),
            accessGroup: accessGroup,
            accessibility: accessibility
        )
    }
}

#if canImport(Security)
extension PushKeychainStorage {
    /// Uses the system's keychain, of which nothing is read yet.
    ///
    /// `accessibility` is a value of `kSecAttrAccessible`; see `KeychainAccessibility.init(attribute:)`.
    public init(
        credentialService: String = "com.pingidentity.push.credentials",
        notificationService: String = "com.pingidentity.push.notifications",
        tokenService: String = "com.pingidentity.push.tokens",
        accessGroup: String? = nil,
        accessibility: CFString = kSecAttrAccessibleWhenUnlockedThisDeviceOnly
    ) {
        self.init(
            credentialService: credentialService,
            notificationService: notificationService,
            tokenService: tokenService,
            accessGroup: accessGroup,
            accessibility: KeychainAccessibility(attribute: accessibility)
        )
    }

    /// Uses the system's keychain, of which nothing is read yet.
    public init(
        credentialService: String = "com.pingidentity.push.credentials",
        notificationService: String = "com.pingidentity.push.notifications",
        tokenService: String = "com.pingidentity.push.tokens",
        accessGroup: String? = nil,
        accessibility: KeychainAccessibility
    ) {
        self.init(
            keychain: SystemKeychain(),
            credentialService: credentialService,
            notificationService: notificationService,
            tokenService: tokenService,
            accessGroup: accessGroup,
            accessibility: accessibility
        )
    }
}
#endif

/// Keeps everything in an SQLite file, secrets sealed; to be shared between an app and its extensions.
public final class PushSQLiteStorage: StoreBackedStorage {
    /// The store.
    public var store: any CredentialStore { database }
    private let database: SQLiteCredentialStore

    /// Opens the file at `path`, or makes it.
    /// - Parameters:
    ///   - path: Where the file is.
    ///   - key: The key that seals what is stored.
    /// - Throws: ``PushStorageError/storageFailure(_:_:)`` if it cannot be opened.
    public init(path: String, key: some SealingKeyProvider) throws {
        database = try storing { try SQLiteCredentialStore(path: path, key: key, mode: .create) }
    }

    private init(_ database: SQLiteCredentialStore) {
        self.database = database
    }

    /// The file that serves where there is no keychain: see ``SQLiteCredentialStore/standard()``.
    public static func standard() throws -> PushSQLiteStorage {
        PushSQLiteStorage(try storing { try SQLiteCredentialStore.standard() })
    }

    /// Closes the file; nothing can be read or written afterwards.
    public func close() throws {
        try storing { try database.close() }
    }
}
