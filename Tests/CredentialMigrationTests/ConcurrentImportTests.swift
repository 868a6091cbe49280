import CredentialMigration
import LegacyStore
import PushBridgeCore
import PushBridgePlatform
import PushBridgeStore
import PushBridgeTestSupport
import Testing

/// Another import adds records to the destination while an import is running.
@Suite("Concurrent imports")
struct ConcurrentImportTests {
    /// An import into an empty destination does not replace records that another import adds meanwhile.
    ///
    /// The other import is committed before the first or the second batch.
    @Test(arguments: StoreKind.allCases, [1, 2])
    func recordsThatAnotherImportAddedBeforeABatchAreNotReplaced(
        _ kind: StoreKind,
        _ batch: Int
    ) throws {
        var ahead = LegacyStoreBuilder()
        ahead.account(display: "New name")
        try ahead.push(secret: "Zmlyc3Q")
        try ahead.hotp(counter: 47)
        ahead.notification(approved: true)
        var behind = LegacyStoreBuilder()
        try behind.totp()
        try behind.hotp(counter: 45)
        try behind.push(secret: "c2Vjb25k")
        behind.account(display: "Old name")
        behind.notification()

        let folder = try TemporaryFolder()
        let store = try kind.make(in: folder)
        let other = ahead.source
        let raced = RacedStore(store, before: batch) { _ = try migrate(other, to: store) }
        let receipt = try migrate(behind.source, to: raced, batchSize: batch == 1 ? 500 : 1)
        #expect(receipt.outcomes == [.migrated, .alreadyPresent, .conflict, .kept, .alreadyPresent])
        try store.read { view in
            #expect(try view.oathCredential(id: "hotp-1")?.counter == 47)
            let push = try #require(try view.pushCredential(id: "push-1"))
            #expect(push.sharedSecret == SharedSecret(utf8: "first"))
            #expect(push.displayIssuer == "New name")
            #expect(try view.notifications().map(\.approved) == [true])
        }
    }

    /// An import does not replace the answer that another import has stored for the same notification.
    ///
    /// The other import writes before the second batch.
    @Test(arguments: StoreKind.allCases)
    func anAnswerThatAnotherImportAddedIsNotLost(_ kind: StoreKind) throws {
        var answered = LegacyStoreBuilder()
        try answered.push()
        answered.notification(approved: true)
        var pending = LegacyStoreBuilder()
        try pending.push()
        pending.notification()

        let folder = try TemporaryFolder()
        let store = try kind.make(in: folder)
        let other = answered.source
        let raced = RacedStore(store, before: 2) { _ = try migrate(other, to: store) }
        let receipt = try migrate(pending.source, to: raced, batchSize: 1)
        #expect(receipt.outcomes == [.migrated, .alreadyPresent])
        #expect(try store.read { try $0.notifications().map(\.approved) } == [true])
    }
}

/// A store in which another process writes before a chosen write of this process.
private final class RacedStore: WrappingStore {
    let store: any CredentialStore
    private let writes = Lock(0)
    private let number: Int
    private let rival: @Sendable () throws -> Void

    /// Creates a store that calls `rival` before the write with this number, counted from 1.
    init(_ store: any CredentialStore, before number: Int, rival: @escaping @Sendable () throws -> Void) {
        self.store = store
        self.number = number
        self.rival = rival
    }

    func write<Value>(_ body: (any CredentialWriting) throws -> Value) throws -> Value {
        let current = writes.withValue { writes in
            writes += 1
            return writes
        }
        if current == number { try rival() }
        return try store.write(body)
    }
}
