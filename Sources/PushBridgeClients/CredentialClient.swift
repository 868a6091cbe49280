package import PushBridgeCore
package import PushBridgePlatform

/// The common part of `PushClient` and `OathClient`.
///
/// It contains the storage, a cache of credentials in memory, the policies that lock accounts, and the client's state
/// (open or closed).
package final class CredentialClient<Credential: CredentialRecord>: Sendable {
    private let evaluator: any PolicyEvaluating
    private let storage: any RecordAccess
    private let cache: CredentialCache<Credential>
    private let errors: ClientErrors
    /// The outcomes that servers accepted but the storage failed to save.
    package let held: UnsavedOutcomes

    /// Creates a client.
    ///
    /// If `isCaching` is true, a credential is cached in memory after it has been read by its id.
    package init(
        _ storage: any RecordAccess,
        evaluator: any PolicyEvaluating,
        isCaching: Bool,
        errors: ClientErrors,
        pendingEnrolments: (any PendingEnrolments)? = nil
    ) {
        held = UnsavedOutcomes(pending: pendingEnrolments, storageName: storage.storageName) { name in
            try storage.hasReceived(from: name)
        }
        self.storage = storage
        self.evaluator = evaluator
        self.errors = errors
        cache = CredentialCache(isEnabled: isCaching)
    }

    package var isCredentialStore: Bool { storage.isCredentialStore }
    package var changes: AsyncStream<Void> { storage.changes }

    package func checkOpen() throws {
        if cache.isClosed { throw errors.closed }
    }

    /// Closes the client and empties its cache.
    /// - Returns: Whether the client was open.
    package func close() -> Bool { cache.close() }

    /// Calls `body` with a view that includes the held outcomes; see ``RecordAccess/read(_:_:)``.
    package func read<Value: Sendable>(
        _ requests: [RecordRequest] = [],
        _ body: @escaping @Sendable (any CredentialReading) throws -> Value
    ) async throws -> Value {
        try checkOpen()
        await storeHeld()
        let held = held
        return try await errors.naming {
            try await storage.read(requests) { try body(held.shown(over: $0)) }
        }
    }

    /// Calls `body` with a view that can change the storage; see ``RecordAccess/write(_:_:)``.
    ///
    /// With `isCompleting`, a closed client may still write, to complete an operation that began while it was open.
    package func write<Value: Sendable>(
        _ requests: [RecordRequest] = [],
        isCompleting: Bool = false,
        _ body: @escaping @Sendable (any CredentialWriting) throws -> Value
    ) async throws -> Value {
        if !isCompleting { try checkOpen() }
        await storeHeld()
        defer { cache.forget() }
        return try await errors.naming { try await storage.write(requests, body) }
    }

    /// Removes a credential at the user's request, and cancels its pending enrolment.
    ///
    /// The enrolment is cancelled first, so that no other process can store the credential after its removal.
    /// - Parameters:
    ///   - id: The id of the credential.
    ///   - body: Removes the credential, and returns whether it was stored.
    /// - Returns: Whether the credential was stored or its enrolment was pending.
    /// - Throws: The errors of `body`, and the API's error if the storage fails or the enrolment cannot be
    ///   cancelled.
    package func remove(
        _ id: String,
        _ body: @escaping @Sendable (any CredentialWriting) throws -> Bool
    ) async throws -> Bool {
        try checkOpen()
        try await errors.naming { try held.look() }
        await storeHeld()
        let cancelled = try await errors.naming { try held.cancel(.credential(id: id)) }
        do {
            let isRemoved = try await write([], body)
            return isRemoved || !cancelled.isEmpty
        } catch {
            held.restore(cancelled)
            throw error
        }
    }

    /// Checks that the enrolment of a credential is not pending.
    ///
    /// - Throws: The API's error if the enrolment is pending, or if the pending enrolments cannot be read.
    package func checkNotPending(_ id: String) async throws {
        try await errors.naming {
            try held.look()
            guard try held.isPending(.credential(id: id)) else { return }
            throw StoreError(.failed, record: id, reason: "The enrolment is not stored yet; try again later.")
        }
    }

    /// Stores the held outcomes that the storage accepts now.
    private func storeHeld() async {
        for outcome in held.all {
            do {
                try await storage.write([], outcome.store)
                held.forget(outcome.id)
                cache.forget()
            } catch is PendingEnrolment.OtherStorage {
                held.stopHolding(outcome.id)
            } catch {
                continue
            }
        }
    }

    /// Returns all credentials, and the errors of the credentials that cannot be read.
    ///
    /// Each credential is locked or unlocked as its policies require.
    ///
    /// - Throws: The API's error if the storage cannot be read.
    package func credentials() async throws -> Fetched<Credential> {
        var found = try await read { try $0.credentials(Credential.self, where: .all) }
        found.values = try await settled(found.values)
        return found
    }

    /// Returns the credential with an id, from the cache if possible; `nil` if no credential has this id.
    ///
    /// The credential is locked or unlocked as its policies require.
    ///
    /// - Throws: The API's error if the storage cannot be read.
    package func credential(_ id: String) async throws -> Credential? {
        try checkOpen()
        let (cached, generation) = cache.credential(id: id)
        if let cached { return try await settled([cached]).first }
        let stored = try await read { try $0.credential(Credential.self, id: id) }
        guard let credential = stored else { return nil }
        cache.keep(credential, id: id, readIn: generation)
        return try await settled([credential]).first
    }

    /// Stores a changed credential, and locks it if the device does not comply with its policies.
    ///
    /// If the credential has no secret, the stored secret is kept.
    /// - Parameters:
    ///   - credential: The credential, which may be new.
    ///   - check: Compares the new version of the credential with the stored version, and may change the new
    ///     version.
    /// - Returns: The credential as it was stored.
    /// - Throws: The errors of `check`, and the API's error if the storage fails.
    package func save(
        _ credential: Credential,
        _ check: @escaping @Sendable (inout Credential, _ stored: Credential?) throws -> Void
    ) async throws -> Credential {
        try checkOpen()
        var evaluated = verdicts
        await evaluated.evaluate(credential.account)
        let (policies, id) = (evaluated, credential.recordIndex.id)
        return try await write([RecordRequest(Credential.recordKind, RecordQuery(id: id))]) { view in
            var credential = credential
            let stored: Credential?
            do {
                stored = try view.credential(Credential.self, id: id)
            } catch let error as StoreError where error.code == .damaged && credential.hasSecret {
                // A credential with a secret may replace a damaged credential.
                stored = nil
            }
            if let stored, !credential.hasSecret { credential.takeSecret(of: stored) }
            try check(&credential, stored)
            policies.lock(&credential)
            try view.save(credential, keepsOtherLocks: true)
            return credential
        }
    }

    /// A new, empty set of policy results, which evaluates policies with the client's evaluator.
    package var verdicts: PolicyVerdicts { PolicyVerdicts(evaluator) }

    /// Returns the name of the first policy that the device violates; `nil` if it violates none.
    ///
    /// `policies` is the JSON from a registration URI.
    package func violation(of policies: String?) async -> String? {
        guard let policies, case .violation(let policy) = await evaluator.outcome(of: policies) else {
            return nil
        }
        return policy
    }

    /// Locks or unlocks each credential as its policies require, stores the credentials whose lock changed,
    /// and returns all credentials.
    private func settled(_ credentials: [Credential]) async throws -> [Credential] {
        var evaluated = verdicts
        let governed = credentials.indices.filter { credentials[$0].policies != nil }
        guard !governed.isEmpty else { return credentials }
        for index in governed { await evaluated.evaluate(credentials[index].account) }
        let policies = evaluated
        let changed = governed.filter { index in
            var credential = credentials[index]
            return policies.apply(to: &credential)
        }
        guard !changed.isEmpty else { return credentials }
        let requests = changed.count > 1 ? [RecordRequest(Credential.recordKind)] : []
        let settled = try await write(requests) { view in
            try changed.map { index in
                // The stored version is read again, because another task may have changed it. Only the lock
                // is changed.
                let stored = try view.credential(Credential.self, id: credentials[index].recordIndex.id)
                var credential = stored ?? credentials[index]
                if policies.apply(to: &credential), stored != nil { try view.save(credential) }
                return credential
            }
        }
        var all = credentials
        for (index, credential) in zip(changed, settled) { all[index] = credential }
        return all
    }
}

/// Converts errors of a store, or of an app's own storage, into the errors of an API.
package struct ClientErrors: Sendable {
    let closed: any Error
    let storage: @Sendable (StoreError) -> any Error
    /// Wraps an error of an app's own storage; returns `nil` for an error that is already one of the API's
    /// errors.
    let foreign: @Sendable (any Error) -> (any Error)?

    package init(
        closed: any Error,
        storage: @escaping @Sendable (StoreError) -> any Error,
        foreign: @escaping @Sendable (any Error) -> (any Error)?
    ) {
        self.closed = closed
        self.storage = storage
        self.foreign = foreign
    }

    /// Calls `body` and converts the errors of a store into the API's errors.
    package func naming<Value>(_ body: () async throws -> Value) async throws -> Value {
        do {
            return try await body()
        } catch let error as StoreError {
            throw storage(error)
        }
    }

    /// Calls `body`, which uses an app's own storage, and converts each error into one of the API's errors.
    package func namingAll<Value>(_ body: () async throws -> Value) async throws -> Value {
        do {
            return try await naming(body)
        } catch {
            throw foreign(error) ?? error
        }
    }
}

/// Returns access to a client's storage; `nil` means the standard store.
///
/// - Throws: The error that `failure` returns, if the standard store cannot be opened.
package func clientStorage<Storage>(
    _ storage: Storage?,
    failure: (StoreError) -> any Error,
    borrowing: (Storage) -> any RecordAccess
) async throws -> any RecordAccess {
    switch storage {
    case let backed as any StoreBacked: return StoreAccess(backed.store)
    case let storage?: return borrowing(storage)
    case nil:
        do {
            return try await StoreAccess.standard()
        } catch let error as StoreError {
            throw failure(error)
        }
    }
}

/// A client's state in memory: whether the client is open and, if the cache is enabled, the credentials that
/// were read by id.
private final class CredentialCache<Credential: Sendable>: Sendable {
    private let isEnabled: Bool
    private let state = Lock(State())

    init(isEnabled: Bool) {
        self.isEnabled = isEnabled
    }

    var isClosed: Bool { state.withValue(\.isClosed) }

    /// Closes the client and empties the cache.
    /// - Returns: Whether the client was open.
    func close() -> Bool {
        state.withValue { state in
            defer { state = State(isClosed: true, generation: state.generation + 1) }
            return !state.isClosed
        }
    }

    func forget() {
        guard isEnabled else { return }
        state.withValue { state in
            state.credentials = [:]
            state.generation += 1
        }
    }

    /// Returns the cached credential with an id, if any, and the generation to pass to ``keep(_:id:readIn:)`` later.
    func credential(id: String) -> (credential: Credential?, generation: Int) {
        state.withValue { ($0.credentials[id], $0.generation) }
    }

    /// Caches a credential if the cache is enabled and has not been emptied since `generation`.
    func keep(_ credential: Credential, id: String, readIn generation: Int) {
        guard isEnabled else { return }
        state.withValue { state in
            if state.generation == generation, !state.isClosed { state.credentials[id] = credential }
        }
    }

    private struct State {
        var isClosed = false
        var credentials: [String: Credential] = [:]
        /// The number of times that the cache has been emptied.
        var generation = 0
    }
}
