import Foundation
import LegacyFiles
import LegacyStore
import PushBridgeCore
import PushBridgeStore
import PushBridgeTestSupport
import Testing

@testable import CredentialMigration

/// The code of the reason why a record was not migrated.
@Suite("Reasons for results")
struct MigrationReasonTests {
    private let store = MemoryCredentialStore()

    private func codes(_ legacy: LegacyStoreBuilder) throws -> [MigrationReason?] {
        try migrate(legacy.source, to: store).records.map(\.result.code)
    }

    /// A reason in an event has its number; a reason without a number, as in events of earlier versions, can be
    /// decoded.
    @Test func aReasonOfAnEventHasItsNumber() throws {
        let reason = MigrationEvent.Reason(code: .repeatedId, count: 2)
        let encoder = JSONEncoder()
        encoder.outputFormatting = .sortedKeys
        let text = String(decoding: try encoder.encode(reason), as: UTF8.self)
        #expect(text == #"{"code":"repeatedId","count":2,"number":"PB-R007"}"#)
        for json in [text, #"{"code":"repeatedId","count":2}"#] {
            #expect(try JSONDecoder().decode(MigrationEvent.Reason.self, from: Data(json.utf8)) == reason)
        }
    }

    @Test func migratedRecordsHaveNoReason() throws {
        var legacy = LegacyStoreBuilder()
        try legacy.push(secret: "Zmlyc3Q")
        #expect(try codes(legacy) == [nil])
        #expect(try codes(legacy) == [nil])
    }

    @Test func theLedgerStoresTheReasonOfAConflictBetweenSecrets() throws {
        var first = LegacyStoreBuilder()
        try first.push(secret: "Zmlyc3Q")
        _ = try codes(first)
        var second = LegacyStoreBuilder()
        try second.push(secret: "c2Vjb25k")
        #expect(try codes(second) == [.otherSecret])
        let entries = try store.read { try $0.fetch(LedgerEntry.self).values }
        #expect(entries.compactMap(\.result.explicitCode) == [.otherSecret])
        let verified = try CredentialMigration(from: .store(second.source), to: store).verify()
        #expect(verified.records.map(\.result.code) == [.otherSecret])
    }

    @Test func theLedgerOnADiskKeepsTheCode() throws {
        let folder = try TemporaryFolder()
        let key = InMemorySealingKey()
        let path = folder.path("new.db")
        var first = LegacyStoreBuilder()
        try first.push(secret: "Zmlyc3Q")
        var second = LegacyStoreBuilder()
        try second.push(secret: "c2Vjb25k")
        let database = try SQLiteCredentialStore(path: path, key: key, mode: .create)
        for legacy in [first, second] { _ = try migrate(legacy.source, to: database) }
        try database.close()
        let again = try SQLiteCredentialStore(path: path, key: key, mode: .readOnly)
        let entries = try again.read { try $0.fetch(LedgerEntry.self).values }
        #expect(entries.compactMap(\.result.explicitCode) == [.otherSecret])
    }

    @Test func anUnknownReasonCodeIsReadAsTheCodeOfItsOutcome() throws {
        let entry = LedgerEntry(
            record: RecordFingerprint(parts: ["entry"], payload: Data(), occurrence: 0),
            kind: .push,
            key: "key",
            result: MigrationResult(.conflict, issue: .otherSecret),
            recordedAt: Date(timeIntervalSince1970: 0)
        )
        let json = String(decoding: try JSONEncoder().encode(entry), as: UTF8.self)
        #expect(json.contains("otherSecret"))
        let newer = json.replacing("otherSecret", with: "somethingNew")
        let read = try JSONDecoder().decode(LedgerEntry.self, from: Data(newer.utf8))
        #expect(read.result.code == .conflict)
        #expect(read.result.reason == entry.result.reason)
    }

    @Test func damagedFieldsAndSecretsAreDistinguished() throws {
        var legacy = LegacyStoreBuilder()
        try legacy.push(secret: "!!")
        #expect(try codes(legacy) == [.invalidSecret])
        // The fixture contains several kinds of damage. If a field is damaged, the code is `invalidField`.
        let source = try LegacyFile.open(LegacyFixtures.url("damaged.sqlite"))
        let results = try migrate(source, to: MemoryCredentialStore()).records.map(\.result)
        let damaged = results.filter { $0.outcome == .damaged }
        #expect(Set(damaged.compactMap(\.code)).isSuperset(of: [.invalidField, .damaged]))
        #expect(damaged.allSatisfy { $0.code != nil && $0.reason?.isEmpty == false })
    }

    @Test func keptRecordsHaveAReason() throws {
        var legacy = LegacyStoreBuilder()
        legacy.account("lonely")
        try legacy.totp(algorithm: "ripemd160")
        #expect(Set(try codes(legacy)) == [.noCredential, .unsupported])
    }

    @Test(arguments: [
        (LegacyRecordError.Code.locked, MigrationReason.locked), (.undecryptable, .undecryptable),
        (.damaged, .damaged), (.unsupported, .unsupported),
    ])
    func anUnreadableRecordHasAReason(_ code: LegacyRecordError.Code, _ reason: MigrationReason) throws {
        let item = LegacyItem(
            position: .index(0),
            service: .mechanism,
            key: "key",
            payload: .unreadable(LegacyRecordError(code, reason: "So it is."))
        )
        let receipt = try migrate(MemoryLegacySource([item]), to: store)
        #expect(receipt.records.map(\.result.code) == [reason])
    }
}
