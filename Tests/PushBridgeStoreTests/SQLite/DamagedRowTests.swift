import Crypto
import Foundation
import GRDB
import PushBridgeCore
import Testing

@testable import PushBridgeStore

@Suite("Damaged rows")
struct DamagedRowTests {
    @Test(
        arguments: [
            "x''", "x'01'", "zeroblob(40)", "substr(form, 1, length(form) - 1)", "'text'", "7", "NULL",
        ]
    )
    func aFormThatCannotBeOpenedIsReportedAsDamaged(_ form: String) throws {
        let files = try StoreFiles.filled()
        try files.loosenSchema()
        try files.tamper("UPDATE record SET form = \(form)")
        try files.open(.readOnly).read { view in
            try expectDamage(PushCredential.self, in: view)
            try expectDamage(OathCredential.self, in: view)
            try expectDamage(PushNotification.self, in: view)
            try expectDamage(PushDeviceToken.self, in: view)
            try expectDamage(LedgerEntry.self, 2, in: view)
            try expectDamage(AccountProfile.self, in: view)
        }
    }

    @Test(arguments: ["date = 'yesterday'", "owner = 3", "alias = 0.5", "id = x'00'", "is_open = 'x'"])
    func aSearchedColumnOfAnotherTypeCausesNoTrap(_ change: String) throws {
        let files = try StoreFiles.filled()
        try files.loosenSchema()
        try files.tamper("UPDATE record SET \(change) WHERE kind IN (2, 4)")
        try files.open(.readOnly).read { view in
            _ = try view.pushCredentials()
            _ = try view.notifications(.open)
            _ = try view.count(of: .notification, where: .all)
            _ = try view.ids(of: .push, where: .all)
        }
    }

    @Test(arguments: RecordKind.allCases)
    func mutatedBytesOfARecordCauseNoTrap(_ kind: RecordKind) throws {
        let sealer = Sealer(key: .init(size: .bits256))
        let values: [any StoredRecord] = [
            try PushCredential.sample(), try OathCredential.sample(movingFactor: .counter(.max)),
            PushNotification.sample().filled(), LedgerEntry.sample("kept", verbatim: .sample()),
            PushDeviceToken(tokenId: "00", createdAt: .distantPast), AccountProfile(.sample),
            ImportMark.sample(), LegacyMove(.moving, beganAt: .distantPast, groups: ["group.example"]),
            Tombstone(.push, id: "removed", since: .distantPast),
        ]
        let value = try #require(values.first { type(of: $0).recordKind == kind })
        let bytes = try CompactCoder.encode(value)
        #expect(sealer.open(try sealer.seal(bytes, for: [1]), from: [2]) == nil)
        try expectRoundTrip(value)
        for index in bytes.indices {
            for change in [UInt8(0), 1, 0x7F, 0x80, 0xFF] {
                var mutated = bytes
                mutated[index] = change
                expectNoTrap(like: value, mutated)
            }
            expectNoTrap(like: value, Array(bytes.prefix(index)))
        }
    }

    @Test(arguments: awkwardTexts)
    func theCompactFormKeepsEveryByte(_ text: String) throws {
        var credential = try PushCredential.sample().filled(text: text)
        // A stored credential does not contain the date on which its account was added; the account's own record
        // contains this date.
        credential.account.addedAt = nil
        try expectRoundTrip(credential)
        try expectRoundTrip(PushNotification.sample(text, of: text, messageId: text).filled(text: text))
        try expectRoundTrip(LedgerEntry.sample(text, verbatim: .sample(Data(text.utf8))))
    }

    @Test func aDateThatIsNotANumberIsRefused() throws {
        let store = try StoreFiles().open(.create)
        let invalidDate = Date(timeIntervalSinceReferenceDate: .nan)
        let sentence = "The push credential has a date that is not a number."
        #expect(throws: StoreError(.failed, record: "push", reason: sentence)) {
            try store.write { try $0.save(PushCredential.sample(createdAt: invalidDate)) }
        }
    }

    @Test func oneInvalidRecordRevertsTheWholeTransaction() throws {
        let files = try StoreFiles()
        let store = try files.open(.create)
        let invalidDate = Date(timeIntervalSinceReferenceDate: .nan)
        let sentence = "The notification has a date that is not a number."
        #expect(throws: StoreError(.failed, record: "50", reason: sentence)) {
            try store.write { view in
                for number in 0..<64 {
                    let sentAt = number == 50 ? invalidDate : .distantPast
                    try view.put(PushNotification.sample("\(number)", sentAt: sentAt))
                }
            }
        }
        #expect(try store.read { try $0.count(of: .notification, where: .all) } == 0)
        try store.write { view in try view.put(PushNotification.sample()) }
        #expect(try store.read { try $0.count(of: .notification, where: .all) } == 1)
        try store.close()
    }

    @Test func theCompactFormKeepsAbsentValuesInAList() throws {
        let list = ["a", nil, "b"]
        #expect(try CompactCoder.decode([String?].self, from: CompactCoder.encode(list)) == list)
    }

    private func expectDamage<Value: StoredRecord>(
        _ type: Value.Type,
        _ count: Int = 1,
        in view: any CredentialReading
    ) throws {
        let found = try view.fetch(type)
        #expect(found.isEmpty)
        #expect(found.unreadable.map(\.code) == Array(repeating: .damaged, count: count))
    }

    private func expectRoundTrip<Value: StoredRecord>(_ value: Value) throws {
        #expect(try CompactCoder.decode(Value.self, from: CompactCoder.encode(value)) == value)
    }

    /// Reads a damaged row.
    ///
    /// The read may succeed or throw, but it must not trap.
    private func expectNoTrap<Value: StoredRecord>(like value: Value, _ bytes: [UInt8]) {
        _ = Result { try CompactCoder.decode(Value.self, from: bytes) }
    }
}

extension StoreFiles {
    /// Removes constraints from the schema.
    ///
    /// The rows can then have contents that the schema forbids, as after a disk failure or an attack.
    func loosenSchema() throws {
        try tamper(
            """
            PRAGMA writable_schema = ON;
            UPDATE sqlite_schema SET sql = replace(replace(sql, ') STRICT', ')'), ' NOT NULL', '')
            WHERE type = 'table';
            PRAGMA writable_schema = RESET;
            """
        )
    }
}
