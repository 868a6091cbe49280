import Foundation
import LegacyStore
package import PushBridgeCore
import PushBridgePlatform

/// A credential store that uses an app's own storage.
///
/// Data for which legacy objects have no field is kept in memory: the answers that are being sent, and a new device
/// token until every server has it. Until then, the app's storage contains the previous token, so the new token is
/// sent again after a restart.
///
/// No lock is held while the app's storage is being called, because the call may wait for a queue on which
/// the app waits for this store. A change that conflicts with another change is repeated. Changes that are
/// being written are visible to later changes.
package final class StorageClientStore: CredentialStore, RecordStore {
    private let client: Lock<any StorageClient>
    private let objects = StorageObjects()
    private let state = Lock(State())
    private let callers = Lock<Set<ObjectIdentifier>>([])
    private let signal = ChangeSignal()

    /// Creates a store for an app's own storage.
    package init(_ client: any StorageClient) {
        ArchiveNames.register()
        self.client = Lock(ObservedStorage(client, objects))
    }

    /// The operations that the store provides to the package.
    package var backing: StoreBacking { StoreBacking(self) }

    package func storageName() -> String { StorageName.own }

    /// Calls `body` with a view of the app's storage.
    ///
    /// If the view lacks records that `body` needs, this method loads them and calls `body` again.
    package func read<Value>(_ body: (any CredentialReading) throws -> Value) throws -> Value {
        try read(preloaded: nil) { try body($0) }
    }

    /// Does the same as `read(_:)`, but uses an object that the app passed to the call.
    ///
    /// The object is not read from the storage; only a decoded HOTP mechanism is compared with the stored one.
    func read<Value>(
        preloaded object: (any CachedObject)?,
        _ body: (StorageClientView) throws -> Value
    ) throws -> Value {
        try withoutReentrancy { client in
            let start = state.withValue { $0 }
            return try transaction(on: client, at: start, preloaded: object, body)
        }
    }

    /// Calls `body` with a view of the app's storage, and writes the changes of the view to the storage.
    ///
    /// If `body` throws an error, nothing is written. If another change was made at the same time, `body` is called
    /// again. If the storage rejects a change, the earlier changes of this call are undone, and an error is thrown.
    package func write<Value>(_ body: (any CredentialWriting) throws -> Value) throws -> Value {
        try write(preloaded: nil, body)
    }

    /// Does the same as `write(_:)`, but uses an object that the app passed to the call.
    ///
    /// The object is not read from the storage; only a decoded HOTP mechanism is compared with the stored one.
    func write<Value>(
        preloaded object: (any CachedObject)?,
        _ body: (any CredentialWriting) throws -> Value
    ) throws -> Value {
        try withoutReentrancy { client in
            while true {
                let start = state.withValue { $0 }
                let (value, changes, steps) = try transaction(
                    on: client,
                    at: start,
                    preloaded: object
                ) { view in
                    var base: any CredentialReading = view
                    for (_, changes) in start.unfinished.sorted(by: { $0.key < $1.key }) {
                        base = RecordOverlay(over: base, after: changes)
                    }
                    let overlay = RecordOverlay(over: base)
                    let value = try body(overlay)
                    return (value, overlay.changes, try view.steps(of: overlay.changes))
                }
                guard !changes.isEmpty else { return value }
                guard let number = begin(changes, since: start) else { continue }
                do {
                    try Change.perform(steps, in: client)
                } catch {
                    _ = state.withValue { $0.end(number, isDone: false) }
                    throw error
                }
                objects.apply(changes)
                keepCounters(in: client, of: state.withValue { $0.end(number, isDone: true) })
                // A pending removal is kept only until its transaction ends, because the app's storage has no field
                // for it.
                state.withValue { $0.memory.owedRemovals = [:] }
                signal.send()
                return value
            }
        }
    }

    /// A stream that sends one element after every change that this store makes.
    ///
    /// The changes that the app itself makes in its storage are not reported.
    package var changes: AsyncStream<Void> { signal.stream() }

    /// Calls `body` with a view of the storage.
    ///
    /// If the view lacks records, this method loads them and calls `body` again, until no record is missing.
    private func transaction<Value>(
        on client: any StorageClient,
        at start: State,
        preloaded object: (any CachedObject)?,
        _ body: (StorageClientView) throws -> Value
    ) throws -> Value {
        var loaded = LoadedObjects(
            preloaded: object,
            start.memory,
            version: start.version,
            from: client
        )
        func view(of loaded: LoadedObjects) -> StorageClientView {
            StorageClientView(
                loaded: loaded,
                memory: start.memory,
                version: start.version,
                isCurrent: start.unfinished.isEmpty
            )
        }
        let value = try NeedsRecords.loading(into: &loaded) { request, loaded in
            try loaded.load(request, from: client)
        } for: {
            try body(view(of: $0))
        }
        if let token = view(of: loaded).tokenRead { cache(token, since: start) }
        return value
    }

    /// Caches the device token that was read, unless another change has been made in the meantime.
    private func cache(_ token: PushBridgeCore.PushDeviceToken, since start: State) {
        state.withValue { if $0.version == start.version { $0.memory.token = $0.memory.token ?? token } }
    }

    /// Registers the changes that are about to be written to the storage, and returns the number of the
    /// registration.
    ///
    /// Returns `nil` if another change was registered or ended in the meantime.
    private func begin(_ changes: RecordChanges, since start: State) -> Int? {
        state.withValue { state in
            guard state.version == start.version else { return nil }
            state.version += 1
            state.unfinished[state.version] = changes
            return state.version
        }
    }

    /// Stores the latest counter of a mechanism again if these changes may have replaced it with an earlier counter.
    ///
    /// This can happen if two threads write at the same time.
    private func keepCounters(in client: any StorageClient, of changes: RecordChanges) {
        for var credential in changes.stored(OathCredential.self) where credential.oathType == .hotp {
            while let next = state.withValue({ $0.counter(of: credential.id) }), next > credential.counter {
                credential.movingFactor = .counter(next)
                _ = Mechanism.make(credential.legacyMechanism).store(in: client)
            }
        }
    }

    /// Calls `body` with the app's storage.
    ///
    /// Throws an error if this thread is already calling the storage.
    ///
    /// Without this check, a storage that calls its client would cause an endless recursion.
    private func withoutReentrancy<Value>(_ body: (any StorageClient) throws -> Value) throws -> Value {
        let thread = ObjectIdentifier(Thread.current)
        guard callers.withValue({ $0.insert(thread).inserted }) else {
            throw StoreError(
                .failed,
                reason: "The app's StorageClient called FRAClient while FRAClient was calling it."
            )
        }
        defer { _ = callers.withValue { $0.remove(thread) } }
        return try body(client.withValue { $0 })
    }
}

// MARK: - Looking up what the legacy API shows

extension StorageClientStore {
    /// Returns all accounts with their mechanisms, in the storage's order.
    ///
    /// The result includes mechanisms that cannot be converted to credentials.
    func accountRecords() throws -> [AccountRecord] {
        try withoutReentrancy { client in client.getAllAccounts().map { AccountRecord($0, in: client) } }
    }

    /// Returns an account with its mechanisms, or `nil` if the storage does not contain the account.
    func accountRecord(_ key: AccountKey) throws -> AccountRecord? {
        let account = try read(preloaded: nil) { try $0.loaded.account(key) }
        return try account.map { account in try withoutReentrancy { AccountRecord(account, in: $0) } }
    }

    /// Returns the account that the storage finds for an identifier, with its mechanisms; `nil` if it finds none.
    func accountRecord(identifier: String) throws -> AccountRecord? {
        try withoutReentrancy { client in
            client.getAccount(accountIdentifier: identifier).map { AccountRecord($0, in: client) }
        }
    }
}

extension AccountRecord {
    fileprivate init(_ account: Account, in client: any StorageClient) {
        self.init(
            stored: account.content.withValue { $0 },
            mechanisms: client.mechanisms(of: account).map(\.value)
        )
    }
}

/// The state that the store keeps outside the app's storage.
private struct State {
    var memory = StorageClientCache()
    /// A number that increases when a change begins or ends.
    var version = 0
    /// The changes that are being written to the storage, by their numbers.
    var unfinished: [Int: RecordChanges] = [:]

    mutating func end(_ number: Int, isDone: Bool) -> RecordChanges {
        version += 1
        let changes = unfinished.removeValue(forKey: number) ?? RecordChanges()
        if isDone { memory.apply(changes) }
        return changes
    }

    /// Returns the highest counter that this process has stored, or is storing, for a mechanism.
    ///
    /// The result is 0 if there is none; it is never `nil`.
    func counter(of id: String) -> Int? {
        let unfinished = unfinished.values.flatMap { $0.stored(OathCredential.self) }
        return (unfinished.filter { $0.id == id }.map(\.counter) + [memory.counters[id] ?? 0]).max()
    }
}

/// Values that an app's storage cannot contain, or that do not have to be read from the storage again.
struct StorageClientCache {
    /// The pushes whose answers are being sent, by the id of the push.
    var claimed: [String: PushBridgeCore.PushNotification] = [:]
    /// The pushes that this process answered, by the id of the push.
    ///
    /// For the same push, the app may have another object that is still pending.
    var answered: [String: PushNotification] = [:]
    /// The next counters that this process stored, by the id of the mechanism.
    ///
    /// For the same mechanism, the app may have another object with an earlier counter.
    var counters: [String: Int] = [:]
    /// The device token, with the credentials whose servers have not confirmed the token; `nil` if no token is cached.
    ///
    /// After all servers have confirmed it, the token is stored in the app's storage.
    var token: PushBridgeCore.PushDeviceToken?
    /// The removals that servers have not confirmed yet, by the id of the mechanism.
    var owedRemovals: [String: UnconfirmedRemoval] = [:]

    /// Applies changes that the storage has accepted.
    mutating func apply(_ changes: RecordChanges) {
        for credential in changes.stored(OathCredential.self) where credential.oathType == .hotp {
            counters[credential.id] = max(credential.counter, counters[credential.id] ?? 0)
        }
        for id in changes.removed(.oath) { counters[id] = nil }
        for notification in changes.stored(PushBridgeCore.PushNotification.self) {
            let value = notification.legacyNotification
            claimed[value.id] = notification.answerClaim == nil ? nil : notification
            answered[value.id] = notification.pending ? nil : PushNotification(value)
        }
        for id in changes.removed(.notification) { (claimed[id], answered[id]) = (nil, nil) }
        if !changes.removed(.deviceToken).isEmpty { token = nil }
        token = changes.stored(PushBridgeCore.PushDeviceToken.self).last ?? token
        for credential in changes.stored(PushCredential.self) {
            owedRemovals[credential.id] = credential.owedRemoval
        }
        for id in changes.removed(.push) { owedRemovals[id] = nil }
    }
}
