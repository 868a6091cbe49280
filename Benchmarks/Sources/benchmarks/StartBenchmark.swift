import CredentialMigration
import FRAuthenticator
import Foundation
@_spi(PushBridgeTools) import LegacyStore
import PushBridgeCore
import PushBridgeInternals
import PushBridgeStore

/// Measures the first start, a later start and the rehearsal of an app whose legacy items are in a keychain.
///
/// The items are sealed as on a device.
struct StartBenchmark {
    let accounts: Int
    let notificationsEach: Int

    func run() throws {
        let keychain = OpenCountingKeychain()
        let key = CountingKey()
        let items = try fill(keychain, key)
        print("\(items) sealed legacy items in an in-memory keychain, imported at the start")
        _ = (keychain.take(), key.take())
        FRAClient.migration.source = .keychain(keychain, key: key)
        var first: [Double] = []
        for _ in 0..<11 {
            try FRAClient.setCredentialStore(KeychainCredentialStore(keychain: InMemoryKeychain()))
            first.append(try start { if case .done = $0 { true } else { false } })
        }
        report("first start", first.median, keychain.take() / 11, key.take() / 11)
        var later: [Double] = []
        for _ in 0..<501 { later.append(try start { if case .nothingToDo = $0 { true } else { false } }) }
        report("later start", later.median, keychain.take() / 501, key.take() / 501)
        // At a start in place, the app may make this rehearsal in the background, once for each version of the app and
        // each change of the items.
        let rehearsal = CredentialMigration(
            from: .keychain(keychain, key: key),
            to: KeychainCredentialStore(keychain: InMemoryKeychain())
        )
        var rehearsals: [Double] = []
        for _ in 0..<11 {
            let before = clock()
            let receipt = try rehearsal.rehearse()
            rehearsals.append(Double(clock() - before) / Double(CLOCKS_PER_SEC) * 1000)
            guard receipt?.records.count == items, receipt?.isComplete == true else {
                throw ChildProcess.Failure(description: "A rehearsal had a wrong outcome.")
            }
        }
        report("rehearsal", rehearsals.median, keychain.take() / 11, key.take() / 11)
    }

    /// Returns the CPU time of the import during one start, on all threads, in milliseconds.
    private func start(_ isRight: (FRAMigration.Outcome) -> Bool) throws -> Double {
        let before = clock()
        let outcome = FRAClient.migration.run()
        let after = clock()
        guard isRight(outcome) else {
            throw ChildProcess.Failure(description: "A start had a wrong outcome.")
        }
        return Double(after - before) / Double(CLOCKS_PER_SEC) * 1000
    }

    private func report(_ name: String, _ milliseconds: Double, _ opened: Int, _ unsealed: Int) {
        print(
            String(format: "  %@: %.2f ms of CPU", name, milliseconds)
                + ", \(opened) items opened, \(unsealed) unsealed"
        )
    }

    private func fill(_ keychain: OpenCountingKeychain, _ key: CountingKey) throws -> Int {
        let generated = GeneratedAccounts(count: accounts, notificationsEach: notificationsEach)
        return try generated.write(to: KeychainWriter(keychain: keychain, key: key.key))
    }
}

extension GeneratedAccounts {
    /// Writes the generated records as the legacy SDK stores them.
    ///
    /// - Returns: The number of items that were written.
    func write(to writer: KeychainWriter) throws -> Int {
        let store = MemoryCredentialStore()
        try write(to: store)
        var records = StoreContents()
        records.accounts = try store.contents().pushCredentials.map { credential in
            var account = credential.account
            account.addedAt = credential.createdAt
            return account
        }
        try store.add(records)
        try CredentialExport(of: store).write(to: writer)
        return writer.count
    }
}

/// Writes legacy records into the keychain items that the legacy SDK uses.
final class KeychainWriter: LegacyStoreWriting {
    private let keychain: any Keychain
    private let key: SoftwareItemKey?
    private(set) var count = 0

    init(keychain: any Keychain, key: SoftwareItemKey?) {
        self.keychain = keychain
        self.key = key
    }

    func write(archive: Data, service: LegacyService, key name: String) throws(LegacyStoreError) {
        do {
            let item = KeychainItem.Name(service: service.rawValue, account: name)
            try keychain.add(KeychainItem(item, data: key?.seal(archive) ?? archive))
        } catch {
            throw LegacyStoreError(.notWritable, reason: "\(error)")
        }
        count += 1
    }

    func finish() {}
}

/// A number that several threads can increase.
private final class Counter: @unchecked Sendable {
    // `lock` guards this property.
    private var count = 0
    private let lock = NSLock()

    func increase() { lock.withLock { count += 1 } }

    /// Returns the number, and sets it to 0.
    func take() -> Int {
        lock.withLock {
            defer { count = 0 }
            return count
        }
    }
}

/// An in-memory keychain that counts how often the data of an item is read.
private final class OpenCountingKeychain: Keychain {
    private let keychain = InMemoryKeychain()
    private let opened = Counter()

    func take() -> Int { opened.take() }

    func add(_ item: KeychainItem) throws(KeychainError) { try keychain.add(item) }

    func update(_ name: KeychainItem.Name, data: Data) throws(KeychainError) {
        try keychain.update(name, data: data)
    }

    func data(_ name: KeychainItem.Name) throws(KeychainError) -> Data? {
        opened.increase()
        return try keychain.data(name)
    }

    func accounts(service: String, accessGroup: String?) throws(KeychainError) -> [String] {
        try keychain.accounts(service: service, accessGroup: accessGroup)
    }

    func changeDates(
        service: String,
        accessGroup: String?
    ) throws(KeychainError) -> [KeychainItem.ChangeDate]? {
        try keychain.changeDates(service: service, accessGroup: accessGroup)
    }

    func remove(_ name: KeychainItem.Name) throws(KeychainError) -> Bool { try keychain.remove(name) }
}

/// A key that counts the sealed items that it decrypts.
///
/// On a device, each decryption is an operation of the Secure Enclave.
private final class CountingKey: LegacyItemKey {
    let key = SoftwareItemKey()
    private let uses = Counter()

    func take() -> Int { uses.take() }

    func open(_ sealed: Data) throws(LegacyRecordError) -> Data {
        uses.increase()
        return try key.open(sealed)
    }
}
