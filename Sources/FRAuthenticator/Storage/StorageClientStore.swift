package import PushBridgeCore
import PushBridgePlatform

/// Lets an app's own storage serve as a credential store.
///
/// What legacy objects have no field for lives in memory: the answers that are on their way, and a device token
/// until every server knows it. The app's storage holds the token before, so that after a restart it is told again.
package final class StorageClientStore: CredentialStore {
    private let client: Lock<any StorageClient>
    private let memory = Lock(StorageClientMemory())
    private let writing = Lock(0)
    private let signal = ChangeSignal()

    /// Takes the storage to adapt.
    package init(_ client: any StorageClient) {
        self.client = Lock(client)
    }

    /// Calls `body` with a view that reads from the app's storage.
    package func read<Value>(_ body: (any CredentialReading) throws -> Value) throws -> Value {
        try body(newView())
    }

    /// Calls `body` with a view whose changes are handed to the app's storage if it does not throw.
    ///
    /// Writers wait for each other. Should the storage refuse a change, those before it are taken back.
    package func write<Value>(_ body: (any CredentialWriting) throws -> Value) throws -> Value {
        let value = try writing.withValue { _ in
            let view = newView()
            let value = try body(view)
            let memory = try view.commit()
            self.memory.withValue { $0 = memory }
            return value
        }
        signal.send()
        return value
    }

    /// One element after every write; what the app itself changes in its storage is not heard of.
    package var changes: AsyncStream<Void> { signal.stream() }

    private func newView() -> StorageClientView {
        StorageClientView(client.withValue { $0 }, memory.withValue { $0 })
    }
}

/// What an app's storage cannot hold.
struct StorageClientMemory {
    /// The answers on their way, by message id.
    var claims: [String: AnswerClaim] = [:]
    /// The device token while some server does not know it.
    var owedToken: PushBridgeCore.PushDeviceToken?
}
