import Foundation
import PushBridgeCore
import Testing

extension CredentialStoreContract {
    @Test(arguments: StoreKind.allCases)
    func ledgerEntriesComeBackEqualInOrderOfRecording(_ kind: StoreKind) throws {
        let store = try kind.makeStore()
        let entries = MigrationOutcome.allCases.reversed().map {
            LedgerEntry.sample("\($0)", $0, reason: $0 == .damaged ? "" : nil)
        }
        for entry in entries { try store.write { try $0.record(entry) } }
        try store.read { view throws in
            #expect(try view.ledgerEntries() == entries)
            #expect(try entries.map { try view.ledgerEntry(for: $0.record) } == entries)
        }
    }

    @Test(arguments: StoreKind.allCases)
    func recordingAgainReplacesInPlace(_ kind: StoreKind) throws {
        let store = try kind.makeStore()
        let replaced = LedgerEntry.sample("b", .conflict, reason: "Another secret is there.")
        try store.write { view throws in
            for key in ["c", "b", "a"] { try view.record(.sample(key)) }
        }
        try store.write { try $0.record(replaced) }
        #expect(try store.read { try $0.ledgerEntries() } == [.sample("c"), replaced, .sample("a")])
    }

    @Test(arguments: StoreKind.allCases)
    func preservedRecordsComeBackEqualInOrderOfRecording(_ kind: StoreKind) throws {
        let store = try kind.makeStore()
        let records = [
            PreservedRecord.sample("empty", payload: Data()),
            .sample("big", payload: Data((0..<100_000).map { UInt8(truncatingIfNeeded: $0) })),
            PreservedRecord(
                record: .sample("json"),
                kind: .hotp,
                key: "",
                outcome: .unsupported,
                format: .json,
                payload: Data("{}".utf8)
            ),
        ]
        try store.write { try records.forEach($0.preserve) }
        try store.read { view throws in
            #expect(try view.preservedRecords() == records)
            #expect(try records.map { try view.preservedRecord(for: $0.record) } == records)
        }
    }

    @Test(arguments: StoreKind.allCases)
    func aRecordPreservedAnewComesLast(_ kind: StoreKind) throws {
        let store = try kind.makeStore()
        try store.write { view throws in
            for key in ["c", "b", "a"] { try view.preserve(.sample(key)) }
            #expect(try view.removePreservedRecord(for: .sample("c")))
            #expect(try !view.removePreservedRecord(for: .sample("c")))
        }
        try store.write { view throws in
            try view.preserve(.sample("b", payload: Data([1])))
            try view.preserve(.sample("c"))
        }
        #expect(
            try store.read({ try $0.preservedRecords() })
                == [.sample("b", payload: Data([1])), .sample("a"), .sample("c")]
        )
    }
}
