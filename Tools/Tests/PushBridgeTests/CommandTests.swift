import Foundation
import Testing

/// The commands, from end to end, on real stores.
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

    @Test func lifeOfAStore() throws {
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

    /// What a migration would make of a record is no proof of it.
    @Test func storeThatTheDestinationDoesNotHaveIsNotProven() throws {
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

    @Test func damagedStoreFinishesWithStatusOne() throws {
        let store = try pushbridge.fixture("damaged.sqlite")
        #expect(try pushbridge("inspect", store).status == 1)
        let run = try pushbridge("migrate", store, "--to", pushbridge.path("new.db"))
        #expect(run.status == 1)
        #expect(run.output.contains("Needing attention"))
        #expect(run.output.contains("damaged"))
    }

    @Test func reportsAreWrittenForPeopleAndMachines() throws {
        let store = try pushbridge.fixture("edges.sqlite")
        let database = pushbridge.path("new.db")
        let page = pushbridge.path("out.html")
        #expect(try pushbridge("migrate", store, "--to", database, "--report", page).status == 0)
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
    func exportWithoutSecretsHoldsNone(_ format: String) throws {
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

    @Test(arguments: ["legacy-json", "legacy-store", "migration-export"])
    func exportComesBackAsTheSameCredentials(_ format: String) throws {
        let first = pushbridge.path("first.db")
        let second = pushbridge.path("second.db")
        let out = pushbridge.path("out")
        let store = try pushbridge.fixture("edges.sqlite")
        #expect(try pushbridge("migrate", store, "--to", first).status == 0)
        #expect(try pushbridge("export", first, "--as", format, "--to", out, "--include-secrets").status == 0)
        #expect(try pushbridge("migrate", out, "--to", second).status == 0)
        #expect(try pushbridge("verify", out, "--against", second).status == 0)
        let listings = try [first, second].map {
            try pushbridge("credentials", $0, "--json").json(Listing.self)
        }
        #expect(listings[0].credentials == listings[1].credentials)
        #expect(listings[0].credentials.count == 18)
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
