import CredentialMigration
import Foundation
import LegacyFiles
import PushBridgeCore
import PushBridgeStore
import PushBridgeTestSupport
import Testing

/// A store whose ledger contains an outcome of a newer version of PushBridge can still be opened.
@Suite struct NewerLedgerTests {
    @Test(arguments: [StoreKind.sqlite, .keychain])
    func anOutcomeOfANewerVersionIsKeptAndSkipped(_ kind: StoreKind) throws {
        let folder = try TemporaryFolder()
        let store = try kind.make(in: folder)
        let migration = CredentialMigration(from: .file(LegacyFixtures.url("everyday.jsonl")), to: store)
        let receipt = try migration.migrate()
        let record = try #require(receipt.records.first { $0.kind == .hotp })
        let newer = NewerEntry(record.fingerprint, key: record.key)
        try store.write { try $0.put(newer) }

        let verified = try migration.verify()
        #expect(verified.isComplete)
        let result = try #require(verified.records.first { $0.fingerprint == record.fingerprint }?.result)
        #expect((result.outcome, result.code) == (.alreadyPresent, nil))
        #expect(try migration.plan().isComplete)
        #expect(try migration.migrate().isComplete)
        #expect(PushDoctor(of: store).findings.allSatisfy { $0.check != .storeReadable })

        let ledger = try store.read { try $0.fetch(LedgerEntry.self) }
        #expect(ledger.values.count == receipt.records.count - 1)
        #expect(ledger.unreadable.map(\.code) == [.newerVersion])
    }
}

/// A ledger entry as a newer version would write it, with an outcome unknown to this version.
private struct NewerEntry: StoredRecord {
    static let recordKind = RecordKind.ledger
    let record: Data
    let kind: String
    let key: String
    let outcome: String
    let isVerified: Bool
    let recordedAt: Date
    var recordIndex: RecordIndex {
        RecordIndex(id: RecordFingerprint(bytes: record)?.recordID ?? "", date: recordedAt)
    }

    init(_ record: RecordFingerprint, key: String) {
        self.record = record.bytes
        self.key = key
        (kind, outcome, isVerified) = ("hotp", "unknownOutcome", false)
        recordedAt = Date(timeIntervalSinceReferenceDate: 800_000_000)
    }

    /// The members of an entry, by the numbers of the stored form.
    private enum CodingKeys: Int, CodingKey {
        case record = 1
        case kind = 2
        case key = 3
        case outcome = 4
        case isVerified = 7
        case recordedAt = 8
    }
}
