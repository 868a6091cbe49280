import Foundation
import GRDB
import PushBridgeCommandLine
import PushBridgeCommandLineTestSupport
import PushBridgeCore
import PushBridgeTestSupport
import Testing

@testable import PushBridgeMigrating

/// For bad input, the command prints one clear message, returns the documented exit status, and changes
/// nothing.
@Suite struct BadInputTests {
    private let pushbridge: CommandLineTool

    init() throws {
        pushbridge = try CommandLineTool()
    }

    private static let picture =
        Data([0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A]) + Data(repeating: 7, count: 99)

    private func expectRefusal(
        _ status: Int32,
        _ run: () throws -> CommandLineTool.Run,
        sourceLocation: SourceLocation = #_sourceLocation
    ) throws {
        let before = try pushbridge.contents()
        let run = try run()
        #expect(run.status == status, "\(run)", sourceLocation: sourceLocation)
        #expect(run.sentences.count == 1, "\(run)", sourceLocation: sourceLocation)
        #expect(run.diagnostics.hasPrefix("pushbridge: "), sourceLocation: sourceLocation)
        #expect(run.output.isEmpty, sourceLocation: sourceLocation)
        #expect(try pushbridge.contents() == before, sourceLocation: sourceLocation)
    }

    @Test func foreignSourceIsRefused() throws {
        try FileManager.default.createDirectory(
            atPath: pushbridge.path("folder"),
            withIntermediateDirectories: false
        )
        let sources = [
            pushbridge.path("missing"), pushbridge.path("folder"),
            try pushbridge.file("picture.png", Self.picture), try pushbridge.file("text", Data("hello".utf8)),
            try pushbridge.file("other.json", Data(#"{"name":"value"}"#.utf8)),
            try pushbridge.file("other.plist", try foreignPropertyList()),
        ]
        for source in sources { try expectRefusal(66) { try pushbridge("inspect", source) } }
        // `inspect` is not tested with the last two stores, because without a destination it cannot distinguish
        // them from retired stores.
        for source in sources + [try pushbridge.file("empty"), try foreignKeychain()] {
            try expectRefusal(66) { try pushbridge("plan", source, "--to", pushbridge.path("new.db")) }
            try expectRefusal(66) { try pushbridge("migrate", source, "--to", pushbridge.path("new.db")) }
        }
    }

    #if os(Linux)
    /// Of the supported systems, only Linux allows file names that are not UTF-8.
    @Test func aStoreWhoseNameIsNotUTF8IsRefusedWithTheReason() throws {
        let name = "\(pushbridge.folder.url("bad").path)\\377.jsonl"
        let database = pushbridge.path("new.db")
        let create = #"n=$(printf '\#(name)'); : > "$n"; set -- "$1" "$n" "${@:2}""#
        for command in [["inspect"], ["plan", "--to", database], ["migrate", "--to", database]] {
            let run = try pushbridge.run(command, limits: create)
            #expect(run.status == 66, "\(run)")
            #expect(run.sentences.count == 1 && run.output.isEmpty, "\(run)")
            #expect(run.diagnostics.contains("its name is not valid UTF-8"), "\(run)")
            #expect(!FileManager.default.fileExists(atPath: database))
        }
        let many = ["migrate", "--into", pushbridge.path("out"), "--json"]
        let run = try pushbridge.run(many, limits: create)
        #expect(run.status == 66 && run.output.contains("its name is not valid UTF-8"), "\(run)")
    }
    #endif

    /// The message does not state that a database without its log is empty, because all records may be in the log.
    @Test func aDatabaseWithoutItsLogIsNotCalledEmpty() throws {
        let path = pushbridge.path("keychain.db")
        func execute(_ statement: String) throws {
            let queue = try DatabaseQueue(path: path)
            try queue.writeWithoutTransaction { try $0.execute(sql: statement) }
            try queue.close()
        }
        try execute("CREATE TABLE genp(agrp TEXT, svce TEXT, acct TEXT, data BLOB)")
        let complete = try pushbridge("inspect", path)
        #expect(complete.status == 0 && complete.output.contains("empty"))
        try execute("PRAGMA journal_mode = WAL")
        let run = try pushbridge("inspect", path)
        #expect(run.status == 1 && run.output.contains("no records without its log"))
        #expect(!run.output.contains("empty"))
        #expect(run.diagnostics.contains("keychain.db-wal, which is missing"))
    }

    /// If a database lacks its log, the other commands do not call the database empty either.
    ///
    /// The status is 66 if no destination exists. The status is 1 if a destination exists, and for `doctor`.
    @Test(arguments: [false, true])
    func noCommandCallsADatabaseWithoutItsLogEmpty(_ asJSON: Bool) throws {
        let path = pushbridge.path("keychain.db")
        let queue = try DatabaseQueue(path: path)
        try queue.writeWithoutTransaction { db in
            try db.execute(sql: "CREATE TABLE genp(agrp TEXT, svce TEXT, acct TEXT, data BLOB)")
            try db.execute(sql: "PRAGMA journal_mode = WAL")
        }
        try queue.close()
        let (new, known) = (pushbridge.path("new.db"), pushbridge.path("known.db"))
        #expect(try pushbridge("migrate", pushbridge.fixture("everyday.sqlite"), "--to", known).status == 0)
        let form = asJSON ? ["--json"] : []
        for command in [["plan", path, "--to", new], ["migrate", path, "--to", new], ["verify", path]] {
            let run = try pushbridge.run(command + form)
            #expect(
                run.status == 66 && run.diagnostics.contains("no records without its log keychain.db-wal")
            )
        }
        // A closed credential store has no log either, but it lacks no records.
        #expect(try !pushbridge.run(["doctor", known] + form).diagnostics.contains("which is missing"))
        let backup = pushbridge.path("backup")
        for command in [
            ["doctor", path], ["verify", path, "--against", known], ["migrate", path, "--to", known],
            ["plan", path, "--to", known], ["retire", path, "--against", known, "--backup", backup],
        ] {
            let run = try pushbridge.run(command + form)
            #expect(run.status == 1, "\(command)")
            #expect(run.diagnostics.contains("keychain.db-wal, which is missing"))
            guard !asJSON else { continue }
            #expect(run.output.contains("no records, but its log is missing"))
            #expect(!run.output.contains("othing is left") && !run.output.contains("checks found nothing"))
        }
    }

    @Test func foreignDestinationIsRefused() throws {
        let store = try pushbridge.fixture("everyday.sqlite")
        try FileManager.default.createDirectory(
            atPath: pushbridge.path("folder"),
            withIntermediateDirectories: false
        )
        let destinations = [
            pushbridge.path("folder"), try pushbridge.file("picture.png", Self.picture),
            try pushbridge.file("empty"),
            try pushbridge.fixture("edges.sqlite"), pushbridge.path("missing/new.db"),
            "/proc/pushbridge/new.db",
        ]
        for destination in destinations {
            try expectRefusal(73) { try pushbridge("plan", store, "--to", destination) }
            try expectRefusal(73) { try pushbridge("migrate", store, "--to", destination) }
        }
    }

    @Test func foreignCredentialStoreIsRefused() throws {
        let store = try pushbridge.fixture("everyday.sqlite")
        for database in [
            pushbridge.path("missing.db"), try pushbridge.file("picture.png", Self.picture), store,
        ] {
            try expectRefusal(66) { try pushbridge("credentials", database) }
            try expectRefusal(66) { try pushbridge("verify", store, "--against", database) }
            try expectRefusal(66) {
                try pushbridge("retire", store, "--against", database, "--backup", pushbridge.path("backup"))
            }
            try expectRefusal(66) {
                try pushbridge("export", database, "--as", "legacy-json", "--to", pushbridge.path("out"))
            }
        }
    }

    /// A file name may contain control sequences for a terminal.
    @Test func fileNamesCannotControlTheTerminal() throws {
        let file = pushbridge.folder.url("a\u{1B}]0;title\u{7}\nb.jsonl")
        try FileManager.default.copyItem(at: LegacyFixtures.url("everyday.jsonl"), to: file)
        for arguments in [["inspect", file.path], ["doctor", file.path], ["verify", file.path]] {
            let run = try pushbridge.run(arguments)
            #expect(
                !(run.output + run.diagnostics).contains { $0 == "\u{1B}" || $0 == "\u{7}" },
                "\(arguments)"
            )
            // The whole name is on one line.
            #expect(run.output.contains(" b.jsonl"))
        }
    }

    /// Messages show the path as the user gave it.
    ///
    /// If the file is a credential store, the message calls the file a credential store.
    @Test func messagesContainThePathAndTheKindOfFile() throws {
        let store = try pushbridge.fixture("everyday.jsonl")
        let database = pushbridge.path("new.db")
        #expect(try pushbridge("migrate", store, "--to", database).status == 0)
        let backup = pushbridge.path("missing/backup")
        let retire = try pushbridge("retire", store, "--against", database, "--backup", backup)
        let words = "\(backup) cannot be written: no such file or directory."
        #expect(retire.sentences == ["pushbridge: \(words)"])
        #expect(try pushbridge("inspect", "/dev/null").diagnostics.contains("/dev/null is not"))
        for arguments in [["inspect"], ["migrate", "--to", pushbridge.path("other.db")]] {
            let run = try pushbridge.run(arguments + [database])
            let words = "\(database) is a credential store; see `pushbridge credentials`."
            #expect(run.sentences == ["pushbridge: \(words)"])
            #expect(run.status == 66)
        }
    }

    @Test func anEmptyPathIsReportedAsEmpty() throws {
        let (database, backup) = (pushbridge.path("new.db"), pushbridge.path("backup"))
        for arguments in [["inspect", ""], ["verify", ""], ["plan", "", "--to", database]] {
            let run = try pushbridge.run(arguments)
            #expect(run.sentences == ["pushbridge: The path of the legacy store is empty."])
            #expect(run.status == 66)
        }
        let retire = [
            "retire", try pushbridge.fixture("everyday.plist"), "--backup", backup, "--against", "",
        ]
        for arguments in [["credentials", ""], retire] {
            let run = try pushbridge.run(arguments)
            #expect(run.sentences == ["pushbridge: The path of the credential database is empty."])
            #expect(run.status == 66)
        }
    }

    @Test func databaseThatMayNotBeReadIsAnUnreadableInput() {
        let error = StoreError(.notWritable, reason: "No permission.")
        #expect(CommandFailure(error, storeRole: .input).status == .unreadableInput)
        #expect(CommandFailure(error, storeRole: .output).status == .unwritableOutput)
    }

    @Test(.enabled(if: geteuid() != 0, "The superuser may read everything."))
    func filesWithoutPermissionAreNamed() throws {
        let store = try pushbridge.fixture("everyday.sqlite")
        let database = pushbridge.path("new.db")
        #expect(try pushbridge("migrate", store, "--to", database).status == 0)
        for (file, status) in [("\(database).key", 77), (database, 66)] {
            chmod(file, 0)
            let run = try pushbridge("credentials", database)
            #expect(run.status == Int32(status))
            #expect(run.diagnostics.hasSuffix("\(file) cannot be read: permission denied.\n"))
        }
    }

    @Test func wrongOrMissingKeysAreRefused() throws {
        let store = try pushbridge.fixture("everyday.sqlite")
        let database = pushbridge.path("new.db")
        #expect(try pushbridge("migrate", store, "--to", database).status == 0)
        #expect(try pushbridge("migrate", store, "--to", pushbridge.path("other.db")).status == 0)
        let keys = [
            pushbridge.path("other.db.key"), pushbridge.path("missing.key"), try key(Data("no key".utf8)),
        ]
        for key in keys {
            try expectRefusal(77) { try pushbridge("credentials", database, "--key-file", key) }
            try expectRefusal(77) { try pushbridge("plan", store, "--to", database, "--key-file", key) }
            try expectRefusal(77) { try pushbridge("migrate", store, "--to", database, "--key-file", key) }
            try expectRefusal(77) {
                try pushbridge("verify", store, "--against", database, "--key-file", key)
            }
        }
    }

    @Test func aKeyThatOthersCanReadIsRefused() throws {
        let store = try pushbridge.fixture("everyday.sqlite")
        let database = pushbridge.path("new.db")
        #expect(try pushbridge("migrate", store, "--to", database).status == 0)
        try FileManager.default.setAttributes([.posixPermissions: 0o644], ofItemAtPath: "\(database).key")
        try expectRefusal(77) { try pushbridge("credentials", database) }
    }

    @Test func existingOutputIsNotOverwritten() throws {
        let store = try pushbridge.fixture("everyday.sqlite")
        let database = pushbridge.path("new.db")
        let precious = try pushbridge.file("precious", Data("precious".utf8))
        #expect(try pushbridge("migrate", store, "--to", database).status == 0)
        try expectRefusal(73) { try pushbridge("retire", store, "--against", database, "--backup", precious) }
        try expectRefusal(73) {
            try pushbridge("export", database, "--as", "legacy-json", "--to", precious, "--include-secrets")
        }
    }

    @Test func recordsOfADumpAreNotRetired() throws {
        let lines = try String(contentsOfFile: pushbridge.fixture("everyday.jsonl"), encoding: .utf8)
        let dump = "{\"items\": [\(lines.split(separator: "\n").joined(separator: ", "))]}"
        let (store, database) = (try pushbridge.file("dump.json", Data(dump.utf8)), pushbridge.path("new.db"))
        #expect(try pushbridge("migrate", store, "--to", database).status == 0)
        let backup = pushbridge.path("backup")
        try expectRefusal(73) { try pushbridge("retire", store, "--against", database, "--backup", backup) }
    }

    @Test func oneFileForDatabaseAndKeyIsRefused() throws {
        let store = try pushbridge.fixture("everyday.sqlite")
        let database = pushbridge.path("new.db")
        for command in ["plan", "migrate"] {
            try expectRefusal(64) { try pushbridge(command, store, "--to", database, "--key-file", database) }
        }
    }

    /// A key that existed before the database is reported.
    ///
    /// Whoever placed the key could decrypt everything that later runs store.
    @Test func aKeyOlderThanTheDatabaseIsReported() throws {
        let store = try pushbridge.fixture("everyday.sqlite")
        let sentence = "pushbridge: \(pushbridge.path("key")) existed before the database: "
        for (database, isReported) in [("first.db", false), ("first.db", false), ("second.db", true)] {
            let arguments = ["--to", pushbridge.path(database), "--key-file", pushbridge.path("key")]
            let run = try pushbridge.run(["migrate", store] + arguments)
            #expect(run.status == 0)
            #expect(run.diagnostics.contains(sentence) == isReported)
        }
    }

    @Test(arguments: ["new.db-wal", "new.db-shm", "new.db-journal", "sub/../new.db-wal"])
    func keyInAFileOfTheDatabaseIsRefused(_ name: String) throws {
        let store = try pushbridge.fixture("everyday.sqlite")
        try FileManager.default.createDirectory(
            atPath: pushbridge.path("sub"),
            withIntermediateDirectories: false
        )
        let database = pushbridge.path("new.db")
        try expectRefusal(64) {
            try pushbridge("migrate", store, "--to", database, "--key-file", pushbridge.path(name))
        }
    }

    @Test func aDanglingLinkAsDestinationCreatesNoKey() throws {
        let store = try pushbridge.fixture("everyday.sqlite")
        try FileManager.default.createSymbolicLink(
            atPath: pushbridge.path("new.db"),
            withDestinationPath: pushbridge.path("nowhere.db")
        )
        let run = try pushbridge("migrate", store, "--to", pushbridge.path("new.db"))
        #expect(run.status == 73)
        #expect(run.sentences.count == 1)
        #expect(!FileManager.default.fileExists(atPath: pushbridge.path("new.db.key")))
        #expect(!FileManager.default.fileExists(atPath: pushbridge.path("nowhere.db")))
    }

    @Test(arguments: ["column", "format"])
    func aDatabaseWithAChangedSchemaIsRefused(_ damage: String) throws {
        let store = try pushbridge.fixture("everyday.sqlite")
        let database = pushbridge.path("new.db")
        #expect(try pushbridge("migrate", store, "--to", database).status == 0)
        let queue = try DatabaseQueue(path: database)
        try queue.inDatabase { try $0.execute(sql: "PRAGMA journal_mode = DELETE") }
        if damage == "column" {
            try queue.inDatabase { db in
                for table in try String.fetchAll(
                    db,
                    sql: "SELECT name FROM sqlite_master WHERE type = 'table'"
                )
                where !table.hasPrefix("grdb") && !table.hasPrefix("sqlite") {
                    let columns = try db.columns(in: table).map(\.name)
                    for column in columns.suffix(1) {
                        try db.execute(sql: "ALTER TABLE \(table) RENAME COLUMN \(column) TO gone_\(column)")
                    }
                }
            }
            try queue.close()
        } else {
            try queue.close()
            let file = try FileHandle(forUpdating: URL(fileURLWithPath: database))
            try file.seek(toOffset: 44)
            try file.write(contentsOf: Data([0, 0, 0, 9]))
            try file.close()
        }
        #expect(try pushbridge("credentials", database).status == 66)
        #expect(try pushbridge("migrate", store, "--to", database).status == 73)
    }

    @Test func reportOverwritesNothing() throws {
        let store = try pushbridge.fixture("everyday.sqlite")
        let database = pushbridge.path("new.db")
        let precious = try pushbridge.file("precious.json", Data("precious".utf8))
        try expectRefusal(73) { try pushbridge("plan", store, "--to", database, "--report", precious) }
        try expectRefusal(73) { try pushbridge("migrate", store, "--to", database, "--report", precious) }
        let nowhere = pushbridge.path("missing/report.html")
        try expectRefusal(73) { try pushbridge("migrate", store, "--to", database, "--report", nowhere) }
    }

    @Test func aFailedCommandWritesNoReport() throws {
        try expectRefusal(66) {
            try pushbridge(
                "plan",
                pushbridge.path("missing"),
                "--to",
                pushbridge.path("new.db"),
                "--report",
                pushbridge.path("report.html")
            )
        }
    }

    @Test(arguments: ["migrate", "plan"])
    func anUnwritableOutputIsReportedInOneSentence(_ command: String) throws {
        let store = try pushbridge.fixture("everyday.sqlite")
        let run = try pushbridge.run(
            [command, store, "--to", pushbridge.path("new.db")],
            output: "/dev/full"
        )
        #expect(run.status == 73)
        #expect(run.sentences == ["pushbridge: The result cannot be written to standard output."])
    }

    /// `verify` reports a ledger row whose date was changed, and still proves the row's record.
    ///
    /// The date is sealed together with the row.
    @Test func aLedgerRowWithAChangedDateIsReported() throws {
        let store = try pushbridge.fixture("everyday.sqlite")
        let database = pushbridge.path("new.db")
        #expect(try pushbridge("migrate", store, "--to", database).status == 0)
        let sound = try pushbridge("verify", store, "--against", database)
        #expect(!sound.output.contains("ledger cannot be read"))
        let queue = try DatabaseQueue(path: database)
        try queue.write { db in
            // The rows of the ledger are records of kind 6. The first of these rows belongs to an account.
            try db.execute(
                sql: """
                    UPDATE record SET date = date + 1
                    WHERE sequence = (SELECT MIN(sequence) FROM record WHERE kind = 6)
                    """
            )
        }
        try queue.close()
        let verify = try pushbridge("verify", store, "--against", database)
        #expect(verify.status == 0)
        #expect(verify.output.contains("1 row of the ledger cannot be read"))
        let json = try pushbridge("verify", store, "--against", database, "--json").output
        #expect(json.components(separatedBy: #""code":"unreadableDestination""#).count == 2)
        #expect(try pushbridge("migrate", store, "--to", database).status == 0)
        let mended = try pushbridge("verify", store, "--against", database)
        #expect(!mended.output.contains("ledger cannot be read"))
    }

    /// If the value of one row of the destination is overwritten with zeros, only this row's credential is unreadable.
    @Test func aDamagedDestinationRowAffectsOneCredential() throws {
        let store = try pushbridge.fixture("everyday.sqlite")
        let database = pushbridge.path("new.db")
        let id = "5489AB21-9325-43F9-A6DB-C06DCD7A2917"
        #expect(try pushbridge("migrate", store, "--to", database).status == 0)
        let queue = try DatabaseQueue(path: database)
        try queue.write { db in
            try db.execute(
                sql: "UPDATE record SET form = zeroblob(length(form)) WHERE id = '\(id)'"
            )
        }
        try queue.close()
        for arguments in [["plan", store, "--to", database], ["migrate", store, "--to", database]] {
            let run = try pushbridge.run(arguments)
            #expect(run.status == 1)
            #expect(run.output.contains("alreadyPresent       13"))
            #expect(run.output.contains("The destination's record with this id cannot be read."))
        }
        let verify = try pushbridge("verify", store, "--against", database)
        #expect(verify.status == 1)
        #expect(verify.output.contains("1 of 14 records needs attention"))
        let listing = try pushbridge("credentials", database)
        #expect(listing.status == 1)
        #expect(listing.output.contains("4 credentials") && listing.output.contains(id))
        let file = pushbridge.path("way-back")
        let export = try pushbridge(
            "export",
            database,
            "--as",
            "legacy-json",
            "--to",
            file,
            "--include-secrets"
        )
        #expect(export.status == 1)
        #expect(export.diagnostics.contains(id))
        let retire = try pushbridge(
            "retire",
            store,
            "--against",
            database,
            "--backup",
            pushbridge.path("backup")
        )
        #expect(retire.status == 1)
        #expect(retire.output.contains("13 of 14 records left"))
    }

    @Test(arguments: [
        ["migrate"], ["migrate", "x"], ["plan", "x", "--to", "y", "--on-conflict", "perhaps"], ["nonsense"],
        ["export", "x", "--as", "nonsense", "--to", "y"], ["migrate", "x", "--to", "y", "--report", "z.txt"],
        ["parity", "--divergences", "--report", "z.html"],
        ["parity", "--divergences", "--scenario", "z"],
    ])
    func invalidArgumentsEndWithStatus64(_ arguments: [String]) throws {
        #expect(try pushbridge.run(arguments).status == 64)
    }

    private func key(_ contents: Data) throws -> String {
        let path = try pushbridge.file("bad.key", contents)
        try FileManager.default.setAttributes([.posixPermissions: 0o600], ofItemAtPath: path)
        return path
    }

    /// Returns a keychain database that contains only items of other apps.
    private func foreignKeychain() throws -> String {
        let path = pushbridge.path("other.sqlite")
        let database = try DatabaseQueue(path: path)
        try database.write { db in
            try db.execute(sql: "CREATE TABLE genp(agrp TEXT, svce TEXT, acct TEXT, data BLOB)")
            try db.execute(sql: "INSERT INTO genp VALUES ('group', 'com.example.session', 'token', x'00')")
        }
        try database.close()
        return path
    }

    private func foreignPropertyList() throws -> Data {
        try PropertyListSerialization.data(fromPropertyList: ["a": ["b": 1]], format: .binary, options: 0)
    }
}
