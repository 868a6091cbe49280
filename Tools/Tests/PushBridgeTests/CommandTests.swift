import Foundation
import GRDB
import PushBridgeCommandLineTestSupport
import PushBridgeCore
import Testing

/// Runs the commands end to end on real stores.
@Suite struct CommandTests {
    private let pushbridge: CommandLineTool

    init() throws {
        pushbridge = try CommandLineTool()
    }

    private struct Report: Decodable {
        struct Source: Decodable {
            let container: String
            let records: Int
        }

        struct Record: Decodable {
            let kind: String
            let key: String
            let outcome: String
            let credentialId: String?
            let verified: Bool
            let reason: String?
        }

        let schema: Int
        let command: String
        let source: Source
        let destination: String
        let totals: [String: Int]
        let unproven: Int?
        let records: [Record]
    }

    @Test func aStoreIsPlannedMigratedVerifiedAndRetired() throws {
        let store = try pushbridge.fixture("everyday.sqlite")
        let database = pushbridge.path("new.db")

        let plan = try pushbridge("plan", store, "--to", database, "--json")
        #expect(plan.status == 0)
        #expect(try plan.json(Report.self).totals["migrated"] == 14)
        #expect(Set(try pushbridge.contents().keys) == ["everyday.sqlite"])

        let migrate = try pushbridge("migrate", store, "--to", database, "--json")
        let report = try migrate.json(Report.self)
        #expect(migrate.status == 0)
        #expect(report.schema == 1)
        #expect(report.command == "migrate")
        #expect(report.source.container == "sqlite")
        #expect(report.records.allSatisfy { $0.outcome == "migrated" && $0.verified && $0.reason == nil })
        #expect(report.totals.count == 9)

        #expect(try pushbridge("verify", store, "--against", database).status == 0)
        let listing = try pushbridge("credentials", database)
        #expect(listing.output.contains("Acme (personal)"))
        #expect(!listing.output.contains("3NJTEXP7IZDABNYGCPKZ575UQ4C4DOOA"))

        let retire = try pushbridge(
            "retire",
            store,
            "--against",
            database,
            "--backup",
            pushbridge.path("backup")
        )
        #expect(retire.status == 0)
        #expect(retire.output.contains("14 of 14 records left"))
        let again = try pushbridge("inspect", pushbridge.path("backup"), "--json")
        #expect(again.status == 0)
    }

    @Test(arguments: ["everyday.sqlite", "everyday.plist", "edges.jsonl", "damaged.sqlite"])
    func commandsOtherThanRetireDoNotChangeTheSource(_ name: String) throws {
        let store = try pushbridge.fixture(name)
        let before = try pushbridge.contents()
        let database = pushbridge.path("new.db")
        for arguments in [
            ["inspect", store], ["doctor", store], ["plan", store, "--to", database],
            ["migrate", store, "--to", database], ["verify", store, "--against", database],
            ["verify", store],
        ] {
            let run = try pushbridge.run(arguments)
            #expect(run.status == 0 || run.status == 1, "\(arguments)")
            let after = try pushbridge.contents().filter { !$0.key.hasPrefix("new.db") }
            #expect(after == before, "\(arguments)")
        }
    }

    /// The outcome that a plan expects for a record does not prove that the destination contains the record.
    @Test func aStoreMissingFromTheDestinationIsNotProven() throws {
        let database = pushbridge.path("new.db")
        #expect(try pushbridge("migrate", pushbridge.fixture("edges.plist"), "--to", database).status == 0)
        let other = try pushbridge.fixture("everyday.sqlite")
        let run = try pushbridge("verify", other, "--against", database)
        #expect(run.status == 1)
        #expect(run.output.contains("not proven") && !run.output.contains("proven equivalent"))
        let report = try pushbridge("verify", other, "--against", database, "--json").json(Report.self)
        #expect(report.unproven == 14)
        #expect(report.records.allSatisfy { !$0.verified })
    }

    /// If a database was retired and the destination has its records, later commands succeed and change nothing.
    @Test func commandsAcceptARetiredStore() throws {
        let store = try pushbridge.fixture("everyday.sqlite")
        let database = pushbridge.path("new.db")
        let retire = ["retire", store, "--against", database, "--backup", pushbridge.path("backup")]
        #expect(try pushbridge("migrate", store, "--to", database).status == 0)
        #expect(try pushbridge.run(retire).status == 0)
        let again = try pushbridge.run(retire)
        #expect(again.status == 0)
        #expect(again.output == "retire: nothing is left to retire in \(store).\n")
        for arguments in [
            ["verify", store, "--against"], ["plan", store, "--to"], ["migrate", store, "--to"],
        ] {
            let run = try pushbridge.run(arguments + [database])
            #expect(run.status == 0)
            #expect(run.output.contains("The source contains no records."))
            // An empty table is not shown.
            #expect(!run.output.contains("Outcome"))
        }
        let inspect = try pushbridge("inspect", store)
        #expect(inspect.status == 0)
        #expect(inspect.output.hasSuffix(", empty: it holds no records of either SDK.\n"))
        // A destination into which this store was not migrated cannot show whether the file is a retired store or
        // never was a store.
        let elsewhere = pushbridge.path("elsewhere.db")
        #expect(try pushbridge("migrate", store, "--to", elsewhere).status == 66)
        #expect(try pushbridge("verify", store).status == 66)
        #expect(!FileManager.default.fileExists(atPath: elsewhere))
    }

    /// Only the backup shows that an earlier `retire` finished, because SQLite removes a database's log on closing.
    @Test func retiringADatabaseWithALogAgainSucceeds() throws {
        let store = try pushbridge.fixture("everyday.sqlite")
        let queue = try DatabaseQueue(path: store)
        try queue.writeWithoutTransaction { try $0.execute(sql: "PRAGMA journal_mode = WAL") }
        try queue.close()
        let database = pushbridge.path("new.db")
        func retire(_ backup: String) throws -> CommandLineTool.Run {
            try pushbridge("retire", store, "--against", database, "--backup", pushbridge.path(backup))
        }
        #expect(try pushbridge("migrate", store, "--to", database).status == 0)
        #expect(try retire("backup").status == 0)
        #expect(!FileManager.default.fileExists(atPath: "\(store)-wal"))
        let again = try retire("backup")
        #expect(again.status == 0)
        #expect(again.output == "retire: nothing is left to retire in \(store).\n")
        // If there is no backup, the records may be in a missing log.
        let other = try retire("elsewhere")
        #expect(other.status == 1 && other.output.contains("no records, but its log is missing"))
    }

    /// After `retire`, a store that is not a database no longer exists, so only the backup shows that `retire` has
    /// finished.
    @Test(arguments: ["everyday.jsonl", "everyday.plist"])
    func aRetiredDocumentIsRemovedAndRetiringItAgainSucceeds(_ fixture: String) throws {
        let store = try pushbridge.fixture(fixture)
        let (database, backup) = (pushbridge.path("new.db"), pushbridge.path("backup"))
        let before = try Data(contentsOf: URL(fileURLWithPath: store))
        #expect(try pushbridge("migrate", store, "--to", database).status == 0)
        let first = try pushbridge("retire", store, "--against", database, "--backup", backup)
        #expect(first.status == 0 && first.output.contains("14 of 14 records left"))
        #expect(try pushbridge.contents()[fixture] == nil)
        #expect(try pushbridge.contents()["backup"] == before)
        let again = try pushbridge("retire", store, "--against", database, "--backup", backup)
        #expect(again.status == 0)
        #expect(again.output == "retire: nothing is left to retire in \(store).\n")
        for backup in [pushbridge.path("elsewhere"), try pushbridge.fixture("edges.jsonl")] {
            let run = try pushbridge("retire", store, "--against", database, "--backup", backup)
            #expect(run.status == 66 && run.diagnostics.contains("no such file"))
        }
        for arguments in [["verify", store, "--against", database], ["inspect", store]] {
            #expect(try pushbridge.run(arguments).status == 66)
        }
    }

    /// If one record of a store that is not a database is not proven, nothing is removed, and the report names this
    /// record.
    @Test func anUnprovenRecordPreventsTheRetirementOfADocument() throws {
        struct Retirement: Decodable {
            let removed: Int
            let remaining: Int
            let records: [Report.Record]
        }
        let store = try pushbridge.fixture("everyday.jsonl")
        let database = pushbridge.path("new.db")
        #expect(try pushbridge("migrate", store, "--to", database).status == 0)
        let handle = try FileHandle(forWritingTo: URL(fileURLWithPath: store))
        try handle.seekToEnd()
        try handle.write(contentsOf: Data("no item\n".utf8))
        try handle.close()
        let before = try pushbridge.contents()[URL(fileURLWithPath: store).lastPathComponent]
        let arguments = ["retire", store, "--against", database, "--backup", pushbridge.path("backup")]
        let table = try pushbridge.run(arguments)
        #expect(table.status == 1)
        #expect(table.output.contains("0 of 15 records left") && table.output.contains("15 stay"))
        #expect(table.output.contains("line 15"))
        #expect(table.diagnostics.contains("removed only as a whole"))
        let report = try pushbridge.run(arguments + ["--json"]).json(Retirement.self)
        #expect((report.removed, report.remaining) == (0, 15))
        #expect(report.records.map(\.key) == ["line 15"])
        #expect(try pushbridge.contents()["everyday.jsonl"] == before)
        #expect(try pushbridge.contents()["backup"] == nil)
    }

    @Test func remainingRecordsAreListedWithTheirReasons() throws {
        struct Retirement: Decodable {
            let remaining: Int
            let records: [Report.Record]
        }
        let database = pushbridge.path("other.db")
        let store = try pushbridge.fixture("everyday.sqlite")
        #expect(try pushbridge("migrate", pushbridge.fixture("edges.sqlite"), "--to", database).status == 0)
        let arguments = ["retire", store, "--against", database, "--backup", pushbridge.path("backup")]
        let table = try pushbridge.run(arguments)
        #expect(table.status == 1)
        #expect(table.output.contains("The destination does not have this record."))
        #expect(!table.output.contains("migrated"))
        let report = try pushbridge.run(arguments + ["--json"]).json(Retirement.self)
        #expect(report.remaining == 14)
        let reasons = report.records.map(\.reason)
        #expect(reasons == Array(repeating: "The destination does not have this record.", count: 14))
    }

    @Test func conflictsAreReportedWithARemedy() throws {
        let store = try pushbridge.fixture("everyday.sqlite")
        let database = pushbridge.path("new.db")
        let changed = pushbridge.path("changed.json")
        let secret = "3NJTEXP7IZDABNYGCPKZ575UQ4C4DOOA"
        #expect(try pushbridge("migrate", store, "--to", database).status == 0)
        let export = ["export", database, "--as", "legacy-json", "--to", changed, "--include-secrets"]
        #expect(try pushbridge.run(export).status == 0)
        let text = try String(contentsOfFile: changed, encoding: .utf8)
        #expect(text.contains(secret))
        try text.replacingOccurrences(of: secret, with: String(secret.reversed()))
            .write(toFile: changed, atomically: true, encoding: .utf8)
        for command in ["plan", "migrate"] {
            let run = try pushbridge(command, changed, "--to", database)
            #expect(run.status == 1)
            #expect(run.output.contains("find out which secret the server knows. --on-conflict replace"))
        }
        let verify = try pushbridge("verify", changed, "--against", database)
        #expect(verify.status == 1)
        #expect(!verify.output.contains("--on-conflict"))
    }

    @Test func damagedStoreFinishesWithStatusOne() throws {
        let store = try pushbridge.fixture("damaged.sqlite")
        #expect(try pushbridge("inspect", store).status == 1)
        let run = try pushbridge("migrate", store, "--to", pushbridge.path("new.db"))
        #expect(run.status == 1)
        #expect(run.output.contains("Needing attention"))
        // PB-R014 is the number that docs/outcomes.md gives for `damaged`.
        #expect(run.output.contains("  damaged  PB-R014: "))
        #expect(run.output.contains("damaged"))
    }

    @Test func reportsAreWrittenAsHTMLAndJSON() throws {
        let store = try pushbridge.fixture("edges.sqlite")
        let database = pushbridge.path("new.db")
        let page = pushbridge.path("out.html")
        let (twin, migrate) = (pushbridge.path("twin.json"), ["migrate", store, "--to", database])
        let both = try pushbridge.run(migrate + ["--report", page, "--report", twin])
        #expect(both.status == 0)
        let machines = try JSONDecoder().decode(
            Report.self,
            from: Data(contentsOf: URL(fileURLWithPath: twin))
        )
        #expect(machines.totals["records"] == 36)
        #expect(try pushbridge.run(migrate + ["--report", "a.json", "--report", "./a.json"]).status == 64)
        let html = try String(contentsOfFile: page, encoding: .utf8)
        #expect(html.contains("prefers-color-scheme:dark"))
        #expect(html.contains("日本銀行-山田 太郎-totp"))
        #expect(!html.contains("<script"))
        #expect(!html.contains("http://") && !html.contains("https://"))
        let file = pushbridge.path("out.json")
        #expect(try pushbridge("verify", store, "--against", database, "--report", file).status == 0)
        let report = try JSONDecoder().decode(Report.self, from: Data(contentsOf: URL(fileURLWithPath: file)))
        #expect(report.command == "verify")
        #expect(report.records.filter { !$0.verified }.map(\.key) == [])
    }

    @Test(arguments: ["legacy-json", "legacy-store", "migration-export"])
    func exportWithoutSecretsContainsNoSecret(_ format: String) throws {
        let database = pushbridge.path("new.db")
        let out = pushbridge.path("out")
        let store = try pushbridge.fixture("everyday.sqlite")
        #expect(try pushbridge("migrate", store, "--to", database).status == 0)
        let run = try pushbridge("export", database, "--as", format, "--to", out)
        let written = (try? Data(contentsOf: URL(fileURLWithPath: out))) ?? Data()
        for secret in ["1xwCy9oR9v5haessTjDm", "3NJTEXP7IZDABNYGCPKZ575UQ4C4DOOA", "F79BB71BBD93D140"] {
            #expect(written.range(of: Data(secret.utf8)) == nil)
            #expect(!run.output.contains(secret) && !run.diagnostics.contains(secret))
        }
        #expect(run.diagnostics.contains("--include-secrets"))
    }

    @Test func valuesThatAFormatCannotHoldAreCounted() throws {
        let database = pushbridge.path("new.db")
        #expect(
            try pushbridge("migrate", pushbridge.fixture("everyday.sqlite"), "--to", database).status == 0
        )
        let export = ["export", database, "--as", "migration-export", "--include-secrets", "--to"]
        let run = try pushbridge.run(export + [pushbridge.path("out")])
        #expect(
            run.diagnostics
                == """
                pushbridge: Left out, because the format migration-export cannot contain them: 4 notifications, 1 \
                device token.

                """
        )
        let listing = try pushbridge("credentials", database).output.split(separator: "\n")[0]
        #expect(
            listing.hasSuffix(
                "5 credentials, 4 notifications (2 pending), 1 device token, 0 legacy records kept verbatim"
            )
        )
    }

    @Test(arguments: ["legacy-json", "legacy-store", "migration-export"])
    func exportImportsAsTheSameCredentials(_ format: String) throws {
        let first = pushbridge.path("first.db")
        let second = pushbridge.path("second.db")
        let out = pushbridge.path("out")
        let store = try pushbridge.fixture("edges.sqlite")
        #expect(try pushbridge("migrate", store, "--to", first).status == 0)
        let export = try pushbridge("export", first, "--as", format, "--to", out, "--include-secrets")
        #expect(export.status == 0)
        #expect(try pushbridge("migrate", out, "--to", second).status == 0)
        #expect(try pushbridge("verify", out, "--against", second).status == 0)
        let listings = try [first, second].map {
            try pushbridge("credentials", $0, "--json").json(Listing.self)
        }
        let gone = listings[0].credentials.filter { !listings[1].credentials.contains($0) }
        #expect(listings[0].credentials.filter { !gone.contains($0) } == listings[1].credentials)
        #expect(listings[0].credentials.count == 18)
        // Two credentials use a hash function that Android would read as SHA-1. The command names both
        // credentials.
        #expect(gone.count == (format == "migration-export" ? 2 : 0))
        #expect(gone.allSatisfy { export.diagnostics.contains("\($0.issuer)-\($0.accountName)-totp") })
    }

    /// A complete migration to items of the successor SDK.
    ///
    /// The items that the command writes have the services and members that the SDK uses.
    @Test func successorItemsAreProvenAndTheSourceIsRetired() throws {
        let (items, backup) = (pushbridge.path("items.jsonl"), pushbridge.path("backup"))
        let store = try pushbridge.fixture("everyday.jsonl")
        let form = ["--as", "successor-items"]
        #expect(try pushbridge.run(["plan", store, "--to", items] + form).status == 0)
        #expect(try pushbridge.run(["migrate", store, "--to", items] + form).status == 64)
        #expect(!FileManager.default.fileExists(atPath: items))
        for _ in 0..<2 {
            let run = try pushbridge.run(["migrate", store, "--to", items, "--include-secrets"] + form)
            #expect(run.status == 0)
        }
        let attributes = try FileManager.default.attributesOfItem(atPath: items)
        #expect(attributes[.posixPermissions] as? Int == 0o600)
        var values: [String: [String: JSONValue]] = [:]
        var secrets: [String: String] = [:]
        for line in try String(contentsOfFile: items, encoding: .utf8).split(separator: "\n") {
            let item = try #require(JSONValue(json: Data(line.utf8)))
            guard case .string(let service)? = item["svce"], case .string(let account)? = item["acct"],
                case .string(let text)? = item["data"], let data = Data(base64Encoded: text)
            else {
                Issue.record("A line of the output is not an item.")
                return
            }
            if service == "com.pingidentity.oath.secrets" {
                secrets[account] = String(decoding: data, as: UTF8.self)
            } else {
                values[service, default: [:]][account] = JSONValue(json: data)
            }
        }
        let push = try #require(values["com.pingidentity.push.credentials"])
        #expect(push.count == 2)
        for (id, value) in push {
            #expect(value["id"] == .string(id))
            guard case .string(let secret)? = value["sharedSecret"] else {
                Issue.record("An item contains no secret.")
                continue
            }
            #expect(Data(base64Encoded: secret)?.isEmpty == false)
        }
        let oath = try #require(values["com.pingidentity.oath"])
        #expect(oath.count == 3 && Set(oath.keys) == Set(secrets.keys))
        for value in oath.values {
            #expect(value["secret"] == nil && value["secretKey"] == nil && value["sharedSecret"] == nil)
            switch value["createdAt"] {
            case .integer, .number: break
            default: Issue.record("The item's date is not a number.")
            }
        }
        #expect(secrets.values.contains("3NJTEXP7IZDABNYGCPKZ575UQ4C4DOOA"))
        #expect(values["com.pingidentity.push.notifications"]?.count == 4)
        #expect(values["com.pingidentity.push.tokens"].map { Array($0.keys) } == ["current"])
        #expect(try pushbridge.run(["verify", store, "--against", items] + form).status == 0)
        #expect(try pushbridge("verify", items).status == 0)
        #expect(
            try pushbridge.run(["retire", store, "--against", items, "--backup", backup] + form).status == 0
        )
        #expect(try pushbridge("verify", backup, "--against", items, "--as", "successor-items").status == 0)
    }

    @Test func foreignItemsFileIsRefusedUnchanged() throws {
        let store = try pushbridge.fixture("everyday.jsonl")
        for text in [
            "garbage\n", "{}\n",
            #"{"svce":"a","acct":"b","data":"AA=="}"# + "\n" + #"{"svce":"a","acct":"b","data":"AA=="}"#,
        ] {
            let file = try pushbridge.file("items", Data(text.utf8))
            let run = try pushbridge(
                "migrate",
                store,
                "--to",
                file,
                "--as",
                "successor-items",
                "--include-secrets"
            )
            #expect(run.status == 73 && run.sentences.count == 1)
            #expect(try String(contentsOfFile: file, encoding: .utf8) == text)
        }
        let missing = pushbridge.path("missing")
        #expect(try pushbridge("verify", store, "--against", missing, "--as", "successor-items").status == 66)
    }

    private struct Listing: Decodable {
        struct Credential: Decodable, Equatable {
            let id: String
            let kind: String
            let issuer: String
            let accountName: String
            let details: String
        }

        let credentials: [Credential]
    }
}
