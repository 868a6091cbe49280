import Foundation
import PushBridgeClients
public import PushBridgeCore

/// The storage of a client's one-time-password credentials.
///
/// A method throws ``OathStorageError`` if it fails, for example ``OathStorageError/accessDenied(_:)`` if the device
/// is locked or the app lacks an entitlement. If a value is missing, a method returns `nil` or `false` and throws no
/// error.
///
/// An app's own storage serves one client at a time, and the client runs its transactions one after another.
/// The storage has no accounts: each credential contains the data of its account.
///
/// A storage must not call its client, or wait for a task that calls the client. The call throws
/// ``OathStorageError/storageFailure(_:_:)``, because the call would otherwise cause a deadlock.
public protocol OathStorage: Sendable {
    /// Stores a credential durably, and replaces a credential with the same id.
    /// - Parameter credential: The credential.
    /// - Throws: ``OathStorageError`` if the storage fails or cannot be accessed now.
    func storeOathCredential(_ credential: OathCredential) async throws
    /// Returns the credential with an id.
    /// - Parameter credentialId: The credential's id.
    /// - Returns: The credential; `nil` if no credential has this id.
    /// - Throws: ``OathStorageError`` if the storage fails or cannot be accessed now.
    func retrieveOathCredential(credentialId: String) async throws -> OathCredential?
    /// Returns all credentials, in any order.
    /// - Returns: The credentials.
    /// - Throws: ``OathStorageError`` if the storage fails or cannot be accessed now.
    func getAllOathCredentials() async throws -> [OathCredential]
    /// Returns a credential of an account.
    ///
    /// The default implementation searches all credentials. A storage can implement a faster search.
    /// - Parameters:
    ///   - issuer: The issuer, compared exactly.
    ///   - accountName: The user's name at the issuer, compared exactly.
    /// - Returns: The first matching credential of ``getAllOathCredentials()``; `nil` if no credential
    ///   matches.
    /// - Throws: ``OathStorageError`` if the storage fails or cannot be accessed now.
    func getCredentialByIssuerAndAccount(issuer: String, accountName: String) async throws -> OathCredential?
    /// Removes a credential.
    /// - Parameter credentialId: The credential's id.
    /// - Returns: Whether the storage contained the credential.
    /// - Throws: ``OathStorageError`` if the storage fails or cannot be accessed now.
    func removeOathCredential(credentialId: String) async throws -> Bool
    /// Removes all credentials.
    /// - Throws: ``OathStorageError`` if the storage fails or cannot be accessed now.
    func clearOathCredentials() async throws
}

extension OathStorage {
    /// Returns the first matching credential of ``getAllOathCredentials()``; `nil` if no credential matches.
    ///
    /// This implementation is for storages that were written before the successor SDK required this method.
    ///
    /// - Throws: The errors of ``getAllOathCredentials()``.
    public func getCredentialByIssuerAndAccount(
        issuer: String,
        accountName: String
    ) async throws -> OathCredential? {
        try await getAllOathCredentials().first { ($0.issuer, $0.accountName) == (issuer, accountName) }
    }
}

/// Adapts an app's own ``OathStorage``.
struct CustomOathStorage: CustomStorage {
    typealias Credential = OathCredential

    let errors = ClientErrors.oath
    var storageType: Any.Type { type(of: storage) }
    private let storage: any OathStorage

    init(_ storage: any OathStorage) {
        self.storage = storage
    }

    func loadable(_ kind: RecordKind, _ query: RecordQuery) -> RecordQuery? {
        switch kind {
        case .oath: RecordQuery(id: query.id)
        case .account: query.id.map { RecordQuery(id: $0) }
        case .push, .notification, .deviceToken, .ledger, .importMark, .move, .tombstone: nil
        }
    }

    func load(_ request: RecordRequest, into loaded: inout LoadedRecords) async throws {
        try await errors.namingAll {
            if request.kind == .oath, let id = request.query.id {
                let credential = try await storage.retrieveOathCredential(credentialId: id)
                loaded.add([credential].compactMap(\.self), for: request)
            } else {
                // A request for an account loads all credentials too, because each credential contains the
                // data of its account.
                let all = try await storage.getAllOathCredentials()
                loaded.add(all, for: RecordRequest(.oath))
            }
        }
    }

    func apply(_ changes: RecordChanges, over loaded: LoadedRecords) async throws {
        try await errors.namingAll {
            for credential in changes.stored(OathCredential.self) {
                if var known = loaded.value(OathCredential.self, id: credential.id) ?? nil {
                    // The date of the account is not compared, because an app's own storage need not preserve it.
                    known.account.addedAt = credential.account.addedAt
                    if known == credential { continue }
                }
                try await storage.storeOathCredential(credential)
            }
            for id in changes.removed(.oath) { _ = try await storage.removeOathCredential(credentialId: id) }
        }
    }
}
