import Foundation
import GRDB
import PushBridgeCommandLineTestSupport
import PushBridgeTestSupport
import Testing

/// The sentences that the command `inspect` prints about unusual files.
@Suite struct InspectTests {
    private static let prefix = "com.forgerock.ios.authenticator.keychainservice.local"
    private static let rename = "svce = replace(svce, '\(prefix)', 'com.example.bank')"
    private let tool: CommandLineTool

    init() throws {
        tool = try CommandLineTool()
    }

    /// Returns the path of a keychain database in which the SDK's 14 items were changed.
    private func database(_ changes: String...) throws -> String {
        let path = try tool.fixture("everyday.sqlite")
        let queue = try DatabaseQueue(path: path)
        try queue.write { db in
            for change in changes {
                try db.execute(sql: "UPDATE genp SET \(change) WHERE svce LIKE '\(Self.prefix)%'")
            }
        }
        try queue.close()
        return path
    }

    @Test func deletedItemsAreMentioned() throws {
        let path = try database("tomb = 1")
        let run = try tool("inspect", path)
        #expect(run.status == 0)
        #expect(run.output == "\(path): sqlite, no records: 14 deleted items of the SDK.\n")
    }

    @Test func deletedItemsOfOtherServicesAreMentioned() throws {
        let path = try database("tomb = 1", Self.rename)
        let run = try tool("inspect", path)
        #expect(run.status == 0)
        let words = "14 deleted items in other services that look like items of the SDK"
        #expect(run.output == "\(path): sqlite, no records: \(words).\n")
        #expect(run.diagnostics.contains("contains \(words), which are not read."))
    }

    @Test func encryptedItemsOfOtherServicesAreAnError() throws {
        let run = try tool("inspect", database("data = randomblob(300)", Self.rename))
        #expect(run.status == 66)
        #expect(run.diagnostics.contains("14 encrypted items with names like the SDK's"))
        #expect(run.diagnostics.contains("--service com.example.bank.mechanism"))
    }

    @Test func recordsOfBothSDKsAreMentioned() throws {
        let store = try tool.fixture("everyday.jsonl")
        let items = tool.path("items.jsonl")
        let arguments = [
            "migrate", store, "--to", items, "--as", "successor-items", "--include-secrets",
        ]
        #expect(try tool.run(arguments).status == 0)
        let both = try [store, items].map { try String(contentsOfFile: $0, encoding: .utf8) }
        let path = try tool.file("both.jsonl", Data(both.joined(separator: "\n").utf8))
        let run = try tool("inspect", path)
        let sentence = """
            Records of both SDKs describe the same credentials; a migration makes one credential of each pair: \
            2 push mechanisms, 2 TOTP mechanisms, 1 HOTP mechanism.
            """
        #expect(run.output.contains("\n\(sentence)\n"), "\(run.output)")
        #expect(try !tool("inspect", store).output.contains("both SDKs"))
    }

    @Test func differentSecretsOfTwoGroupsAreMentioned() throws {
        let lines = try String(contentsOf: LegacyFixtures.url("everyday.jsonl"), encoding: .utf8)
            .split(separator: "\n")
        let mechanisms = try lines.compactMap { line -> [String: String]? in
            let object = try JSONSerialization.jsonObject(with: Data(line.utf8)) as? [String: String]
            return object.flatMap { $0["acct"]?.hasSuffix("-totp") == true ? $0 : nil }
        }
        #expect(mechanisms.count == 2)
        func inspect(_ data: [String?]) throws -> String {
            let copies = try zip(["A", "B"], data).map { group, data in
                var copy = mechanisms[0]
                copy["agrp"] = group
                copy["data"] = data
                return try JSONSerialization.data(withJSONObject: copy)
            }
            let path = try tool.file("groups.jsonl", Data(copies.joined(separator: Data("\n".utf8))))
            return try tool("inspect", path).output
        }
        let key = try #require(mechanisms[0]["acct"])
        let sentence = "Access groups contain different secrets under the same key: \(key) (A, B)."
        #expect(try inspect(mechanisms.map { $0["data"] }).contains("\n\(sentence)\n"))
        let equal = try inspect([mechanisms[0]["data"], mechanisms[0]["data"]])
        #expect(!equal.contains("different secrets"))
    }

    /// The table shows the option, even if the record's class has a long name.
    @Test func theTableShowsTheOptionForARenamedModule() throws {
        let module = "BankAuthenticat"
        let lines = try String(contentsOf: LegacyFixtures.url("everyday.jsonl"), encoding: .utf8)
            .split(separator: "\n").map { line in
                let object = try JSONSerialization.jsonObject(with: Data(line.utf8)) as? [String: String]
                var members = try #require(object)
                var data = try #require(members["data"].flatMap { Data(base64Encoded: $0) })
                while let range = data.range(of: Data("FRAuthenticator".utf8)) {
                    data.replaceSubrange(range, with: Data(module.utf8))
                }
                members["data"] = data.base64EncodedString()
                return try JSONSerialization.data(withJSONObject: members)
            }
        let path = try tool.file("renamed.jsonl", Data(lines.joined(separator: Data("\n".utf8))))
        let run = try tool("inspect", path)
        #expect(run.status == 1)
        #expect(run.output.components(separatedBy: "Pass --module \(module) if").count == 15, "\(run.output)")
        #expect(try tool("inspect", path, "--module", module).status == 0)
    }

    /// The missing part of a dump may contain records, so nothing is migrated.
    @Test func aCutDumpIsAnError() throws {
        let lines = try String(contentsOf: LegacyFixtures.url("everyday.jsonl"), encoding: .utf8)
            .split(separator: "\n")
        let objects = try lines.map { line -> [String: Any] in
            let object = try JSONSerialization.jsonObject(with: Data(line.utf8)) as? [String: String]
            let texts = try #require(object)
            var members: [String: Any] = texts
            members["data"] = texts["data"].flatMap { Data(base64Encoded: $0) }
            return members
        }
        let dump = try PropertyListSerialization.data(
            fromPropertyList: ["items": objects],
            format: .xml,
            options: 0
        )
        let path = try tool.file("dump.plist", dump.prefix(dump.count * 2 / 3))
        let database = tool.path("new.db")
        for arguments in [["inspect", path], ["migrate", path, "--to", database], ["doctor", path]] {
            let run = try tool.run(arguments)
            #expect(run.status == 66)
            #expect(run.diagnostics.contains("The end of the property list is missing."))
        }
        #expect(!FileManager.default.fileExists(atPath: database))
    }
}
