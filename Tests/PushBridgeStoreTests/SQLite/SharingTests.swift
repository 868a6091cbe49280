import Foundation
import GRDB
import PushBridgeCore
import PushBridgePlatform
import PushBridgeStore
import PushBridgeTestSupport
import Testing

@Suite("Sharing a store")
struct SharingTests {
    @Test func twoStoresOnOneFileSeeEachOthersWrites() throws {
        let files = try StoreFiles()
        let one = try files.open(.create)
        let other = try files.open(.create)
        try one.write { try $0.save(PushCredential.sample("one")) }
        try other.write { try $0.save(PushCredential.sample("two")) }
        #expect(try one.read { try $0.pushCredentials().map(\.id) } == ["one", "two"])
        #expect(try other.read { try $0.pushCredentials().map(\.id) } == ["one", "two"])
    }

    @Test func aStoreIsNotifiedOfAnotherStoresChange() async throws {
        let files = try StoreFiles()
        let one = try files.open(.create)
        let other = try files.open(.open)
        let changes = Listener(one.changes)
        // The first element reports the changes that were made before the subscription.
        try await waitFor("the first reported change") { !changes.received.isEmpty }
        let before = changes.received.count
        try other.write { try $0.save(PushCredential.sample("theirs")) }
        try await waitFor("the change by the other connection") { changes.received.count > before }
        #expect(try one.read { try $0.pushCredential(id: "theirs") } != nil)
    }

    #if compiler(>=6.2) && (os(Linux) || os(macOS))
    /// This test runs in a child process, because a suspension applies to all stores of a process.
    @Test func aSuspendedStoreHoldsNoLock() async throws {
        await #expect(processExitsWith: .success) {
            let files = try StoreFiles()
            let store = try files.open(.create)
            try store.write { try $0.save(PushCredential.sample("before")) }
            SQLiteCredentialStore.suspend()
            let error = #expect(throws: StoreError.self) {
                try store.write { try $0.save(PushCredential.sample("while suspended")) }
            }
            #expect(error?.code == .locked)
            let other = try DatabaseQueue(path: files.path)
            try other.write { _ in }
            SQLiteCredentialStore.resume()
            try store.write { try $0.save(PushCredential.sample("after")) }
            #expect(try store.read { try $0.pushCredentials().map(\.id) } == ["after", "before"])
        }
    }
    #endif

    /// A store reports a change that another connection does not signal.
    ///
    /// Like a connection in another process, the connection `silent` does not signal its changes.
    @Test func aStoreReportsAChangeThatIsNotSignalled() async throws {
        let files = try StoreFiles()
        let store = try files.open(.create)
        try store.write { try $0.save(PushNotification.sample("push")) }
        let silent = try DatabaseQueue(path: files.path)
        let changes = Listener(store.changes)
        try await waitFor("the first reported change") { !changes.received.isEmpty }
        let before = changes.received.count
        try await silent.write { try $0.execute(sql: "DELETE FROM record") }
        try await waitFor("the change by the other connection") { changes.received.count > before }
        #expect(try store.read { try $0.notification(id: "push") } == nil)
    }

    @Test func writersWaitForEachOther() throws {
        let files = try StoreFiles()
        let stores = try [files.open(.create), files.open(.open)]
        DispatchQueue.concurrentPerform(iterations: 8) { worker in
            for round in 0..<20 {
                #expect(throws: Never.self) {
                    try stores[worker % 2].write { view in
                        try view.save(PushCredential.sample("\(worker) \(round)"))
                    }
                }
            }
        }
        #expect(try stores[0].read { try $0.pushCredentials().count } == 160)
    }

    /// If two connections to one file answer the same push, only one answer is sent.
    ///
    /// The connections are like those of an app and its extension.
    @Test func onlyOneOfSeveralConcurrentAnswersToAPushIsSent() throws {
        let files = try StoreFiles()
        let stores = try [files.open(.create), files.open(.open)]
        let pushes = (0..<10).map { PushNotification.sample("\($0)", messageId: "message \($0)") }
        try stores[0].write { view throws in
            try view.save(PushCredential.sample())
            try pushes.forEach(view.save)
        }
        let now = Date(timeIntervalSince1970: 1_700_000_000)
        let sent = Lock<[String]>([])
        DispatchQueue.concurrentPerform(iterations: 40) { index in
            let claim = AnswerClaim(id: "\(index)", from: now)
            do {
                let push = pushes[index / 4].id
                _ = try stores[index % 2].claimAnswer(.approve, to: push, claim: claim, now: now)
                sent.withValue { $0.append(push) }
            } catch {
                #expect(error as? PushAnswerError == .notPending)
            }
        }
        #expect(sent.withValue { $0.sorted() } == pushes.map(\.id))
    }

    @Test func simultaneousAttemptsCreateOneStore() throws {
        let files = try StoreFiles()
        DispatchQueue.concurrentPerform(iterations: 6) { worker in
            #expect(throws: Never.self) {
                try files.open(.create).write { try $0.save(PushCredential.sample("\(worker)")) }
            }
        }
        #expect(try files.open().read { try $0.pushCredentials().count } == 6)
        #expect(try files.folder.names().filter { $0.hasPrefix(".new") } == [])
    }
}
