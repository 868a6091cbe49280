import Foundation
package import LegacyStore
package import PushBridgeCore
import PushBridgePlatform

/// Lets an app's own storage serve as a credential store.
///
/// Data without a field in legacy objects is kept in memory: the answers that are on their way, and a device token
/// until every server knows it. The app's storage holds the token before, so that after a restart it is told again.
///
/// No lock is held while the app's storage is called: it may wait for a queue on which the app waits for this store.
/// A change that met another one is made anew; those that are being handed to the storage are shown to later ones.
package final class StorageClientStore: CredentialStore, RecordStore {
    private let client: Lock<any StorageClient>
    private let state = Lock(State())
    private let callers = Lock<Set<ObjectIdentifier>>([])
    private let signal = ChangeSignal()
    /// Keeps what the storage has no fields for; `nil` keeps it as long as the process.
    private let beside: BesideRecords?
    /// Whether the records are in another store from now on; held by each transaction of a storage that can be left.
    private let isLeft: Lock<Bool>?
    /// The legacy SDK's own items, where they are the storage.
    private let keychain: LegacyKeychain?

    /// Takes the storage to adapt.
    package init(_ client: any StorageClient) {
        ArchiveNames.register()
        self.client = Lock(client)
        (beside, isLeft, keychain) = (nil, nil, nil)
    }

    /// Works on the legacy SDK's own keychain items, where they are.
    package init(inPlace keychain: LegacyKeychain) {
        client = Lock(KeychainStorageClient(keychain))
        (beside, isLeft, self.keychain) = (BesideRecords(keychain), Lock(false), keychain)
    }

    /// Has another store take over while no transaction of this one runs; later ones throw ``MovedRecords``.
    ///
    /// - Parameter move: Moves the records, and what the legacy SDK has no fields for; returns whether they are there now.
    /// - Returns: What `move` returned; `nil`, and nothing was done, while an answer is on its way or if they moved before.
    /// - Throws: What `move` throws; this store goes on then.
    func leave<Value>(_ move: (StorageClientCache.Kept) throws -> (Value, isMoved: Bool)) throws -> Value? {
        guard let isPlaceLeft = isLeft else { return nil }
        return try isPlaceLeft.withValue { isLeft in
            let memory = currentState().memory
            guard !isLeft, memory.claimed.isEmpty else { return nil }
            let (value, isMoved) = try move(memory.kept)
            isLeft = isMoved
            if isMoved { signal.send() }
            return value
        }
    }

    /// Whether the records are in another store since.
    var hasLeft: Bool { isLeft?.withValue { $0 } ?? false }

    /// Whether this is the store on the legacy SDK's own items.
    var isInPlace: Bool { isLeft != nil }

    /// The inside of the store.
    package var backing: StoreBacking { StoreBacking(self) }

    /// Calls `body` with a view of what the app's storage holds, again each time that it lacks something.
    package func read<Value>(_ body: (any CredentialReading) throws -> Value) throws -> Value {
        try read(beginningWith: nil) { try body($0) }
    }

    /// As above, but does not ask the app's storage for an object that came from there.
    func read<Value>(
        beginningWith object: (any KnownObject)?,
        _ body: (StorageClientView) throws -> Value
    ) throws -> Value {
        try once { client in
            let start = currentState()
            return try transaction(on: client, at: start, beginningWith: object, body)
        }
    }

    /// Calls `body` with a view whose changes are handed to the app's storage if it does not throw.
    ///
    /// `body` is called again if another change was made meanwhile. Should the storage refuse a change, those before it
    /// are taken back.
    package func write<Value>(_ body: (any CredentialWriting) throws -> Value) throws -> Value {
        try write(beginningWith: nil, body)
    }

    /// As above, but does not ask the app's storage for an object that came from there.
    func write<Value>(
        beginningWith object: (any KnownObject)?,
        _ body: (any CredentialWriting) throws -> Value
    ) throws -> Value {
        try once { client in
            while true {
                let start = currentState()
                let (value, changes, steps) = try transaction(
                    on: client,
                    at: start,
                    beginningWith: object
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
                    try Change.carryOut(steps, in: client)
                } catch {
                    _ = state.withValue { $0.end(number, isDone: false) }
                    throw refusal(of: client) ?? error
                }
                keepCounters(in: client, of: state.withValue { $0.end(number, isDone: true) })
                keepBeside()
                signal.send()
                return value
            }
        }
    }

    package func leftBehind(_ kind: RecordKind) throws -> Set<String> {
        try keychain?.mechanisms(of: Self.kinds(of: kind)) { !$0.travels } ?? []
    }

    package func closedWhileLocked(_ kind: RecordKind) throws -> Set<String> {
        try keychain?.mechanisms(of: Self.kinds(of: kind)) { !$0.opensWhileLocked } ?? []
    }

    /// The kinds of mechanisms that the records of a kind are.
    private static func kinds(of kind: RecordKind) -> Set<LegacyRecordKind> {
        switch kind {
        case .push: [.push]
        case .oath: [.totp, .hotp]
        case .account, .notification, .deviceToken, .ledger, .importMark: []
        }
    }

    /// One element after every change; changes that the app itself makes in its storage are not reported.
    package var changes: AsyncStream<Void> { signal.stream() }

    /// Calls `body` with a view of the storage, until it lacks nothing.
    private func transaction<Value>(
        on client: any StorageClient,
        at start: State,
        beginningWith object: (any KnownObject)?,
        _ body: (StorageClientView) throws -> Value
    ) throws -> Value {
        var loaded = LoadedObjects(
            beginningWith: object,
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
        let value = try MissingRecords.loading(into: &loaded) { demand, loaded in
            try loaded.load(demand, from: client)
        } for: {
            try body(view(of: $0))
        }
        if let refusal = refusal(of: client) { throw refusal }
        if let token = view(of: loaded).tokenRead { learn(token, since: start) }
        return value
    }

    /// Keeps what the storage has no fields for; where there is no place, removals that are owed are not remembered.
    private func keepBeside() {
        if let beside {
            beside.keep(state.withValue(\.memory).kept)
        } else {
            state.withValue { $0.memory.owedRemovals = [:] }
        }
    }

    /// The state, with what an earlier process or another one kept beside the storage.
    private func currentState() -> State {
        guard let beside else { return state.withValue { $0 } }
        return state.withValue { state in
            state.memory = beside.merged(into: state.memory)
            return state
        }
    }

    /// Why a storage whose calls cannot throw did nothing.
    private func refusal(of client: any StorageClient) -> StoreError? {
        (client as? any RefusingStorage)?.takeRefusal()
    }

    /// Remembers the device token that was read, unless something changed meanwhile.
    private func learn(_ token: PushBridgeCore.PushDeviceToken, since start: State) {
        state.withValue { if $0.version == start.version { $0.memory.token = $0.memory.token ?? token } }
    }

    /// Lets others see changes that are about to be handed to the storage; `nil` if another change came first.
    private func begin(_ changes: RecordChanges, since start: State) -> Int? {
        state.withValue { state in
            guard state.version == start.version else { return nil }
            state.version += 1
            state.unfinished[state.version] = changes
            return state.version
        }
    }

    /// Stores later counters again over which a slower thread may have stored its own.
    private func keepCounters(in client: any StorageClient, of changes: RecordChanges) {
        for var credential in changes.stored(OathCredential.self) where credential.oathType == .hotp {
            while let next = state.withValue({ $0.counter(of: credential.id) }), next > credential.counter {
                credential.movingFactor = .counter(next)
                _ = Mechanism.make(credential.legacyMechanism).store(in: client)
            }
        }
    }

    /// Calls `body` with the app's storage, unless this thread is inside such a call already: a storage that calls its
    /// client back would do so without end.
    private func once<Value>(_ body: (any StorageClient) throws -> Value) throws -> Value {
        if let isLeft {
            return try isLeft.withValue { isLeft in
                guard !isLeft else { throw MovedRecords() }
                let client = client.withValue { $0 }
                let result = Result { try body(client) }
                // What the keychain refused is why `body` missed a record, and is no matter of the next transaction.
                if let refusal = refusal(of: client) { throw refusal }
                return try result.get()
            }
        }
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
    /// All accounts with their mechanisms, those included that no credential can be made of, as the storage lists them.
    func accountRecords() throws -> [AccountRecord] {
        try once { client in client.getAllAccounts().map { AccountRecord($0, in: client) } }
    }

    /// An account with its mechanisms; `nil` if there is none.
    func accountRecord(_ key: AccountKey) throws -> AccountRecord? {
        let account = try read(beginningWith: nil) { try $0.loaded.account(key) }
        return try account.map { account in try once { AccountRecord(account, in: $0) } }
    }

    /// Refuses an account whose legacy key is another one's, before a server is asked to enrol it.
    ///
    /// - Throws: ``StoreError`` with the code `notWritable`: the legacy SDK keeps one account under a key.
    func checkPlace(for key: AccountKey) throws {
        let holder = try read(beginningWith: nil) { try $0.loaded.holder(of: key.legacyIdentifier) }
        if let holder, holder.profile.key != key { throw StoreError.taken(key.legacyIdentifier) }
    }

    /// The account that the storage finds under an identifier, with its mechanisms.
    func accountRecord(identifier: String) throws -> AccountRecord? {
        try once { client in
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

/// The state beside the storage at one moment.
private struct State {
    var memory = StorageClientCache()
    /// Counts the changes that began or ended.
    var version = 0
    /// The changes that are being handed to the storage, in the order of their numbers.
    var unfinished: [Int: RecordChanges] = [:]

    mutating func end(_ number: Int, isDone: Bool) -> RecordChanges {
        version += 1
        let changes = unfinished.removeValue(forKey: number) ?? RecordChanges()
        if isDone { memory.note(changes) }
        return changes
    }

    /// The latest counter of a mechanism that this process stored or is storing.
    func counter(of id: String) -> Int? {
        let unfinished = unfinished.values.flatMap { $0.stored(OathCredential.self) }
        return (unfinished.filter { $0.id == id }.map(\.counter) + [memory.counters[id] ?? 0]).max()
    }
}

/// Values that an app's storage cannot hold, or need not be loaded from it again.
struct StorageClientCache {
    /// The pushes with an answer on its way, by id.
    var claimed: [String: PushBridgeCore.PushNotification] = [:]
    /// The pushes that this process answered, by id: other objects of them still say that they are pending.
    var answered: [String: PushNotification] = [:]
    /// The next counters that this process stored, by the id of the mechanism: other objects of it may be behind.
    var counters: [String: Int] = [:]
    /// The device token, and which servers do not know it; the storage gets it when all do.
    var token: PushBridgeCore.PushDeviceToken?
    /// The removals that servers have not agreed to yet, by the id of the mechanism.
    var owedRemovals: [String: OwedRemoval] = [:]

    /// What outlives the process where there is a place for it.
    struct Kept: Codable, Equatable {
        var token: PushBridgeCore.PushDeviceToken?
        /// The token that the legacy SDK's own item had when `token` was kept.
        var stored: StoredToken?
        var owedRemovals: [String: OwedRemoval]
    }

    /// A device token of the legacy SDK's.
    struct StoredToken: Codable, Equatable {
        let token: String
        let createdAt: Date
    }

    var kept: Kept {
        get { Kept(token: token, owedRemovals: owedRemovals) }
        set { (token, owedRemovals) = (newValue.token, newValue.owedRemovals) }
    }

    /// Remembers changes that the storage took.
    mutating func note(_ changes: RecordChanges) {
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

/// That the records are in another store since; the transaction is to be made there.
struct MovedRecords: Error {}
