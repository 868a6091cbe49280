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
        let told = try before.json(Document.self)
        #expect((told.schema, told.command) == (1, "doctor"))
        let isEveryday = name.hasPrefix("everyday")
        #expect((told.pushCredentials, told.oathCredentials) == (isEveryday ? (2, 3) : (8, 10)))
        #expect(!told.findings.contains { $0.severity == "fault" })
        #expect(try tool("migrate", store, "--to", tool.path("new.db")).status == 0)
        let after = try tool("doctor", tool.path("new.db"), "--json")
        #expect(after.status == 0, "\(after.diagnostics)")
        let migrated = try after.json(Document.self)
        if isEveryday { #expect((migrated.pushCredentials, migrated.oathCredentials) == (2, 3)) }
        #expect(!migrated.findings.contains { $0.severity == "fault" })
    }

    @Test func aFaultIsNamedAndIsTheStatus() throws {
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
        // Words of the archive format and of the reports.
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
