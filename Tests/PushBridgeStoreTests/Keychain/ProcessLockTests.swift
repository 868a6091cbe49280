import Foundation
import PushBridgeCore
import PushBridgePlatform
import PushBridgeTestSupport
import Testing

@testable import PushBridgeStore

/// Each lock and each keychain object in these tests represents a process.
struct ProcessLockTests {
    private let folder: TemporaryFolder

    init() throws {
        folder = try TemporaryFolder()
    }

    private func lock() -> ProcessLock {
        let url = URL(fileURLWithPath: folder.path("group"))
        return ProcessLock { url }
    }

    @Test func processesWithOneFolderExcludeOneAnother() async throws {
        let inside = Lock((now: 0, most: 0))
        try await withThrowingTaskGroup(of: Void.self) { group in
            for _ in 0..<4 {
                let lock = lock()
                group.addTask {
                    for _ in 0..<50 {
                        try lock.withLock {
                            inside.withValue { $0 = ($0.now + 1, max($0.most, $0.now + 1)) }
                            inside.withValue { $0.now -= 1 }
                        }
                    }
                }
            }
            try await group.waitForAll()
        }
        #expect(inside.withValue { $0 } == (0, 1))
    }

    @Test func aNestedCallDoesNotReleaseTheLock() throws {
        let (own, file) = (lock(), folder.path("group") + "/keychain.lock")
        try own.withLock {
            try own.withLock {}
            #expect(Self.isLocked(file))
        }
        #expect(!Self.isLocked(file))
    }

    @Test func anErrorOfTheBodyReleasesTheLock() throws {
        struct Failure: Error {}
        let own = lock()
        #expect(throws: Failure.self) { try own.withLock { throw Failure() } }
        #expect(!Self.isLocked(folder.path("group") + "/keychain.lock"))
    }

    @Test func aFolderThatCannotBeCreatedThrowsAStoreError() throws {
        try Data().write(to: URL(fileURLWithPath: folder.path("group")))
        var ran = false
        #expect(throws: StoreError.self) { try lock().withLock { ran = true } }
        #expect(!ran)
    }

    @Test func aSecondProcessLosesNoChangeOfTheFirst() throws {
        let (items, url) = (InMemoryKeychain(), URL(fileURLWithPath: folder.path("group")))
        let processes = (0..<2).map { _ in
            KeychainCredentialStore(keychain: ProcessKeychain(items, in: url))
        }
        let credential = try OathCredential.sample(movingFactor: .counter(0))
        try processes[0].write { try $0.put(credential) }
        DispatchQueue.concurrentPerform(iterations: 2) { number in
            for _ in 0..<50 {
                try? processes[number].write { view in
                    guard var stored = try view.oathCredential(id: credential.id),
                        case .counter(let count) = stored.movingFactor
                    else { return }
                    stored.movingFactor = .counter(count + 1)
                    try view.put(stored)
                }
            }
        }
        let stored = try processes[0].read { try $0.oathCredential(id: credential.id) }
        #expect(stored?.movingFactor == .counter(100))
    }

    private static func isLocked(_ file: String) -> Bool {
        let descriptor = open(file, O_RDWR)
        defer { close(descriptor) }
        return flock(descriptor, LOCK_EX | LOCK_NB) != 0
    }
}

/// The keychain of a phone, as one process sees it.
private final class ProcessKeychain: WrappingKeychain {
    let keychain: InMemoryKeychain
    private let lock: ProcessLock

    init(_ items: InMemoryKeychain, in folder: URL) {
        (keychain, lock) = (items, ProcessLock { folder })
    }

    func exclusively<Value>(_ body: () throws -> Value) throws -> Value { try lock.withLock(body) }
}
