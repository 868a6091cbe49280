import Foundation
import LegacyFiles
import PushBridgeCommandLineTestSupport
import PushBridgeCore
import PushBridgeTestSupport
import Testing

@Suite("Doctor command")
struct DoctorTests {
    private struct Document: Decodable {
        struct Finding: Decodable {
            let check: String
            let severity: String
            let count: Int
            let meaning: String
            let remedy: String
        }

        let schema: Int
        let command: String
        let container: String
        let pushCredentials: Int
        let oathCredentials: Int
        let findings: [Finding]
    }

    private struct Arrivals: Decodable {
        struct Line: Decodable {
            let outcome: String
            let code: String?
            let number: String?
            let count: Int
        }

        struct Skipped: Decodable {
            let check: String
            let reason: String
        }

        let ledger: [Line]
        let ran: [String]
        let skipped: [Skipped]
        let signedPush: Bool?
    }

    /// The counts of each outcome are equal to the counts that `migrate` reports.
    @Test func doctorReportsRecordsThatDidNotArriveWithTheirReasons() throws {
        struct Migration: Decodable {
            let totals: [String: Int]
        }

        let tool = try CommandLineTool()
        let store = try tool.fixture("damaged.sqlite")
        let totals = try tool("migrate", store, "--to", tool.path("new.db"), "--json").json(Migration.self)
            .totals
        let run = try tool("doctor", tool.path("new.db"), "--json")
        #expect(run.status == 1)
        // A database that was closed has no log, but no record is missing.
        #expect(!FileManager.default.fileExists(atPath: tool.path("new.db-wal")))
        #expect(run.diagnostics == "")
        let arrivals = try run.json(Arrivals.self)
        var counts: [String: Int] = [:]
        for line in arrivals.ledger { counts[line.outcome, default: 0] += line.count }
        for outcome in ["migrated", "damaged", "unsupported", "conflict", "undecryptable", "kept"] {
            #expect(counts[outcome, default: 0] == totals[outcome, default: 0], "\(outcome)")
        }
        #expect(arrivals.ledger.allSatisfy { $0.outcome != "migrated" || $0.number == nil })
        #expect(arrivals.ledger.contains { $0.outcome == "damaged" && $0.number?.hasPrefix("PB-R") == true })
        let finding = try #require(
            try run.json(Document.self).findings.first { $0.check == "recordsArrived" }
        )
        #expect(finding.severity == "fault")
        #expect(try tool("doctor", tool.path("new.db")).output.contains(" did not arrive.\n"))
    }

    /// The counts by reason are those of `plan` for the same store.
    @Test func recordsOfALegacyStoreThatCannotBeConvertedAreCountedByReason() throws {
        struct Plan: Decodable {
            struct Record: Decodable {
                let outcome: String
                let number: String?
            }

            let records: [Record]
        }

        struct Counts: Decodable {
            let unconvertible: [Arrivals.Line]
        }

        let tool = try CommandLineTool()
        let store = try tool.fixture("damaged.sqlite")
        let plan = try tool("plan", store, "--to", tool.path("new.db"), "--json").json(Plan.self)
        var planned: [String: Int] = [:]
        for record in plan.records where !["migrated", "kept"].contains(record.outcome) {
            planned["\(record.outcome) \(record.number ?? "")", default: 0] += 1
        }
        #expect(planned == ["damaged PB-R014": 23, "damaged PB-R012": 10])
        let counts = try tool("doctor", store, "--json").json(Counts.self).unconvertible
        let found = counts.map { ("\($0.outcome) \($0.number ?? "")", $0.count) }
        #expect(Dictionary(uniqueKeysWithValues: found) == planned)
        let table = """
            33 records of the store cannot be converted now.
            Outcome  Reason        Number   Records
            damaged  damaged       PB-R014       23
            damaged  invalidField  PB-R012       10

            """
        #expect(try tool("doctor", store).output.contains("\n\n\(table)\n"))
        #expect(try !tool("doctor", tool.fixture("everyday.jsonl")).output.contains("cannot be converted"))
    }

    @Test func checksThatCouldNotRunAreListedWithTheReason() throws {
        let tool = try CommandLineTool()
        let store = try tool.fixture("everyday.jsonl")
        let legacy = try tool("doctor", store, "--json").json(Arrivals.self)
        let skipped = legacy.skipped.map(\.check)
        let expected: Set = ["ledgerAgrees", "recordsArrived", "serversUpdated", "migrationNotHeld"]
        #expect(expected.isSubset(of: skipped))
        #expect(legacy.skipped.allSatisfy { !$0.reason.isEmpty })
        #expect(legacy.ran.contains("storeReadable"))
        #expect(Set(legacy.ran).isDisjoint(with: skipped))
        #expect(legacy.ledger.isEmpty)
        let setting = ["--extension", "--environment", "production", "--json"]
        let asked = try tool.run(["doctor", store] + setting).json(Arrivals.self)
        #expect(Set(["extensionCanRead", "tokenEnvironment"]).isSubset(of: asked.ran))
    }

    @Test func aFileThatIsCutOffIsNotCalledLocked() throws {
        let tool = try CommandLineTool()
        let whole = try Data(contentsOf: LegacyFixtures.url("everyday.jsonl"))
        let store = try tool.file("cut.jsonl", whole.prefix(whole.count - 40))
        let run = try tool("doctor", store, "--json")
        #expect(run.status == 1)
        let finding = try #require(try run.json(Document.self).findings.first { $0.check == "storeReadable" })
        #expect(finding.severity == "fault")
        #expect(!finding.remedy.lowercased().contains("unlock"))
        #expect(finding.remedy.contains("incomplete"))
    }

    /// Python's `hmac` module signed this token with the first secret.
    @Test func aPushShowsWhichStoreHasTheSecretOfTheServer() throws {
        let tool = try CommandLineTool()
        let token = """
            eyJhbGciOiJIUzI1NiJ9.eyJjIjoiWTJoaGJHeGxibWRsIiwidSI6InNvdW5kIiwidCI6IjEyMCIsImwiOiJZVzFzWW1OdmIydHBaVDB3TVE9\
            PSJ9.hEQ4CY6MyAaTOJB89mJ4au8ucCCsZOJpunsS1tTitew
            """
        let push = try tool.file(
            "push.json",
            Data(#"{"aps":{"messageId":"AUTHENTICATE:1","data":"\#(token)"}}"#.utf8)
        )
        func doctor(_ secret: String, migrated: Bool) throws -> (status: Int32, isSigned: Bool?) {
            let store = try tool.file(
                "\(secret.count).json",
                Data("[\(NewSDKSamples.push("sound", secret: secret))]".utf8)
            )
            let database = "\(store).db"
            if migrated { #expect(try tool("migrate", store, "--to", database).status == 0) }
            let run = try tool("doctor", migrated ? database : store, "--push", push, "--json")
            return (run.status, try run.json(Arrivals.self).signedPush)
        }
        for migrated in [false, true] {
            let known = try doctor("c2VjcmV0LXNlY3JldC1f/w==", migrated: migrated)
            #expect(known.status == 0 && known.isSigned == true)
            let other = try doctor("YW5vdGhlci1zZWNyZXQtb2YtdGhlLXNlcnZlcg==", migrated: migrated)
            #expect(other.status == 1 && other.isSigned == false)
        }
        let noPush = try tool.file("other.json", Data(#"{"aps":{"alert":"Hello"}}"#.utf8))
        let store = try tool.file(
            "one.json",
            Data("[\(NewSDKSamples.push("sound", secret: "c2VjcmV0"))]".utf8)
        )
        #expect(try tool("doctor", store, "--push", noPush).status == 66)
    }

    /// The store may have no push credential, so the push is checked first.
    @Test func theErrorOfABrokenPushContainsLineAndColumn() throws {
        let tool = try CommandLineTool()
        let push = try tool.file("push.json", Data("{\"aps\": {\n  \"data\" \"x\"\n}}".utf8))
        let empty = try tool.file("empty.json", Data(#"{"accounts":[]}"#.utf8))
        for store in [try tool.fixture("everyday.jsonl"), empty] {
            let run = try tool("doctor", store, "--push", push)
            #expect(run.status == 66)
            #expect(
                run.diagnostics == """
                    pushbridge: \(push) is not a push from PingAM: invalid JSON at line 2, column 10; the JSON that the \
                    phone received is required.

                    """
            )
        }
    }

    private static let sound = [
        "everyday.sqlite", "everyday.plist", "everyday.jsonl", "everyday-sdk-2.0.sqlite",
        "everyday-sdk-3.1.sqlite", "everyday-sdk-3.3.sqlite", "everyday-sdk-4.0.sqlite", "edges.jsonl",
        "edges.plist", "edges.sqlite",
    ]

    @Test(arguments: sound)
    func aSoundStoreHasNoFaultBeforeAndAfterItsMigration(_ name: String) throws {
        let tool = try CommandLineTool()
        let store = try tool.fixture(name)
        let before = try tool("doctor", store, "--json")
        #expect(before.status == 0, "\(before.diagnostics)")
        let report = try before.json(Document.self)
        #expect((report.schema, report.command) == (1, "doctor"))
        let isEveryday = name.hasPrefix("everyday")
        #expect((report.pushCredentials, report.oathCredentials) == (isEveryday ? (2, 3) : (8, 10)))
        #expect(!report.findings.contains { $0.severity == "fault" })
        #expect(try tool("migrate", store, "--to", tool.path("new.db")).status == 0)
        let after = try tool("doctor", tool.path("new.db"), "--json")
        #expect(after.status == 0, "\(after.diagnostics)")
        let migrated = try after.json(Document.self)
        if isEveryday { #expect((migrated.pushCredentials, migrated.oathCredentials) == (2, 3)) }
        #expect(!migrated.findings.contains { $0.severity == "fault" })
    }

    @Test func aFaultIsListedAndEndsWithStatusOne() throws {
        let tool = try CommandLineTool()
        let store = try tool.fixture("damaged.sqlite")
        let run = try tool("doctor", store)
        #expect(run.status == 1)
        #expect(run.output.contains("fault     storeReadable"))
        #expect(run.output.contains("What to do"))
        let json = try tool("doctor", store, "--json")
        #expect(json.status == 1)
        let faults = try json.json(Document.self).findings.filter { $0.severity == "fault" }
        #expect(faults.map(\.check).contains("storeReadable"))
        #expect(faults.allSatisfy { $0.count > 0 && !$0.meaning.isEmpty && !$0.remedy.isEmpty })
    }

    @Test func aDatabaseThatOthersCanReadIsAFault() throws {
        let tool = try CommandLineTool()
        #expect(try tool("migrate", tool.fixture("everyday.jsonl"), "--to", tool.path("new.db")).status == 0)
        let mode: [FileAttributeKey: Any] = [.posixPermissions: 0o644]
        try FileManager.default.setAttributes(mode, ofItemAtPath: tool.path("new.db"))
        let run = try tool("doctor", tool.path("new.db"), "--json")
        #expect(run.status == 1)
        let faults = try run.json(Document.self).findings.filter { $0.severity == "fault" }
        #expect(faults.map(\.check) == ["storePrivate"])
    }

    @Test func foreignFileGivesNoReport() throws {
        let tool = try CommandLineTool()
        let missing = try tool("doctor", tool.path("none.db"), "--json")
        #expect(missing.status == 66)
        #expect(missing.output.isEmpty)
        #expect(missing.sentences.count == 1)
        let other = try tool("doctor", tool.file("notes.txt", Data("Notes.".utf8)), "--json")
        #expect(other.status == 66)
        #expect(other.output.isEmpty)
    }

    @Test(arguments: ["everyday.jsonl", "edges.jsonl", "damaged.sqlite"])
    func reportsContainNoNames(_ name: String) throws {
        let tool = try CommandLineTool()
        var texts: Set<String> = []
        for item in try LegacyFile.open(LegacyFixtures.url(name)).items() {
            let item = try item.get()
            texts.insert(item.key)
            guard case .archive(let data) = item.payload,
                let list = try? PropertyListSerialization.propertyList(from: data, format: nil),
                let objects = (list as? [String: Any])?["$objects"] as? [Any]
            else { continue }
            texts.formUnion(objects.compactMap { $0 as? String })
        }
        // These words of the stores are not names: they belong to the archive format or to the reports.
        let words: Set<String> = [
            "push", "totp", "hotp", "sha1", "$null", "default", "challenge", "biometric",
        ]
        let names = texts.filter { $0.count > 3 && !words.contains($0.lowercased()) }
        #expect(names.count > 10)
        let store = try tool.fixture(name)
        for arguments in [["doctor", store], ["doctor", store, "--json"]] {
            let output = try tool.run(arguments).output.replacing(arguments[1], with: "")
            for name in names { #expect(!output.contains(name), "\(name)") }
        }
    }
}
