import Foundation
import PushBridgeCore
import Testing

extension CredentialStoreContract {
    @Test(arguments: StoreKind.general)
    func ledgerEntriesRoundTripInOrderOfRecording(_ kind: StoreKind) throws {
        let store = try kind.makeStore()
        let entries = MigrationOutcome.allCases.reversed().map {
            LedgerEntry.sample("\($0)", $0, reason: $0 == .damaged ? "" : nil)
        }
        for entry in entries { try store.write { try $0.record(entry) } }
        try store.read { view throws in
            #expect(try view.fetch(LedgerEntry.self).values == entries)
            #expect(try entries.map { try view.ledgerEntry(for: $0.record) } == entries)
        }
    }

    @Test(arguments: StoreKind.general)
    func aLedgerEntryThatIsRecordedAgainKeepsItsPosition(_ kind: StoreKind) throws {
        let store = try kind.makeStore()
        let replaced = LedgerEntry.sample("b", .conflict, reason: "Another secret is stored.")
        try store.write { view throws in
            for key in ["c", "b", "a"] { try view.record(.sample(key)) }
        }
        try store.write { try $0.record(replaced) }
        #expect(
            try store.read { try $0.fetch(LedgerEntry.self).values } == [
                .sample("c"), replaced, .sample("a"),
            ]
        )
    }

    @Test(arguments: StoreKind.general)
    func verbatimRecordsRoundTripInOrderOfRecording(_ kind: StoreKind) throws {
        let store = try kind.makeStore()
        let kept: [LedgerEntry] = [
            .sample("empty", .kept, verbatim: .sample(Data())),
            .sample(
                "big",
                .kept,
                verbatim: .sample(Data((0..<100_000).map { UInt8(truncatingIfNeeded: $0) }))
            ),
            .sample("json", .unsupported, verbatim: VerbatimRecord(format: .json, payload: Data("{}".utf8))),
        ]
        try store.write { view in
            try view.record(.sample("gone"))
            try kept.forEach(view.record)
            try view.record(.sample("migrated"))
        }
        try store.read { view throws in
            #expect(try view.keptRecords().values == kept)
            #expect(try kept.map { try view.ledgerEntry(for: $0.record) } == kept)
        }
        try store.write { try $0.record(.sample("big")) }
        #expect(try store.read { try $0.keptRecords().values } == [kept[0], kept[2]])
    }

    @Test(arguments: StoreKind.general)
    func thereIsOneImportMarkForEachSource(_ kind: StoreKind) throws {
        let store = try kind.makeStore()
        try store.write { try $0.put(ImportMark.sample()) }
        try store.write { view in
            try view.put(ImportMark.sample("keychain", "another digest"))
            try view.put(ImportMark.sample("other"))
        }
        try store.read { view throws in
            let marks = try ["keychain", "other", "none"].map { source in
                try view.first(ImportMark.self, where: RecordQuery(id: source))
            }
            #expect(marks == [.sample("keychain", "another digest"), .sample("other"), nil])
        }
    }
}
