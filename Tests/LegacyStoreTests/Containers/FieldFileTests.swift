import CredentialMigration
import Foundation
import GRDB
@_spi(PushBridgeTools) import LegacyFiles
import LegacyStore
import PushBridgeCore
import PushBridgeStore
import PushBridgeTestSupport
import Testing

/// Files from the field that are neither a plain export of the keychain nor empty.
@Suite("Files from the field")
struct FieldFileTests {
    private let folder: TemporaryFolder
    private static let services = LegacyService.allCases
    private static let flutter = "com.forgerock.authenticator.keychainservice.local"

    init() throws {
        folder = try TemporaryFolder()
    }

    /// The items of the fixture, as JSON objects.
    private func items() throws -> [[String: String]] {
        try String(contentsOf: LegacyFixtures.url("everyday.jsonl"), encoding: .utf8)
            .split(separator: "\n").compactMap {
                try JSONSerialization.jsonObject(with: Data($0.utf8)) as? [String: String]
            }
    }

    private func keys(of file: URL) throws -> [String] {
        try LegacyFile.open(file).items().map { try $0.get().key }.sorted()
    }

    private func write(_ data: Data, _ name: String) throws -> URL {
        let url = URL(fileURLWithPath: folder.path(name))
        try data.write(to: url)
        return url
    }

    private func expected() throws -> [String] { try items().compactMap { $0["acct"] }.sorted() }

    @Test func theServicesOfTheFlutterPlugInAreRead() throws {
        let lines = try items().map { item in
            var item = item
            item["svce"] = item["svce"]?.replacingOccurrences(of: ".ios.", with: ".")
            return String(decoding: try JSONSerialization.data(withJSONObject: item), as: UTF8.self)
        }
        #expect(lines.contains { $0.contains(Self.flutter) })
        let url = try write(Data(lines.joined(separator: "\n").utf8), "flutter.jsonl")
        #expect(try keys(of: url) == expected())
    }

    @Test func aKeychainIsReadUnderServicesThatAreNamed() throws {
        let keychain = InMemoryKeychain()
        for item in try items() {
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
        #expect(try receipt.records.count == items().count)
        #expect(receipt.records.allSatisfy { $0.result.isVerified })
    }

    /// The members as two tools name them, and the items at some depth.
    @Test(
        arguments: [["svce", "acct", "v_Data", "agrp"], ["service", "account", "data", "accessGroup"]],
        ["json", "xml", "binary"]
    )
    func aDumpIsReadByItsMembersAtAnyDepth(_ names: [String], _ form: String) throws {
        let objects: [[String: Any]] = try items().map { item in
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

    @Test func anotherDocumentIsNoDump() throws {
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
        let items = try items()
        let url = try database { db in
            for (number, item) in items.enumerated() {
                try insert(db, item, service: (item["svce"] ?? "").databaseValue, tomb: number < 2 ? 1 : 0)
            }
        }
        #expect(try keys(of: url) == items.dropFirst(2).compactMap { $0["acct"] }.sorted())
    }

    @Test func theSystemsOwnKeychainIsNamed() throws {
        let url = URL(fileURLWithPath: folder.path("keychain.db"))
        let hashed = try database { db in
            for item in try items().prefix(3) {
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

    @Test func itemsUnderAnotherServiceAreNamed() throws {
        let url = try database { db in
            for item in try items() { try insert(db, item, service: "com.example.bank.mfa".databaseValue) }
        }
        let error = #expect(throws: LegacyStoreError.self) { try LegacyFile.openEvenIfEmpty(url) }
        #expect(error?.code == .notALegacyStore)
        #expect(error?.reason.contains("com.example.bank.mfa") == true)
    }
}
