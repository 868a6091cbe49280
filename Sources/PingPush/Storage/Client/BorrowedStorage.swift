import Foundation
import PushBridgePlatform

/// Works on an app's own ``PushStorage``, which knows no transactions.
///
/// One transaction runs after the other: it loads what it needs, works on that in memory, and writes what changed. So a
/// client cannot get in its own way, but a failure of the storage while it writes leaves what was written before.
/// Claims of answers are kept in memory too, because such a storage need not keep them; so one client at a time works
/// on such a storage.
final class BorrowedStorage: ClientStorage {
    private let storage: any PushStorage
    private let queue = SerialQueue()
    private let claims = Lock<[String: AnswerClaim]>([:])
    private let signal = ChangeSignal()

    init(_ storage: any PushStorage) {
        self.storage = storage
    }

    var isCredentialStore: Bool { false }
    var changes: AsyncStream<Void> { signal.stream() }

    func read<Value: Sendable>(
        _ scope: StorageScope,
        _ body: @escaping @Sendable (any CredentialReading) throws -> Value
    ) async throws -> Value {
        try await queue.run { [self] in
            let store = MemoryCredentialStore()
            try await load(scope).save(to: store)
            return try store.read(body)
        }
    }

    func write<Value: Sendable>(
        _ scope: StorageScope,
        _ body: @escaping @Sendable (any CredentialWriting) throws -> Value
    ) async throws -> Value {
        try await queue.run { [self] in
            let store = MemoryCredentialStore()
            try await load(scope).save(to: store)
            let before = try StorageContents(of: store)
            let value = try store.write(body)
            let after = try StorageContents(of: store)
            try await borrowing { [storage] in
                try await storage.apply(changesFrom: before.withoutClaims, to: after.withoutClaims)
            }
            keepClaims(of: after, insteadOf: before)
            signal.send()
            return value
        }
    }

    private func load(_ scope: StorageScope) async throws -> StorageContents {
        var contents = try await borrowing { [storage] in try await storage.contents(scope) }
        claims.withValue { claims in
            for index in contents.notifications.indices {
                guard let claim = claims[contents.notifications[index].id] else { continue }
                contents.notifications[index].answerClaim = claim
            }
        }
        return contents
    }

    private func keepClaims(of after: StorageContents, insteadOf before: StorageContents) {
        claims.withValue { claims in
            for notification in before.notifications { claims[notification.id] = nil }
            for notification in after.notifications { claims[notification.id] = notification.answerClaim }
        }
    }

    /// Gives errors that the API does not know its name for them.
    private func borrowing<Value: Sendable>(
        _ body: @escaping @Sendable () async throws -> Value
    ) async throws -> Value {
        do {
            return try await body()
        } catch let error as PushStorageError {
            throw error
        } catch let error as PushError {
            throw error
        } catch {
            throw PushError.storageFailure(error.localizedDescription, error)
        }
    }
}
