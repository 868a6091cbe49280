import Foundation
import LegacyStore
import PushBridgeCommandLineTestSupport
import PushBridgeTestSupport
import Testing

/// Runs the commands that check push secrets or repair them.
@Suite struct RepairCommandTests {
    private let pushbridge: CommandLineTool

    init() throws {
        pushbridge = try CommandLineTool()
    }

    private struct Check: Decodable {
        struct Problem: Decodable {
            let key: String
            let credentialId: String?
            let reason: String
            let repairable: Bool
        }

        let command: String
        let pushCredentials: Int
        let unableToSign: Int
        let problems: [Problem]
    }

    private struct Report: Decodable {
        struct Record: Decodable {
            let outcome: String
            let repaired: Bool
        }

        let records: [Record]
    }

    /// Returns a store that has one secret in URL-safe base64 without padding, and one sound secret.
    private func store() throws -> String {
        let records = [
            NewSDKSamples.push("raw", secret: "c2VjcmV0LXNlY3JldC1f_w"),
            NewSDKSamples.push("sound", secret: "c2VjcmV0LXNlY3JldC1f/w=="),
        ]
        return try pushbridge.file("new.json", Data("[\(records.joined(separator: ","))]".utf8))
    }

    /// A credential that cannot sign is imported as the SDK stores it, and every command reports it.
    @Test func aSecretThatIsNotBase64IsImportedAndReported() throws {
        let record = NewSDKSamples.push("bad", secret: "no base64!")
        let store = try pushbridge.file("new.json", Data("[\(record)]".utf8))
        let database = pushbridge.path("new.db")
        let sentence = "1 push credential cannot sign answers in either store: its secret is not base64."
        for arguments in [
            ["plan", store, "--to", database], ["migrate", store, "--to", database],
            ["verify", store, "--against", database],
        ] {
            let run = try pushbridge.run(arguments)
            #expect(run.status == 0)
            #expect(run.output.contains(sentence), "\(run.output)")
            #expect(!run.output.contains("no base64!"))
        }
        let check = try pushbridge("verify", database, "--json")
        #expect(check.status == 1)
        #expect(try check.json(Check.self).problems.map(\.credentialId) == ["bad"])
    }

    @Test func rawSecretIsFoundRepairedAndProven() throws {
        let store = try store()
        let database = pushbridge.path("new.db")

        let before = try pushbridge("verify", store)
        #expect(before.status == 1)
        #expect(before.output.contains("1 push credential cannot sign."))
        #expect(before.output.contains("raw") && !before.output.contains("c2Vj"))
        #expect(try pushbridge("inspect", store).status == 1)

        let plan = try pushbridge("plan", store, "--to", database)
        #expect(plan.status == 0)
        #expect(plan.output.contains("Push secrets in URL-safe or unpadded base64: 1 will be repaired."))
        let migrate = try pushbridge("migrate", store, "--to", database, "--json")
        #expect(migrate.status == 0)
        let records = try migrate.json(Report.self).records
        #expect(records.map(\.repaired) == [true, false])
        #expect(records.map(\.outcome) == ["migrated", "migrated"])

        let page = pushbridge.path("out.html")
        let verify = try pushbridge("verify", store, "--against", database, "--report", page)
        #expect(verify.status == 0)
        #expect(verify.output.contains("Push secrets in URL-safe or unpadded base64: 1 repaired."))
        #expect(try String(contentsOfFile: page, encoding: .utf8).contains(">repaired<"))

        let after = try pushbridge("verify", database)
        #expect(after.status == 0)
        #expect(after.output.contains("Every push credential can sign."))
    }

    @Test func verifyOfOneStorePrintsJSON() throws {
        let check = try pushbridge("verify", try store(), "--json").json(Check.self)
        #expect(check.command == "verify")
        #expect(check.pushCredentials == 2)
        #expect(check.unableToSign == 1)
        #expect(check.problems.map(\.credentialId) == ["raw"])
        #expect(check.problems.map(\.repairable) == [true])
    }

    @Test func aStoreWithoutRecordsIsReportedAsEmpty() throws {
        let service = LegacyService.mechanism.rawValue
        let list = "<plist><dict><key>\(service)</key><dict></dict></dict></plist>"
        let check = try pushbridge("verify", pushbridge.file("empty.plist", Data(list.utf8)))
        #expect(check.status == 0)
        #expect(check.output.contains("The store contains no push credentials."))
    }

    @Test func foreignFileCannotBeChecked() throws {
        #expect(try pushbridge("verify", pushbridge.path("missing")).status == 66)
        #expect(try pushbridge("verify", try pushbridge.file("picture.png", Data([1, 2, 3]))).status == 66)
        #expect(try pushbridge("verify", try store(), "--report", pushbridge.path("a.html")).status == 64)
        let folder = try pushbridge.fixture("everyday.sqlite")
        #expect(try pushbridge("verify", folder).status == 0)
    }
}
