import CredentialMigration
import Foundation
import GRDB
@_spi(PushBridgeTools) import LegacyFiles
import LegacyStore
import PushBridgeCore
import PushBridgeStore
import PushBridgeTestSupport
import Testing

/// Files from the field that are neither empty nor plain exports of a keychain.
@Suite("Files from the field")
struct FieldFileTests {
    private let folder: TemporaryFolder
    private static let services = LegacyService.allCases
    private static let flutter = "com.forgerock.authenticator.keychainservice.local"

    init() throws {
        folder = try TemporaryFolder()
    }

    private func keys(of file: URL) throws -> [String] {
        try LegacyFile.open(file).items().map { try $0.get().key }.sorted()
    }

    private func write(_ data: Data, _ name: String) throws -> URL {
        let url = URL(fileURLWithPath: folder.path(name))
        try data.write(to: url)
        return url
    }

    private func expected() throws -> [String] {
        try StoreFixture.everydayObjects().compactMap { $0["acct"] }.sorted()
    }

    @Test func theServicesOfTheFlutterPlugInAreRead() throws {
        let lines = try StoreFixture.everydayObjects().map { item in
            var item = item
            item["svce"] = item["svce"]?.replacingOccurrences(of: ".ios.", with: ".")
            return String(decoding: try JSONSerialization.data(withJSONObject: item), as: UTF8.self)
        }
        #expect(lines.contains { $0.contains(Self.flutter) })
        let url = try write(Data(lines.joined(separator: "\n").utf8), "flutter.jsonl")
        #expect(try keys(of: url) == expected())
    }

    @Test func aKeychainIsReadUnderTheServicesOfTheFlutterPlugIn() throws {
        let keychain = InMemoryKeychain()
        for item in try StoreFixture.everydayObjects() {
            let service = try #require(LegacyService(rawValue: item["svce"] ?? ""))
            let name = KeychainItem.Name(
                service: "\(Self.flutter)\(service.rawValue.dropFirst(LegacyService.prefix.count))",
                account: item["acct"] ?? ""
            )
            let data = try #require(Data(base64Encoded: item["data"] ?? ""))
            try keychain.add(KeychainItem(name, data: data))
        }
        let store = MemoryCredentialStore()
        let source = MigrationSource.keychain(keychain, services: LegacyService.flutterPrefix)
        let receipt = try CredentialMigration(from: source, to: store).migrate()
        #expect(try receipt.records.count == StoreFixture.everydayObjects().count)
        #expect(receipt.records.allSatisfy { $0.result.isVerified })
    }

    /// A database in WAL mode that was copied without its log (`-wal`) causes a warning.
    @Test func aDatabaseWithoutItsLogCausesAWarning() throws {
        let url = try KeychainFile.create(at: URL(fileURLWithPath: folder.path("keychain.db"))) { _ in }
        #expect(LegacyFile.warnings(about: url) == [])
        let queue = try DatabaseQueue(path: url.path)
        try queue.writeWithoutTransaction { try $0.execute(sql: "PRAGMA journal_mode = WAL") }
        try queue.close()
        let log = URL(fileURLWithPath: folder.path("keychain.db-wal"))
        #expect(!FileManager.default.fileExists(atPath: log.path))
        let warnings = LegacyFile.warnings(about: url)
        #expect(warnings.count == 1)
        #expect(warnings.first?.contains("latest changes in keychain.db-wal, which is missing") == true)
        try Data().write(to: log)
        #expect(LegacyFile.warnings(about: url) == [])
    }

    /// The error names the program that wrote a foreign file.
    @Test(
        arguments: [
            (#"{"version":1,"header":{},"db":{"entries":[]}}"#, "an export of Aegis"),
            (#"{"services":[{"name":"x"}],"schemaVersion":4}"#, "an export of 2FAS"),
            (#"{"encrypted":false,"items":[]}"#, "an export of Bitwarden"),
            (#"[{"secret":"A","thumbnail":"Default","last_used":0}]"#, "an export of andOTP"),
            (
                #"{"version":1,"kdfParams":{"opsLimit":3},"encryptedData":"AA","encryptionNonce":"AA"}"#,
                "an export of Ente Auth"
            ),
            (
                "otpauth://totp/Demo:ann?secret=JBSWY3DP&codeDisplay=%7B%22pinned%22%3Afalse%7D\n",
                "an export of Ente Auth, another authenticator; it contains registration URIs"
            ),
            (
                #"{"deviceId":"a","deviceSecret":"b","localDeviceId":"c","deviceName":"d","version":3,"accounts":"#
                    + #"[{"issuerName":"Demo","originalIssuerName":"Demo","userName":"ann","secret":"JBSWY3DP","#
                    + #""timeStep":30,"digits":6,"algorithm":"SHA1"}]}"#,
                "an export of LastPass Authenticator"
            ),
            (
                #"{"version":1,"entries":[{"id":"a","content":{"uri":"otpauth://totp/Demo:ann?secret=JBSWY3DP","#
                    + #""entry_type":"Totp"},"note":null}]}"#,
                "an export of Proton Authenticator"
            ),
            (#"{"version":1,"entries":[{"content":{"uri":"x"}}]}"#, "is not a store of the legacy SDK"),
            ("otpauth-migration://offline?data=CjEK", "an export of Google Authenticator"),
            (
                "\n otpauth://totp/Demo:ann?secret=JBSWY3DP\notpauth://hotp/Demo:bob?secret=JBSWY3DP\n",
                "file contains registration URIs"
            ),
            ("\(String(repeating: "x", count: 16))T-DB", "a Realm database"),
            (
                #"{"accounts":[{"name":"x","secret":"y"}]}"#,
                "is not a store of the legacy SDK or its successor"
            ),
        ]
    )
    func theErrorNamesTheProgramThatWroteTheFile(_ text: String, _ name: String) throws {
        let url = try write(Data(text.utf8), "file")
        for mayBeEmpty in [true, false] {
            let error = #expect(throws: LegacyStoreError.self) {
                try LegacyFile.open(url, mayBeEmpty: mayBeEmpty)
            }
            #expect(error?.reason.contains(name) == true)
        }
    }

    @Test func theErrorReportsThatAFileIsACoreDataStore() throws {
        let url = URL(fileURLWithPath: folder.path("store.sqlite"))
        try DatabaseQueue(path: url.path).write { try $0.execute(sql: "CREATE TABLE Z_METADATA(Z_VERSION)") }
        let error = #expect(throws: LegacyStoreError.self) { try LegacyFile.open(url) }
        #expect(error?.reason.contains("is a Core Data store") == true)
    }

    @Test func aListOfTheSDKsJSONObjectsIsRead() throws {
        let document = folder.url("document")
        let records = try StoreFixture.items("everyday.sqlite").map { try $0.decoded().record }
        let writer = try LegacyJSONWriter(document)
        for record in records { try writer.write(record) }
        try writer.finish()
        let object = try JSONSerialization.jsonObject(with: Data(contentsOf: document)) as? [String: Any]
        let members = try #require(object)
        let list = ["accounts", "mechanisms", "notifications"].flatMap { members[$0] as? [Any] ?? [] }
        let token = try #require(members["deviceToken"])
        let url = try write(JSONSerialization.data(withJSONObject: list + [token]), "list")
        let expected = try LegacyFile.open(document).items().map { try $0.get().decoded().record }
        #expect(try LegacyFile.open(url).items().map { try $0.get().decoded().record } == expected)
    }

    @Test func theErrorReportsThatValuesMayBeEncrypted() throws {
        var random = SystemRandomNumberGenerator()
        let lines = try StoreFixture.everydayObjects().map { item in
            var item = item
            let bytes = (0..<256).map { _ in UInt8.random(in: 0...255, using: &random) }
            item["data"] = Data(bytes).base64EncodedString()
            return String(decoding: try JSONSerialization.data(withJSONObject: item), as: UTF8.self)
        }
        let url = try write(Data(lines.joined(separator: "\n").utf8), "encrypted.jsonl")
        for item in try LegacyFile.open(url).items() {
            let item = try item.get()
            let error = #expect(throws: LegacyRecordError.self) { try item.decoded() }
            #expect(error?.reason.contains("may be encrypted") == true)
        }
    }

    private static let own = "com.example.bank"

    /// Returns a file in the format `form` that contains the fixture's items under services whose names an app chose.
    private func ownServices(_ form: String) throws -> URL {
        let items = try StoreFixture.everydayObjects().map { item in
            var item = item
            item["svce"] = item["svce"]?.replacingOccurrences(of: LegacyService.prefix, with: Self.own)
            return item
        }
        let data = { (item: [String: String]) in try #require(Data(base64Encoded: item["data"] ?? "")) }
        switch form {
        case "lines":
            let lines = try items.map { try JSONSerialization.data(withJSONObject: $0) }
            return try write(Data(lines.joined(separator: Data("\n".utf8))), form)
        case "dump":
            return try write(JSONSerialization.data(withJSONObject: ["items": items]), form)
        case "database":
            let url = URL(fileURLWithPath: folder.path(form))
            try DatabaseQueue(path: url.path).write { db in
                try db.execute(sql: "CREATE TABLE genp(agrp TEXT, svce BLOB, acct BLOB, data BLOB)")
                for item in items {
                    let values: StatementArguments = [item["svce"], item["acct"], try data(item)]
                    try db.execute(
                        sql: "INSERT INTO genp(svce, acct, data) VALUES (?, ?, ?)",
                        arguments: values
                    )
                }
            }
            return url
        default:
            var list: [String: [String: Data]] = [:]
            for item in items { list[item["svce"] ?? "", default: [:]][item["acct"] ?? ""] = try data(item) }
            let format: PropertyListSerialization.PropertyListFormat = form == "xml" ? .xml : .binary
            return try write(
                PropertyListSerialization.data(fromPropertyList: list, format: format, options: 0),
                form
            )
        }
    }

    /// A store with the SDK's items under other services is never reported as empty.
    ///
    /// The store is read if the caller names the services.
    @Test(arguments: ["lines", "dump", "database", "xml", "binary"])
    func servicesThatAnAppNamedAreReportedAndRead(_ form: String) throws {
        let url = try ownServices(form)
        let names = ["account", "mechanism", "notification", "pushDeviceToken"].map { "\(Self.own).\($0)" }
        for mayBeEmpty in [true, false] {
            let error = #expect(throws: LegacyStoreError.self) {
                try LegacyFile.open(url, mayBeEmpty: mayBeEmpty)
            }
            let reason = try #require(error?.reason)
            #expect(reason.contains("14 items that look like the SDK's"))
            for name in names { #expect(reason.contains("--service \(name)")) }
        }
        let source = MigrationSource.file(url).items(ofServices: names)
        let store = MemoryCredentialStore()
        let receipt = try CredentialMigration(from: source, to: store).migrate()
        let plain = MemoryCredentialStore()
        let expected = try CredentialMigration(from: .file(LegacyFixtures.url("everyday.jsonl")), to: plain)
            .migrate()
        #expect(receipt.totals == expected.totals)
        let contents = { (store: MemoryCredentialStore) in
            try store.read {
                try ($0.accounts().values, $0.pushCredentials().values, $0.oathCredentials().values)
            }
        }
        #expect(try contents(store) == contents(plain))
    }

    @Test func aKeychainIsReadUnderServicesThatAnAppNamed() throws {
        let keychain = InMemoryKeychain()
        for item in try StoreFixture.everydayObjects() {
            let service = item["svce"]?.replacingOccurrences(of: LegacyService.prefix, with: Self.own) ?? ""
            let data = try #require(Data(base64Encoded: item["data"] ?? ""))
            try keychain.add(KeychainItem(.init(service: service, account: item["acct"] ?? ""), data: data))
        }
        let names = ["account", "mechanism", "notification", "pushDeviceToken"].map { "\(Self.own).\($0)" }
        let source = MigrationSource.keychain(keychain).items(ofServices: names)
        let receipt = try CredentialMigration(from: source, to: MemoryCredentialStore()).migrate()
        #expect(try receipt.records.count == StoreFixture.everydayObjects().count)
        #expect(receipt.records.allSatisfy { $0.result.isVerified })
    }

    /// The items of a dump are found at any depth.
    ///
    /// The arguments are the member names of two dump tools, and the formats of the dump.
    @Test(
        arguments: [["svce", "acct", "v_Data", "agrp"], ["service", "account", "data", "accessGroup"]],
        ["json", "xml", "binary"]
    )
    func theItemsOfADumpAreReadAtAnyDepth(_ names: [String], _ form: String) throws {
        let objects: [[String: Any]] = try StoreFixture.everydayObjects().map { item in
            let data = try #require(Data(base64Encoded: item["data"] ?? ""))
            return [
                names[0]: item["svce"] ?? "", names[1]: item["acct"] ?? "", names[3]: "TEAM.group",
                names[2]: form == "json" ? data.base64EncodedString() as Any : data as Any,
                "labl": "something else",
            ]
        }
        let root: [String: Any] = ["keychain": ["General": [["items": objects]], "Internet": [] as [Any]]]
        let bytes =
            switch form {
            case "json": try JSONSerialization.data(withJSONObject: root)
            case "xml": try PropertyListSerialization.data(fromPropertyList: root, format: .xml, options: 0)
            default: try PropertyListSerialization.data(fromPropertyList: root, format: .binary, options: 0)
            }
        let url = try write(bytes, "dump")
        #expect(try keys(of: url) == expected())
        #expect(try LegacyFile.open(url).items().allSatisfy { try $0.get().accessGroup == "TEAM.group" })
        #expect(throws: LegacyStoreError.self) {
            try LegacyFile.open(url).remove([:], backup: URL(fileURLWithPath: folder.path("backup")))
        }
    }

    @Test func anotherDocumentIsNotADump() throws {
        let deep = String(repeating: "[", count: 100_000) + String(repeating: "]", count: 100_000)
        for text in [#"{"a":[{"service":"x","account":"y","data":"AAAA"}]}"#, deep, #"{"service":1}"#] {
            let url = try write(Data(text.utf8), "other.json")
            #expect(throws: LegacyStoreError.self) { try LegacyFile.open(url) }
        }
    }

    private func database(_ fill: (Database) throws -> Void) throws -> URL {
        let path = folder.path("keychain.db")
        let queue = try DatabaseQueue(path: path)
        try queue.write { db in
            try db.execute(
                sql: """
                    CREATE TABLE genp(rowid INTEGER PRIMARY KEY AUTOINCREMENT, svce BLOB, acct BLOB, data BLOB, agrp TEXT,
                    tomb INTEGER NOT NULL DEFAULT 0)
                    """
            )
            try fill(db)
        }
        try queue.close()
        return URL(fileURLWithPath: path)
    }

    private func insert(_ db: Database, _ item: [String: String], service: DatabaseValue, tomb: Int = 0)
        throws
    {
        let data = Data(base64Encoded: item["data"] ?? "")
        try db.execute(
            sql: "INSERT INTO genp (svce, acct, data, tomb) VALUES (?, ?, ?, ?)",
            arguments: [service, item["acct"], data, tomb]
        )
    }

    @Test func deletedItemsAreNotReadAndAreCounted() throws {
        let items = try StoreFixture.everydayObjects()
        let url = try database { db in
            for (number, item) in items.enumerated() {
                try insert(db, item, service: (item["svce"] ?? "").databaseValue, tomb: number < 2 ? 1 : 0)
            }
        }
        #expect(try keys(of: url) == items.dropFirst(2).compactMap { $0["acct"] }.sorted())
        let warnings = LegacyFile.warnings(about: url)
        #expect(warnings.count == 1)
        #expect(warnings.first?.contains("2 deleted items of the SDK") == true)
    }

    @Test func theErrorReportsThatADatabaseIsTheSystemsKeychain() throws {
        let url = URL(fileURLWithPath: folder.path("keychain.db"))
        let hashed = try database { db in
            for item in try StoreFixture.everydayObjects().prefix(3) {
                let service = RecordService(name: item["svce"] ?? "")
                try insert(
                    db,
                    ["acct": "hash", "data": ""],
                    service: (service?.hashedNames[0]).databaseValue
                )
            }
        }
        #expect(hashed == url)
        let error = #expect(throws: LegacyStoreError.self) { try LegacyFile.openEvenIfEmpty(url) }
        #expect(error?.reason.contains("the system's own keychain") == true)
        #expect(error?.reason.contains("3 items") == true)
    }

    @Test func theErrorContainsTheNameOfAnUnknownService() throws {
        let url = try database { db in
            for item in try StoreFixture.everydayObjects() {
                try insert(db, item, service: "com.example.bank.mfa".databaseValue)
            }
        }
        let error = #expect(throws: LegacyStoreError.self) { try LegacyFile.openEvenIfEmpty(url) }
        #expect(error?.code == .notALegacyStore)
        #expect(error?.reason.contains("com.example.bank.mfa") == true)
    }
}
