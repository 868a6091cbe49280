import Foundation
import PushBridgeCommandLineTestSupport
import PushBridgeCore
import PushBridgeTestSupport
import Testing

/// The commands on sealed stores.
///
/// With the key, sealed stores work like other stores. Without the key, nothing is lost, and the message names the
/// option.
@Suite struct SourceKeyTests {
    private let pushbridge: CommandLineTool
    private let key = LegacyFixtures.url("sealed.key").path

    init() throws {
        pushbridge = try CommandLineTool()
    }

    private struct Report: Decodable {
        struct Record: Decodable {
            let key: String
            let outcome: String
            let reason: String?
        }

        let totals: [String: Int]
        let records: [Record]
    }

    /// With the option for the key, a sealed store is migrated with the same commands as a plain store.
    ///
    /// The backup is sealed in the same way as the store.
    @Test(arguments: ["sealed-mixed.jsonl", "sealed-variable-iv.jsonl"])
    func aSealedStoreIsMigratedAndRetiredWithItsKey(_ fixture: String) throws {
        let store = try pushbridge.fixture(fixture)
        let (database, backup) = (pushbridge.path("new.db"), pushbridge.path("backup"))
        let opened = ["--source-key", key]
        #expect(try pushbridge.run(["inspect", store] + opened).status == 0)
        #expect(try pushbridge.run(["verify", store] + opened).status == 0)
        #expect(try pushbridge.run(["plan", store, "--to", database] + opened).status == 0)
        let migrate = try pushbridge.run(["migrate", store, "--to", database, "--json"] + opened)
        #expect(migrate.status == 0)
        #expect(try migrate.json(Report.self).totals["migrated"] == 14)
        #expect(try pushbridge.run(["verify", store, "--against", database] + opened).status == 0)
        let before = try Data(contentsOf: URL(fileURLWithPath: store))
        let retire = ["retire", store, "--against", database, "--backup", backup] + opened
        #expect(try pushbridge.run(retire).output.hasPrefix("retire: 14 of 14 records left"))
        #expect(try pushbridge.contents()["backup"] == before)
        #expect(try pushbridge.contents()[fixture] == nil)
        // The plain store contains the same credentials.
        let plain = try pushbridge.fixture("everyday.sqlite")
        #expect(try pushbridge("verify", plain, "--against", database).status == 0)
    }

    @Test(arguments: ["inspect", "plan", "migrate", "verify", "retire"])
    func theErrorOfAMissingOrWrongKeyNamesTheOption(_ command: String) throws {
        let store = try pushbridge.fixture("sealed-variable-iv.jsonl")
        let (database, backup) = (pushbridge.path("new.db"), pushbridge.path("backup"))
        let wrong = try pushbridge.file(
            "wrong.key",
            Data(Data(repeating: 7, count: 32).base64EncodedString().utf8)
        )
        let place =
            switch command {
            case "inspect": [String]()
            case "plan", "migrate": ["--to", database]
            case "retire": ["--against", database, "--backup", backup]
            default: ["--against", database]
            }
        if command == "verify" || command == "retire" {
            #expect(
                try pushbridge("migrate", pushbridge.fixture("edges.sqlite"), "--to", database).status == 0
            )
        }
        let before = try Data(contentsOf: URL(fileURLWithPath: store))
        let without = try pushbridge.run([command, store] + place)
        #expect(without.status == 1)
        #expect(without.output.contains("The record is sealed; --source-key names its key."))
        let other = try pushbridge.run([command, store, "--source-key", wrong] + place)
        #expect(other.status == 1)
        #expect(other.output.contains("the key from --source-key does not open it"))
        #expect(try Data(contentsOf: URL(fileURLWithPath: store)) == before)
        #expect(!FileManager.default.fileExists(atPath: backup))
    }

    /// The stores of several phones have different keys, so the option may be repeated.
    @Test func oneOfSeveralKeysIsEnough() throws {
        let store = try pushbridge.fixture("sealed-mixed.jsonl")
        let wrong = try pushbridge.file(
            "wrong.key",
            Data(Data(repeating: 7, count: 32).base64EncodedString().utf8)
        )
        let keys = ["--source-key", wrong, "--source-key", key]
        #expect(try pushbridge.run(["migrate", store, "--to", pushbridge.path("new.db")] + keys).status == 0)
    }

    /// The key of the fixtures in the two PEM forms that `openssl` writes (generated here with Python's
    /// `cryptography` package).
    @Test(arguments: [
        [
            "-----BEGIN PRIVATE KEY-----",
            "MIGHAgEAMBMGByqGSM49AgEGCCqGSM49AwEHBG0wawIBAQQgqKpDdYhoI9llME7o",
            "29bsEDZjXqFr0ld9sDlgFvKgy5OhRANCAAQC3w3pGrO1Lm5evYJ/5Ge1ZlNnTxqH",
            "+O2BaxOR9iFuQnnkYqdW1D8TCGBZiMowQWeMOroWn6cUctftMwXcjiP4",
            "-----END PRIVATE KEY-----",
        ],
        [
            "-----BEGIN EC PRIVATE KEY-----",
            "MHcCAQEEIKiqQ3WIaCPZZTBO6NvW7BA2Y16ha9JXfbA5YBbyoMuToAoGCCqGSM49",
            "AwEHoUQDQgAEAt8N6RqztS5uXr2Cf+RntWZTZ08ah/jtgWsTkfYhbkJ55GKnVtQ/",
            "EwhgWYjKMEFnjDq6Fp+nFHLX7TMF3I4j+A==",
            "-----END EC PRIVATE KEY-----",
        ],
    ])
    func keyInPEMIsAccepted(_ lines: [String]) throws {
        let file = try pushbridge.file("key.pem", Data((lines.joined(separator: "\n") + "\n").utf8))
        let store = try pushbridge.fixture("sealed-mixed.jsonl")
        #expect(try pushbridge("inspect", store, "--source-key", file).status == 0)
    }

    @Test func invalidKeyIsRefused() throws {
        let store = try pushbridge.fixture("sealed-mixed.jsonl")
        let database = pushbridge.path("new.db")
        #expect(try pushbridge("migrate", pushbridge.fixture("everyday.plist"), "--to", database).status == 0)
        let files = [
            pushbridge.path("missing"): "There is no file",
            "\(database).key": "is the sealing key of a credential database",
            try pushbridge.file("text", Data("hello".utf8)): "is not a key",
            try pushbridge.file("pem", Data("-----BEGIN PRIVATE KEY-----\n".utf8)): "is not a key",
        ]
        for (file, words) in files {
            let run = try pushbridge("plan", store, "--to", database, "--source-key", file)
            #expect(run.status == 77)
            #expect(run.sentences.count == 1 && run.diagnostics.contains(words), "\(run)")
            #expect(run.diagnostics.contains("--source-key"))
        }
    }

    /// A user may pass the source's key with `--key-file` instead of `--source-key`.
    ///
    /// The source's key file lacks the first line of a PushBridge key file. Earlier versions accepted it as a sealing
    /// key without a warning.
    @Test func keyWithoutAHeaderSealsNoNewDatabase() throws {
        let store = try pushbridge.fixture("everyday.sqlite")
        let bare = try pushbridge.folder.copy(LegacyFixtures.url("sealed.key")).path
        try FileManager.default.setAttributes([.posixPermissions: 0o600], ofItemAtPath: bare)
        let arguments = [store, "--to", pushbridge.path("new.db"), "--key-file", bare]
        let before = try pushbridge.contents()
        for command in ["plan", "migrate"] {
            let run = try pushbridge.run([command] + arguments)
            #expect(run.status == 77)
            #expect(run.sentences.count == 1 && run.diagnostics.hasSuffix("add --use-this-key.\n"))
        }
        #expect(try pushbridge.contents() == before)
        #expect(try pushbridge.run(["migrate"] + arguments + ["--use-this-key"]).status == 0)
        // The database now exists, and the key opens it without the option `--use-this-key`.
        #expect(try pushbridge.run(["migrate"] + arguments).status == 0)
        #expect(try pushbridge("credentials", pushbridge.path("new.db"), "--key-file", bare).status == 0)
    }

    /// A sealing key that existed before the database is reported, because someone may have planted it.
    ///
    /// The command only warns, because a killed run can also leave a key.
    @Test func existingSealingKeyIsReported() throws {
        let store = try pushbridge.fixture("everyday.sqlite")
        let (first, second) = (pushbridge.path("first.db"), pushbridge.path("second.db"))
        #expect(try pushbridge("migrate", store, "--to", first).status == 0)
        let run = try pushbridge("migrate", store, "--to", second, "--key-file", "\(first).key")
        #expect(run.status == 0)
        #expect(run.diagnostics.contains("existed before the database: the creator of the key can open"))
    }

    @Test func accountsWithSealedRecordsAreNotCalledEmpty() throws {
        let store = try pushbridge.fixture("sealed-mixed.jsonl")
        let run = try pushbridge("inspect", store)
        #expect(!run.output.contains("no mechanisms") && !run.output.contains("no account record"))
        #expect(run.output.contains("account record sealed, TOTP mechanism sealed"))
        let report = try #require(try inspection(store))
        guard case .array(let accounts)? = report["accounts"] else {
            Issue.record("The output contains no accounts.")
            return
        }
        let unreadable = accounts.map { [$0["accountName"], $0["unreadable"]] }
        #expect(
            unreadable == [
                ["alice@example.com", ["totp": "sealed"]],
                ["carol", ["account": "sealed", "totp": "sealed"]],
                ["demo", ["push": "sealed"]],
            ]
        )
    }

    /// If a file ends before the store's mechanisms, the missing part may contain them.
    @Test func accountsOfAStoreThatWasCutOffAreNotCalledEmpty() throws {
        let whole = try Data(contentsOf: LegacyFixtures.url("everyday.plist"))
        let end = try #require(whole.range(of: Data("local.mechanism</key>".utf8))).upperBound
        let store = try pushbridge.file("cut.plist", whole.prefix(end + 40))
        let run = try pushbridge("inspect", store)
        #expect(run.status == 1)
        #expect(run.output.contains("no readable mechanisms") && !run.output.contains("no mechanisms"))
        // In a complete store, the command states that an account has no mechanisms.
        let accounts = try pushbridge("inspect", pushbridge.fixture("edges.plist"))
        #expect(accounts.output.contains("no mechanisms") && !accounts.output.contains("no readable"))
    }

    private func inspection(_ store: String) throws -> JSONValue? {
        JSONValue(json: Data(try pushbridge("inspect", store, "--json").output.utf8))
    }
}
