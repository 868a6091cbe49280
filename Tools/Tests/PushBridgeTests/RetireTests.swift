import Foundation
import GRDB
import PushBridgeCommandLineTestSupport
import Testing

/// The warnings of `retire` about copies that it cannot reach.
///
/// The tests also cover the clean-up of files that killed runs have left, and a database that is replaced during a
/// write.
@Suite struct RetireTests {
    private let pushbridge: CommandLineTool

    init() throws {
        pushbridge = try CommandLineTool()
    }

    /// While another program reads the store, the command cannot clear the store's log; a second run clears it.
    @Test func aSecondRunClearsTheLogThatAReaderBlocked() throws {
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
        #expect(first.sentences.count == 1 && first.diagnostics.contains("repeat the removal"))
        let second = try pushbridge.run(retire)
        #expect(second.status == 0)
        #expect(second.output.contains("nothing is left to retire"))
        #expect(second.diagnostics.isEmpty)
        #expect(try pushbridge.contents()["everyday.sqlite-wal"]?.isEmpty != false)
        try reader.close()
    }

    /// Killed runs can leave a renamed store, which contains all secrets, and a partial export, which contains some.
    @Test func leftoversOfKilledRunsAreReportedAndLaterRemoved() throws {
        let store = try pushbridge.fixture("everyday.jsonl")
        let (database, backup) = (pushbridge.path("new.db"), pushbridge.path("backup"))
        #expect(try pushbridge("migrate", store, "--to", database).status == 0)
        let old = try pushbridge.file(
            ".everyday.jsonl.pushbridge-old",
            try Data(contentsOf: URL(fileURLWithPath: store))
        )
        for command in [["inspect", store], ["verify", store, "--against", database]] {
            let run = try pushbridge.run(command)
            #expect(run.status == 0)
            #expect(run.diagnostics.contains("\(old) is the store itself"))
        }
        let retired = try pushbridge("retire", store, "--against", database, "--backup", backup)
        #expect(retired.status == 0)
        #expect(retired.diagnostics.contains("Removed \(old)"))

        let half = try pushbridge.file(".other.pushbridge-new")
        let export = try pushbridge(
            "export",
            database,
            "--to",
            pushbridge.path("export.json"),
            "--as",
            "legacy-json",
            "--include-secrets"
        )
        #expect(export.status == 0)
        #expect(export.diagnostics.contains("Removed \(half)"))
        #expect(try pushbridge.contents().keys.filter { $0.hasPrefix(".") }.isEmpty)
    }

    /// Data that is written to a replaced database would be lost, because no path leads to the old file.
    @Test func aDatabaseReplacedDuringAWriteIsATemporaryFailure() throws {
        let store = try pushbridge.fixture("everyday.jsonl")
        let (database, other) = (pushbridge.path("new.db"), pushbridge.path("other.db"))
        for path in [database, other] {
            #expect(try pushbridge("migrate", store, "--to", path).status == 0)
        }
        // Each repetition of a line is a separate record in the ledger.
        let lines = try String(contentsOfFile: store, encoding: .utf8)
        let large = try pushbridge.file("large.jsonl", Data(String(repeating: lines, count: 1_000).utf8))
        let run = try pushbridge.run(["migrate", large, "--to", database], limits: Self.replacing)
        #expect(run.status == 75)
        #expect(run.diagnostics.contains("was removed or replaced while it was in use"))
    }

    /// While the command writes the first database, the other database is moved to the first database's path.
    private static let replacing = """
        {
            (
                cd "$(dirname "$4")"
                for _ in {1..3000}; do [ ! -s new.db-wal ] || break; sleep 0.01; done
                mv other.db new.db
            ) &
        }
        """
}
