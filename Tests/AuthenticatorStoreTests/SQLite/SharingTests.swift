import AuthenticatorCore
import AuthenticatorStore
import Foundation
import TestSupport
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

    @Test func aStoreIsMadeOnceHoweverManyTry() throws {
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
