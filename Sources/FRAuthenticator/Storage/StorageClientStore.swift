import Foundation
package import PushBridgeCore
import PushBridgePlatform
import PushBridgeStore

/// Lets an app's own storage serve as a credential store.
///
/// What legacy objects have no field for lives in memory: the answers that are on their way, and a device token
/// until every server knows it. The app's storage holds the token before, so that after a restart it is told again.
package final class StorageClientStore: CredentialStore, RecordStore {
    private let client: Lock<any StorageClient>
    private let memory = Lock(StorageClientMemory())
    private let writing = Lock(0)
    private let callers = Lock<Set<ObjectIdentifier>>([])
    private let signal = ChangeSignal()

    /// Takes the storage to adapt.
    package init(_ client: any StorageClient) {
        ArchiveNames.register()
        self.client = Lock(client)
    }

    /// The inside of the store.
    package var backing: StoreBacking { StoreBacking(self) }

    /// Calls `body` with a view that reads from the app's storage.
    package func read<Value>(_ body: (any CredentialReading) throws -> Value) throws -> Value {
        try read(showing: nil, body)
    }

    /// As above, but does not ask the app's storage for an object that came from there.
    func read<Value>(
        showing object: (any StorageObject)?,
        _ body: (any CredentialReading) throws -> Value
    ) throws -> Value {
        try once {
            let view = newView()
            if let object { view.show(object) }
            return try body(view)
        }
    }

    /// Calls `body` with a view whose changes are handed to the app's storage if it does not throw.
    ///
    /// Writers wait for each other. Should the storage refuse a change, those before it are taken back.
    package func write<Value>(_ body: (any CredentialWriting) throws -> Value) throws -> Value {
        try write(showing: nil, body)
    }

    /// As above, but does not ask the app's storage for an object that came from there.
    func write<Value>(
        showing object: (any StorageObject)?,
        _ body: (any CredentialWriting) throws -> Value
    ) throws -> Value {
        let (value, isChanged) = try once {
            try writing.withValue { _ in
                let view = newView()
                if let object { view.show(object) }
                let overlay = RecordOverlay(over: view)
                let value = try body(overlay)
                let memory = try view.commit(overlay.changes)
                self.memory.withValue { $0 = memory }
                return (value, !overlay.changes.isEmpty)
            }
        }
        if isChanged { signal.send() }
        return value
    }

    /// One element after every change; what the app itself changes in its storage is not heard of.
    package var changes: AsyncStream<Void> { signal.stream() }

    private func newView() -> StorageClientView {
        StorageClientView(client.withValue { $0 }, memory.withValue { $0 })
    }

    /// Calls `body`, unless this thread is inside such a call already: a storage that calls its client back would wait
    /// for itself.
    private func once<Value>(_ body: () throws -> Value) throws -> Value {
        let thread = ObjectIdentifier(Thread.current)
        guard callers.withValue({ $0.insert(thread).inserted }) else {
            throw StoreError(
                .failed,
                reason: "The app's StorageClient called FRAClient while FRAClient was calling it."
            )
        }
        defer { _ = callers.withValue { $0.remove(thread) } }
        return try body()
    }
}

/// What an app's storage cannot hold.
struct StorageClientMemory {
    /// The pushes with an answer on its way, by id.
    var claimed: [String: PushBridgeCore.PushNotification] = [:]
    /// The pushes that this process answered, by id: other objects of them still say that they are pending.
    var answered: [String: PushNotification] = [:]
    /// The next counters that this process stored, by the id of the mechanism: other objects of it may be behind.
    var counters: [String: Int] = [:]
    /// The device token while some server does not know it, or always if the storage keeps none.
    var owedToken: PushBridgeCore.PushDeviceToken?
}
