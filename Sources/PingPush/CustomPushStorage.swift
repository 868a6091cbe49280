import Foundation
import PushBridgeClients
import PushBridgeCore
import PushBridgePlatform

/// Adapts an app's own ``PushStorage``.
///
/// An app's storage need only preserve the fields of the successor SDK. So this class keeps the claims of answers in
/// memory, marks a device token that servers still need with the prefix `owed-` in the token's id, and adds the name of
/// the handler that parsed a push to the push's id.
final class CustomPushStorage: CustomStorage {
    typealias Credential = PushCredential

    let errors = ClientErrors.push
    var storageType: Any.Type { type(of: storage) }
    private let storage: any PushStorage
    private let claims = Lock<[String: AnswerClaim]>([:])
    /// The device token that was stored last.
    private let token = Lock<PushDeviceToken?>(nil)
    /// The id of the device token in the storage; `nil` until a token has been read or stored.
    private let storedId = Lock<String?>(nil)
    /// The old versions of the credentials that the storage lost during a replacement.
    ///
    /// The storage removed the old version, and then accepted neither the new version nor the old version.
    private let lost = Lock<[PushCredential]>([])

    init(_ storage: any PushStorage) {
        self.storage = storage
    }

    func loadable(_ kind: RecordKind, _ query: RecordQuery) -> RecordQuery? {
        switch kind {
        case .push: RecordQuery(id: query.id)
        case .account: query.id.map { RecordQuery(id: $0) }
        case .notification: Self.loadable(query)
        case .deviceToken: .all
        case .oath, .ledger, .importMark, .move, .tombstone: nil
        }
    }

    func counts(_ request: RecordRequest) -> Bool {
        request.kind == .notification && request.query == RecordQuery(owner: request.query.owner)
    }

    func load(_ request: RecordRequest, into loaded: inout LoadedRecords) async throws {
        let query = request.query
        switch request.kind {
        case .push:
            loaded.add(try await credentials(query), for: request)
        case .account:
            guard let key = query.id.flatMap(AccountKey.init(recordID:)) else { break }
            loaded.add([try await credential(of: key)?.account].compactMap(\.self), for: request)
        case .notification where request.isAbsent:
            loaded.add([PushNotification](), for: request)
        case .notification where request.countsOnly:
            let owner = query.owner
            let count = try await errors.namingAll {
                try await storage.countPushNotifications(credentialId: owner)
            }
            loaded.add(count: count, for: request)
        case .notification:
            loaded.add(try await notifications(query), for: request)
        case .deviceToken:
            loaded.add([try await deviceToken()].compactMap(\.self), for: request)
        case .oath, .ledger, .importMark, .move, .tombstone:
            break
        }
    }

    func apply(_ changes: RecordChanges, over loaded: LoadedRecords) async throws {
        try await errors.namingAll {
            for credential in changes.stored(PushCredential.self) {
                try await save(credential, over: loaded.value(id: credential.id) ?? nil)
            }
            for notification in changes.stored(PushNotification.self) {
                try await save(notification, over: loaded.value(id: notification.id) ?? nil)
            }
            for id in changes.removed(.notification) {
                _ = try await storage.removePushNotification(notificationId: id)
                claims.withValue { $0[id] = nil }
            }
            if let token = changes.stored(PushDeviceToken.self).first?.withUnsentPrefix {
                // The id of a token changes, for example, when all servers have received the token. The token with the
                // earlier id must then be removed.
                if let last = storedId.withValue({ $0 }), last != token.id {
                    try await storage.clearPushDeviceTokens()
                }
                try await storage.storePushDeviceToken(token)
                storedId.withValue { $0 = token.id }
                self.token.withValue { $0 = token }
            } else if !changes.removed(.deviceToken).isEmpty {
                try await storage.clearPushDeviceTokens()
            }
            // Credentials are removed last, so that no credential is lost if an earlier step fails.
            for id in changes.removed(.push) { _ = try await storage.removePushCredential(credentialId: id) }
        }
    }
}

// MARK: - Credentials

extension CustomPushStorage {
    /// The suffix in the id of the copy that exists while a credential is replaced.
    private static let copySuffix = ".replacement"

    /// Ends interrupted replacements.
    ///
    /// Stores the old version again after a failed replacement; otherwise, completes the replacement from the copy.
    func recover() async throws {
        try await errors.namingAll {
            let stored = try await storage.getAllPushCredentials()
            var known = Set(stored.map(\.id))
            for credential in lost.withValue({ $0 }) where known.insert(credential.id).inserted {
                try await storage.storePushCredential(credential)
            }
            lost.withValue { $0 = [] }
            for copy in stored where copy.id.hasSuffix(Self.copySuffix) {
                var credential = copy
                credential.id = String(copy.id.dropLast(Self.copySuffix.count))
                if known.insert(credential.id).inserted { try await storage.storePushCredential(credential) }
                _ = try await storage.removePushCredential(credentialId: copy.id)
            }
        }
    }

    private func credentials(_ query: RecordQuery) async throws -> [PushCredential] {
        try await errors.namingAll {
            guard let id = query.id else {
                return try await storage.getAllPushCredentials()
            }
            return try await [storage.retrievePushCredential(credentialId: id)].compactMap(\.self)
        }
    }

    private func credential(of account: AccountKey) async throws -> PushCredential? {
        try await errors.namingAll {
            try await storage.getCredentialByIssuerAndAccount(
                issuer: account.issuer,
                accountName: account.accountName
            )
        }
    }

    private func save(_ credential: PushCredential, over known: PushCredential?) async throws {
        if var known {
            // The date of the account is not compared, because an app's own storage need not preserve it.
            known.account.addedAt = credential.account.addedAt
            if known == credential { return }
        }
        do {
            try await storage.storePushCredential(credential)
        } catch PushStorageError.duplicateCredential(let id) {
            guard let old = try await storage.retrievePushCredential(credentialId: credential.id) else {
                throw PushStorageError.duplicateCredential(id)
            }
            try await replace(old, with: credential)
        }
    }

    /// Replaces a credential in a storage that rejects a credential whose id is already stored.
    ///
    /// The old version is removed before the new version is stored. If the storage accepts a copy with a different id,
    /// this copy preserves the data in the meantime.
    private func replace(_ old: PushCredential, with credential: PushCredential) async throws {
        var copy = credential
        copy.id += Self.copySuffix
        let isCopied = try await store(copy)
        do {
            _ = try await storage.removePushCredential(credentialId: old.id)
            try await storage.storePushCredential(credential)
        } catch {
            do {
                _ = try await store(old)
                if isCopied { _ = try await storage.removePushCredential(credentialId: copy.id) }
            } catch {
                // `recover()` stores the old version later. The caller receives the error that made the replacement
                // fail.
                lost.withValue { $0.append(old) }
            }
            throw error
        }
        if isCopied { _ = try await storage.removePushCredential(credentialId: copy.id) }
    }

    /// Stores a credential.
    /// - Returns: `false` if the storage rejects the credential as a duplicate of a stored credential.
    private func store(_ credential: PushCredential) async throws -> Bool {
        do {
            try await storage.storePushCredential(credential)
            return true
        } catch PushStorageError.duplicateCredential {
            return false
        }
    }
}

// MARK: - The device token

extension CustomPushStorage {
    /// Returns the device token.
    ///
    /// If the storage does not preserve which servers still need the token, only the prefix of the id shows that
    /// some servers need it. After a restart, the token is then marked as unconfirmed for all credentials.
    private func deviceToken() async throws -> PushDeviceToken? {
        try await errors.namingAll {
            guard var found = try await storage.getCurrentPushDeviceToken() else { return nil }
            storedId.withValue { $0 = found.id }
            guard found.hasUnsentPrefix, found.unconfirmedCredentialIds.isEmpty else { return found }
            if let known = token.withValue({ $0 }), known.id == found.id { return known }
            found.unconfirmedCredentialIds = Set(try await storage.getAllPushCredentials().map(\.id))
            return found
        }
    }
}

extension PushDeviceToken {
    private static let unsentPrefix = "owed-"

    fileprivate var hasUnsentPrefix: Bool { id.hasPrefix(Self.unsentPrefix) }

    fileprivate var withUnsentPrefix: PushDeviceToken {
        var token = self
        let plain = hasUnsentPrefix ? String(id.dropFirst(Self.unsentPrefix.count)) : id
        token.id = unconfirmedCredentialIds.isEmpty ? plain : Self.unsentPrefix + plain
        return token
    }
}

// MARK: - Notifications

extension CustomPushStorage {
    private static func loadable(_ query: RecordQuery) -> RecordQuery {
        if let id = query.id { return RecordQuery(id: id) }
        if let alias = query.alias { return RecordQuery(alias: alias) }
        guard query.limit != nil, query.dates == nil, !query.openOnly else {
            return RecordQuery(openOnly: query.openOnly)
        }
        return RecordQuery(owner: query.owner, limit: query.limit)
    }

    private func notifications(_ query: RecordQuery) async throws -> [PushNotification] {
        var found = try await errors.namingAll {
            if let id = query.id {
                return try await [storage.retrievePushNotification(notificationId: id)].compactMap(\.self)
            }
            if let alias = query.alias {
                return try await [storage.getNotificationByMessageId(messageId: alias)].compactMap(\.self)
            }
            if let limit = query.limit {
                return try await storage.getOldestPushNotifications(limit: limit, credentialId: query.owner)
            }
            return try await query.openOnly
                ? storage.getPendingPushNotifications() : storage.getAllPushNotifications()
        }
        claims.withValue { claims in
            // Only changed elements are assigned, because an assignment may copy the whole list. Most elements
            // do not change.
            for index in found.indices {
                let claim = claims.isEmpty ? nil : claims[found[index].id]
                if found[index].answerClaim != claim { found[index].answerClaim = claim }
                if found[index].customHandler == nil,
                    let handler = HandledMessage.handler(ofNotification: found[index].id)
                {
                    found[index].customHandler = handler
                }
            }
        }
        // The client reverses lists. This list is reversed here too, so that the app receives the order of
        // its own storage.
        return query.limit == nil ? found.reversed() : found
    }

    private func save(_ notification: PushNotification, over known: PushNotification?) async throws {
        var stored = notification
        stored.answerClaim = nil
        var before = known
        before?.answerClaim = nil
        if before == nil {
            do {
                try await storage.storePushNotification(stored)
            } catch PushStorageError.duplicateNotification {
                try await storage.updatePushNotification(stored)
            }
        } else if before != stored {
            try await storage.updatePushNotification(stored)
        }
        claims.withValue { $0[notification.id] = notification.answerClaim }
    }
}
