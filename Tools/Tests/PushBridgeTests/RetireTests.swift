import Foundation
import GRDB
import PushBridgeCommandLineTestSupport
import Testing

/// What `retire` says of copies that it cannot reach.
@Suite struct RetireTests {
    private let pushbridge: CommandLineTool

    init() throws {
        pushbridge = try CommandLineTool()
    }

    /// Another program reads the store, so that its log cannot be cleared; a second run clears it.
    @Test func readerOfTheStoreIsAWarningAndASecondRunCleansUp() throws {
        let store = try pushbridge.fixture("everyday.sqlite")
        let database = pushbridge.path("new.db")
        let retire = ["retire", store, "--against", database, "--backup", pushbridge.path("backup")]
        let reader = try DatabaseQueue(path: store)
        try reader.writeWithoutTransaction { try $0.execute(sql: "PRAGMA journal_mode = WAL") }
        #expect(try pushbridge("migrate", store, "--to", database).status == 0)
        let first = try reader.inDatabase { db in
            try db.execute(sql: "BEGIN; SELECT count(*) FROM genp")
            let run = Result { try pushbridge.run(retire) }
            try db.execute(sql: "ROLLBACK")
            return try run.get()
        }
        #expect(first.status == 0)
        #expect(first.output.contains("14 of 14 records left"))
        #expect(first.sentences.count == 1 && first.diagnostics.contains("run this once more"))
        let second = try pushbridge.run(retire)
        #expect(second.status == 0)
        #expect(second.output.contains("nothing is left to retire"))
        #expect(second.diagnostics.isEmpty)
        #expect(try pushbridge.contents()["everyday.sqlite-wal"]?.isEmpty != false)
        try reader.close()
    }
}
