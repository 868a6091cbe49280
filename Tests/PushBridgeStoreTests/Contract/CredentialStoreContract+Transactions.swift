import Foundation
import PushBridgeCore
import PushBridgePlatform
import Testing

extension CredentialStoreContract {
    private struct Refusal: Error, Equatable {}

    @Test(arguments: StoreKind.general)
    func aWriteThatThrowsStoresNoChange(_ kind: StoreKind) throws {
        let store = try kind.makeStore()
        try store.write { try $0.save(PushCredential.sample("kept")) }
        #expect(throws: Refusal()) {
            try store.write { view throws in
                try view.save(PushCredential.sample("new"))
                try view.remove(.push, where: RecordQuery(id: "kept"))
                try view.save(PushNotification.sample())
                try view.save(PushDeviceToken(tokenId: "00", createdAt: .distantPast))
                try view.record(.sample("a"))
                try view.save(AccountProfile(.other))
                throw Refusal()
            }
        }
        try store.read { view throws in
            #expect(try view.pushCredentials().map(\.id) == ["kept"])
            #expect(try view.notifications().values == [])
            #expect(try view.deviceToken() == nil)
            #expect(try view.fetch(LedgerEntry.self).values == [])
            #expect(try view.accounts().values == [])
        }
    }

    @Test(arguments: StoreKind.allCases)
    func aTransactionReturnsTheValueOrThrowsTheErrorOfItsBody(_ kind: StoreKind) throws {
        let store = try kind.makeStore()
        #expect(try store.read { _ in 1 } == 1)
        #expect(try store.write { _ in 2 } == 2)
        #expect(throws: Refusal()) { try store.read { _ in throw Refusal() } }
        try store.write { try $0.save(PushCredential.sample()) }
        #expect(throws: Refusal()) {
            try store.read { view in
                _ = try view.forEachCredential(PushCredential.self) { _ in throw Refusal() }
            }
        }
        #expect(try store.read { try $0.pushCredentials().count } == 1)
    }

    // The stream ends if its task is cancelled, so this time limit also ends the wait.
    @Test(.timeLimit(.minutes(2)), arguments: StoreKind.general)
    func aListenerReceivesEveryCommittedChange(_ kind: StoreKind) async throws {
        let store = try kind.makeStore()
        var changes = store.changes.makeAsyncIterator()
        for id in ["a", "b"] {
            try store.write { try $0.save(PushCredential.sample(id)) }
            #expect(await changes.next() != nil)
            #expect(try store.read { try $0.pushCredential(id: id) } != nil)
        }
    }

    @Test(arguments: StoreKind.allCases)
    func aWriteSeesItsOwnChanges(_ kind: StoreKind) throws {
        let store = try kind.makeStore()
        try store.write { view throws in
            try view.save(PushCredential.sample())
            #expect(try view.pushCredential(id: "push") == .sample())
            #expect(try view.pushCredentials(account: .sample).count == 1)
            try view.remove(.push, where: RecordQuery(id: "push"))
            #expect(try view.pushCredentials().values == [])
        }
    }

    /// If a transaction changes many rows, a SQLite store seals the rows on another thread; the transaction
    /// still sees its changes.
    @Test(arguments: StoreKind.general, [63, 64, 65, 700])
    func aWriteSeesAnyNumberOfItsOwnChanges(_ kind: StoreKind, _ count: Int) throws {
        let store = try kind.makeStore()
        let ids = (0..<count).map { "\(1000 + $0)" }
        let old = ids.map { PushNotification.sample($0) }
        let new = ids.map { PushNotification.sample($0, pending: false) }
        try store.write { view throws in
            try old.forEach(view.put)
            #expect(try view.count(of: .notification, where: .all) == count)
            try new.forEach(view.put)
            #expect(try view.ids(of: .notification, where: .all) == ids)
            try new.dropLast().forEach(view.put)
            try view.remove(.notification, where: RecordQuery(id: ids[count - 1]))
        }
        try store.write { view throws in
            try new.forEach(view.put)
            let found = try view.fetch(PushNotification.self, where: RecordQuery(owner: "push"))
            #expect(found.values == new)
            try old.forEach(view.put)
            _ = try view.forEach(PushNotification.self, where: .all) { notification in
                try view.put(PushNotification.sample(notification.id, pending: false))
            }
        }
        let stored = try store.read { try $0.fetch(PushNotification.self) }
        #expect(stored.values == new)
    }

    @Test(arguments: StoreKind.general)
    func anIterationDoesNotSeeChangesThatItsBodyMakes(_ kind: StoreKind) throws {
        let store = try kind.makeStore()
        let ids = (10..<30).map { "\($0)" }
        try store.write { view in try ids.forEach { try view.save(PushNotification.sample($0)) } }
        let visited = try store.write { view throws in
            var visited: [String] = []
            _ = try view.forEach(PushNotification.self, where: .all) { notification in
                visited.append(notification.id)
                try view.removeNotification(id: "29")
                try view.save(
                    PushNotification.sample(notification.id, sentAt: .distantFuture, pending: false)
                )
                try view.save(PushNotification.sample("new " + notification.id, sentAt: .distantFuture))
            }
            return visited
        }
        #expect(visited == ids)
        #expect(try store.read { try $0.count(of: .notification, where: .all) } == 40)
    }

    @Test(arguments: StoreKind.general)
    func iterationsCanBeNested(_ kind: StoreKind) throws {
        let store = try kind.makeStore()
        try store.write { view throws in
            for id in ["a", "b"] { try view.save(PushCredential.sample(id)) }
        }
        let pairs = try store.read { view throws in
            var pairs: [String] = []
            _ = try view.forEachCredential(PushCredential.self) { outer in
                _ = try view.forEachCredential(PushCredential.self) { inner in
                    pairs.append(outer.id + inner.id)
                }
            }
            return pairs
        }
        #expect(pairs == ["aa", "ab", "ba", "bb"])
    }

    @Test(arguments: StoreKind.general)
    func readersSeeWholeTransactionsWhileManyThreadsWrite(_ kind: StoreKind) throws {
        let store = try kind.makeStore()
        let writers = 4
        let rounds = 25
        let failures = Failures()
        DispatchQueue.concurrentPerform(iterations: writers * 2) { worker in
            failures.noting {
                for round in 0..<rounds {
                    guard worker < writers else {
                        try store.read { view throws in
                            let credentials = try view.pushCredentials().map(\.id).sorted()
                            let recorded = try view.fetch(LedgerEntry.self).map(\.key).sorted()
                            if credentials != recorded { throw Refusal() }
                        }
                        continue
                    }
                    try store.write { view throws in
                        try view.save(PushCredential.sample("\(worker)-\(round)"))
                        try view.record(.sample("\(worker)-\(round)"))
                    }
                }
            }
        }
        #expect(failures.all.isEmpty)
        #expect(try store.read { try $0.pushCredentials().count } == writers * rounds)
    }
}

/// Collects errors from many threads.
private final class Failures: Sendable {
    private let errors = Lock<[String]>([])

    var all: [String] { errors.withValue { $0 } }

    func noting(_ body: () throws -> Void) {
        do {
            try body()
        } catch {
            errors.withValue { $0.append("\(error)") }
        }
    }
}
