import CredentialMigration
import Foundation
import GRDB
@_spi(PushBridgeTools) import LegacyFiles
import LegacyStore
import PushBridgeCore
import PushBridgeStore
import PushBridgeTestSupport
import Testing

/// Items under services other than the standard ones, and items that are marked as deleted.
@Suite("Items under other services, and deleted items")
struct OtherServicesTests {
    private static let service = "com.example.bank"

    enum Container: CaseIterable {
        case lines, dump, database, xmlDump, binaryDump
    }

    private let folder: TemporaryFolder

    init() throws {
        folder = try TemporaryFolder()
    }

    private func file(_ items: [StoreFixture.Item], _ container: Container) throws -> URL {
        let url = folder.url("\(container)")
        let isBinary = container == .xmlDump || container == .binaryDump
        let objects: [[String: Any]] = items.map { item in
            var object: [String: Any] = ["svce": item.service, "acct": item.key]
            object["data"] = isBinary ? item.data as Any : item.data.base64EncodedString() as Any
            object["tomb"] = item.tombstone
            return object
        }
        switch container {
        case .lines:
            let lines = try objects.map { try JSONSerialization.data(withJSONObject: $0) }
            try Data(lines.joined(separator: Data("\n".utf8))).write(to: url)
        case .dump: try JSONSerialization.data(withJSONObject: ["items": objects]).write(to: url)
        case .xmlDump, .binaryDump:
            let list: [String: Any] = ["items": objects]
            let format: PropertyListSerialization.PropertyListFormat =
                container == .xmlDump ? .xml : .binary
            try PropertyListSerialization.data(fromPropertyList: list, format: format, options: 0)
                .write(to: url)
        case .database:
            try DatabaseQueue(path: url.path).write { db in
                try db.execute(sql: "CREATE TABLE genp(svce TEXT, acct TEXT, data BLOB, tomb INTEGER)")
                for item in items {
                    let values: StatementArguments = [item.service, item.key, item.data, item.tombstone]
                    try db.execute(sql: "INSERT INTO genp VALUES (?, ?, ?, ?)", arguments: values)
                }
            }
        }
        return url
    }

    private func keys(of url: URL) throws -> [String] {
        try LegacyFile.open(url).items().map { try $0.get().key }
    }

    /// Other services are reported even if the store also contains items under the standard services.
    @Test(arguments: Container.allCases)
    func servicesBesideTheStandardServicesAreReported(_ container: Container) throws {
        var items = try StoreFixture.everydayItems()
        let mechanism = try #require(items.first { $0.service == LegacyService.mechanism.rawValue })
        items.append(StoreFixture.Item(service: Self.service, key: "Other-bob-push", data: mechanism.data))
        items.append(StoreFixture.Item(service: "com.example.notes", key: "note", data: Data("text".utf8)))
        let url = try file(items, container)
        #expect(try keys(of: url).count == items.count - 2)
        let warnings = LegacyFile.warnings(about: url)
        #expect(warnings.count == 1)
        #expect(warnings.first?.contains("1 item that looks like the SDK's") == true)
        #expect(warnings.first?.contains("to read it, add `--service \(Self.service)`.") == true)
        #expect(LegacyFile.warnings(about: url, services: [Self.service]).isEmpty)
        let all = try LegacyFile.open(url, services: [Self.service]).items()
        #expect(all.map { $0 }.count == items.count - 1)
    }

    /// In a large store, the search for deleted items and the search for other services each report their progress.
    @Test func theSearchesForOtherItemsReportTheirProgress() throws {
        let items = try StoreFixture.everydayItems()
        let many = (0..<1200).map { number in
            var item = items[number % items.count]
            item.key += "-\(number)"
            return item
        }
        let url = try file(many, .lines)
        var seen: [String] = []
        let warnings = LegacyFile.warnings(about: url) { seen.append("\($0): \($1)") }
        #expect(warnings == [])
        #expect(
            seen == [
                "looking for deleted items: 500", "looking for deleted items: 1000",
                "looking for other services: 500", "looking for other services: 1000",
            ]
        )
        // The last line has no line feed.
        #expect(LegacyFile.recordCount(of: url) == 1200)
        try (Data(contentsOf: url) + Data("\n".utf8)).write(to: url)
        #expect(LegacyFile.recordCount(of: url) == 1200)
    }

    private func successorItems() throws -> [StoreFixture.Item] {
        let phone = InMemoryKeychain()
        let services = KeychainServices(
            credentials: "\(Self.service).push",
            notifications: "\(Self.service).notifications",
            oathCredentials: "\(Self.service).codes",
            oathSecrets: "\(Self.service).secrets"
        )
        let store = KeychainCredentialStore(keychain: phone, services: services)
        let source = MigrationSource.file(LegacyFixtures.url("everyday.jsonl"))
        _ = try CredentialMigration(from: source, to: store).migrate()
        let names = [
            services.credentials, services.notifications, services.oathCredentials, services.oathSecrets,
        ]
        return try names.flatMap { try phone.items(service: $0, accessGroup: nil) }.map {
            StoreFixture.Item(service: $0.name.service, key: $0.name.account, data: $0.data)
        }
    }

    /// If an app chose other services for the successor SDK's items, the items are reported, and are read if the caller
    /// names the services.
    ///
    /// The secrets are in separate items.
    @Test(arguments: Container.allCases)
    func itemsOfTheSuccessorSDKAreReportedAndRead(_ container: Container) throws {
        let items = try successorItems()
        let url = try file(items, container)
        let error = #expect(throws: LegacyStoreError.self) { try LegacyFile.open(url) }
        let reason = try #require(error?.reason)
        #expect(reason.contains("\(items.count) items that look like the SDK's"))
        let services = Set(items.map(\.service)).sorted()
        for service in services { #expect(reason.contains("--service \(service)")) }
        try expectEverything(from: .file(url).items(ofServices: services))
    }

    @Test func itemsOfTheSuccessorInAKeychainAreRead() throws {
        let phone = InMemoryKeychain()
        let items = try successorItems()
        for item in items {
            try phone.add(KeychainItem(.init(service: item.service, account: item.key), data: item.data))
        }
        let services = Set(items.map(\.service)).sorted()
        try expectEverything(from: .keychain(phone).items(ofServices: services))
    }

    private func expectEverything(from source: MigrationSource) throws {
        let (store, expected) = (MemoryCredentialStore(), MemoryCredentialStore())
        let receipt = try CredentialMigration(from: source, to: store).migrate()
        #expect(receipt.records.allSatisfy { $0.result.isVerified })
        let plain = MigrationSource.file(LegacyFixtures.url("everyday.jsonl"))
        _ = try CredentialMigration(from: plain, to: expected).migrate()
        func contents(_ store: MemoryCredentialStore) throws -> [String] {
            try store.read { view in
                let pushes = try view.pushCredentials().values.map {
                    "\($0.id) \($0.sharedSecret.base64Spelling)"
                }
                let codes = try view.oathCredentials().values.map {
                    "\($0.id) \($0.password.secret.base32Spelling)"
                }
                let messages = try view.fetch(PushNotification.self).values.map(\.messageId)
                return (pushes + codes + messages).sorted()
            }
        }
        #expect(try contents(store) == contents(expected))
    }

    /// The test covers every container that can mark deleted items.
    @Test(arguments: Container.allCases)
    func deletedItemsAreSkippedAndCounted(_ container: Container) throws {
        var items = try StoreFixture.everydayItems()
        let deleted = try #require(items.firstIndex { $0.service == LegacyService.mechanism.rawValue })
        for index in items.indices { items[index].tombstone = index == deleted ? 1 : 0 }
        let key = items[deleted].key
        let url = try file(items, container)
        #expect(try keys(of: url).sorted() == items.map(\.key).filter { $0 != key }.sorted())
        let sentence = "contains 1 deleted item of the SDK, which is not read."
        #expect(LegacyFile.warnings(about: url).map { $0.hasSuffix(sentence) } == [true])
    }

    private func ownItems(_ change: (inout StoreFixture.Item) -> Void) throws -> [StoreFixture.Item] {
        try StoreFixture.everydayItems().map { item in
            var item = item
            item.service = item.service.replacingOccurrences(of: LegacyService.prefix, with: Self.service)
            change(&item)
            return item
        }
    }

    private static let services = ["account", "mechanism", "notification", "pushDeviceToken"].map {
        "\(service).\($0)"
    }

    /// If an app renamed the SDK's module and services, the error names the options with which the items can be read.
    @Test(arguments: Container.allCases)
    func archivesOfARenamedModuleUnderOtherServicesAreReportedAndRead(_ container: Container) throws {
        let (old, new) = (Data("FRAuthenticator".utf8), Data("BankAuthenticat".utf8))
        let items = try ownItems { item in
            while let range = item.data.range(of: old) { item.data.replaceSubrange(range, with: new) }
        }
        let url = try file(items, container)
        for mayBeEmpty in [true, false] {
            let error = #expect(throws: LegacyStoreError.self) {
                try LegacyFile.open(url, mayBeEmpty: mayBeEmpty)
            }
            let reason = try #require(error?.reason)
            let options = Self.services.map { "--service \($0)" }.joined(separator: " ")
            #expect(reason.contains("14 items that look like the SDK's"))
            #expect(reason.contains("to read them, add `\(options) --module BankAuthenticat`."))
        }
        let source = MigrationSource.file(url).items(ofServices: Self.services)
            .archives(ofModule: "BankAuthenticat")
        try expectEverything(from: source)
    }

    /// An archive of another program is not reported, even if its class has the same name as a class of the SDK.
    ///
    /// The archive has different fields.
    @Test func anArchiveOfAnotherProgramIsNotReported() throws {
        var archive = HandmadeArchive.account
        archive.className = .string("Notes.Account")
        archive.fields = ["owner": .string("A")]
        let item = StoreFixture.Item(service: "com.example.notes", key: "A", data: archive.bytes)
        let url = try file(StoreFixture.everydayItems() + [item], .lines)
        #expect(LegacyFile.warnings(about: url) == [])
    }

    /// Deleted items under other services are counted, and a dump without other items is rejected with the number of
    /// deleted items.
    @Test(arguments: Container.allCases)
    func deletedItemsOfOtherServicesAreCounted(_ container: Container) throws {
        let url = try file(ownItems { $0.tombstone = 1 }, container)
        let words = "14 deleted items in other services that look like items of the SDK"
        let sentence = "contains \(words), which are not read."
        #expect(LegacyFile.warnings(about: url).map { $0.hasSuffix(sentence) } == [true])
        #expect(LegacyFile.remains(of: url, besides: []) == words)
        guard container == .lines || container == .database else {
            let error = #expect(throws: LegacyStoreError.self) {
                try LegacyFile.open(url, mayBeEmpty: true)
            }
            #expect(error?.reason.hasSuffix(sentence) == true)
            return
        }
        #expect(try LegacyFile.open(url, mayBeEmpty: true).items().map { $0 }.isEmpty)
    }

    /// Encrypted items are recognised by their names, because their values cannot be read.
    @Test(arguments: Container.allCases)
    func encryptedItemsOfOtherServicesAreReported(_ container: Container) throws {
        var generator = SystemRandomNumberGenerator()
        let items = try ownItems { item in
            item.data = Data((0..<300).map { _ in UInt8.random(in: 0x80...0xFF, using: &generator) })
        }
        let url = try file(items, container)
        for mayBeEmpty in [true, false] {
            let error = #expect(throws: LegacyStoreError.self) {
                try LegacyFile.open(url, mayBeEmpty: mayBeEmpty)
            }
            let reason = try #require(error?.reason)
            #expect(reason.contains("14 encrypted items with names like the SDK's"))
            #expect(reason.contains("--service \(Self.services[1])"))
        }
    }

    /// Encrypted items with other names may belong to any program, so they cause no warning; `remains` mentions them.
    @Test func encryptedItemsWithOtherKeysAreMentioned() throws {
        let items = (0..<2).map { number in
            StoreFixture.Item(
                service: Self.service,
                key: "\(number)",
                data: Data(repeating: 0x80, count: 300)
            )
        }
        let url = try file(items, .database)
        #expect(try LegacyFile.open(url, mayBeEmpty: true).items().map { $0 }.isEmpty)
        let words = "2 items with encrypted values under other services"
        #expect(LegacyFile.remains(of: url, besides: []) == words)
        #expect(LegacyFile.warnings(about: url) == [])
    }

    /// `true` and `"1"` mark an item as deleted; `false`, `"0"` and `null` do not.
    @Test(arguments: [("true", 1), (#""1""#, 1), ("false", 0), (#""0""#, 0), ("null", 0)])
    func aTombstoneIsReadInAnyForm(_ form: String, _ count: Int) throws {
        let item = try #require(try StoreFixture.everydayItems().first)
        let object = """
            {"svce":"\(item.service)","acct":"\(item.key)","data":"\(item.data.base64EncodedString())","tomb":\(form)}
            """
        for text in [object, "{\"items\":[\(object)]}"] {
            let url = folder.url("store")
            try Data(text.utf8).write(to: url)
            #expect(try LegacyFile.open(url, mayBeEmpty: true).items().map { $0 }.count == 1 - count)
            #expect(LegacyFile.warnings(about: url).count == count)
        }
    }

    /// A deleted item does not prevent the removal of the document.
    ///
    /// The backup contains the deleted item.
    @Test func deletedItemsAreRemovedWithTheirDocument() throws {
        var items = try StoreFixture.everydayItems()
        items[0].tombstone = 1
        let url = try file(items, .lines)
        let source = try LegacyFile.open(url)
        var removals: [LegacyItem.Position: LegacyItem.Digest] = [:]
        for item in try source.items() {
            let item = try item.get()
            removals[item.position] = item.digest
        }
        try source.remove(removals, backup: folder.url("backup"))
        #expect(LegacyFile.isMissing(url))
        let copy = try String(contentsOf: folder.url("backup"), encoding: .utf8)
        #expect(copy.contains(#""tomb":1"#))
    }
}

/// JSON documents of other programs may have lists with the same names as the SDKs' lists.
@Suite("JSON documents of other programs")
struct ForeignDocumentTests {
    @Test(
        arguments: [
            #"{"accounts":[{"id":"1","createdAt":"2024-01-01"}]}"#,
            #"{"accounts":[{"name":"x","account":"y","oathType":"totp"}]}"#,
            #"{"accounts":[{"createdAt":1}],"notifications":[{"createdAt":2}]}"#,
            #"{"notifications":[{"id":"1","createdAt":"2024-01-01","account":"y"}]}"#,
            #"{"deviceToken":{"createdAt":"2024-01-01"}}"#,
        ]
    )
    func aDocumentOfAnotherProgramIsNotAStore(_ text: String) throws {
        let folder = try TemporaryFolder()
        let url = folder.url("file")
        try Data(text.utf8).write(to: url)
        for mayBeEmpty in [true, false] {
            let error = #expect(throws: LegacyStoreError.self) {
                try LegacyFile.open(url, mayBeEmpty: mayBeEmpty)
            }
            #expect(error?.reason.contains("is not a store of the legacy SDK or its successor") == true)
        }
    }
}
