import Foundation
import GRDB
import PushBridgeCore
import PushBridgeStore
import PushBridgeTestSupport
import Testing

@testable import LegacyFiles
@testable import LegacyStore

/// Stores of the successor SDK in every container, together with records of the legacy SDK.
@Suite struct NewSDKContainerTests {
    private let folder: TemporaryFolder
    private let records: [(NewSDKService, String, String)] = [
        (.pushCredentials, "P1", NewSDKSamples.push("P1", secret: "AAAA")),
        (.pushCredentials, "P2", NewSDKSamples.push("P2", secret: "-_8")),
        (.pushNotifications, "N1", NewSDKSamples.notification("N1", of: "P1")),
        (.pushTokens, "token", #"{"id":"t","token":"F79B","createdAt":"2023-11-14T22:13:20Z"}"#),
        (.oathCredentials, "T1", NewSDKSamples.totp("T1")),
    ]

    init() throws {
        folder = try TemporaryFolder()
    }

    private var payloads: [LegacyItem.Payload] { records.map { .newSDK(Data($0.2.utf8)) } }
    private var services: [LegacyService] { records.map(\.0.counterpart) }
    private var backup: URL { URL(fileURLWithPath: folder.path("backup")) }

    private func expectAll(_ source: any LegacySource, container: String) throws {
        let items = try source.allItems()
        #expect(source.container == container)
        #expect(Set(items.map(\.payload.content)) == Set(payloads.map(\.content)))
        let kinds = try items.map { try $0.decoded().record.kind.rawValue }.sorted()
        #expect(kinds == ["deviceToken", "notification", "push", "push", "totp"])
    }

    /// Removes the second item and checks that the other items are still readable.
    ///
    /// A document is removed as a whole.
    private func expectRemoval(_ url: URL) throws {
        let source = try LegacyFile.open(url)
        let items = try source.allItems()
        guard !source.isRemovedWhole else {
            try source.remove(items, backup: backup)
            #expect(try folder.names() == ["backup"])
            #expect(try LegacyFile.open(backup).allItems() == items)
            return
        }
        try source.remove([items[1]], backup: backup)
        let left = try LegacyFile.open(url).allItems()
        #expect(left.map(\.payload) == items.enumerated().filter { $0.offset != 1 }.map(\.element.payload))
    }

    @Test func recordsInAKeychainDatabaseAreReadAndRemoved() throws {
        let url = try KeychainFile.create(at: URL(fileURLWithPath: folder.path("store"))) { db in
            for (service, key, json) in records {
                try db.execute(
                    sql: "INSERT INTO genp(agrp, svce, acct, data) VALUES ('', ?, ?, ?)",
                    arguments: [service.rawValue, key, Data(json.utf8)]
                )
            }
        }
        try expectAll(LegacyFile.open(url), container: "sqlite")
        try expectRemoval(url)
    }

    @Test(arguments: [PropertyListSerialization.PropertyListFormat.xml, .binary])
    func recordsInAPropertyListAreReadAndRemoved(_ format: PropertyListSerialization.PropertyListFormat)
        throws
    {
        var list: [String: [String: Data]] = [:]
        for (service, key, json) in records { list[service.rawValue, default: [:]][key] = Data(json.utf8) }
        let bytes = try PropertyListSerialization.data(fromPropertyList: list, format: format, options: 0)
        let url = try folder.file("store", bytes)
        try expectAll(LegacyFile.open(url), container: "propertyList")
        try expectRemoval(url)
    }

    @Test func recordsInJSONLinesAreReadAndRemoved() throws {
        let lines = records.map { service, key, json in
            #"{"svce":"\#(service.rawValue)","acct":"\#(key)","data":"\#(Data(json.utf8).base64EncodedString())"}"#
        }
        let url = try folder.file("store", Data(lines.joined(separator: "\n").utf8))
        try expectAll(LegacyFile.open(url), container: "jsonLines")
        try expectRemoval(url)
    }

    @Test func recordsInAListOfJSONObjectsAreReadAndRemoved() throws {
        let url = try folder.file("store", Data("[\(records.map(\.2).joined(separator: ",\n "))]\n".utf8))
        try expectAll(LegacyFile.open(url), container: "newSDKJSON")
        try expectRemoval(url)
    }

    @Test func recordsInADocumentWithSectionsAreReadAndRemoved() throws {
        let json = records.map(\.2)
        let url = try folder.file(
            "store",
            Data(
                """
                {"credentials": [\(json[0]), \(json[1]), \(json[4])], "notifications": [\(json[2])],
                "deviceToken": \(json[3])}
                """.utf8
            )
        )
        try expectAll(LegacyFile.open(url), container: "newSDKJSON")
        try expectRemoval(url)
    }

    @Test func recordsInALiveKeychainAreReadAndRemoved() throws {
        let keychain = InMemoryKeychain()
        for (service, key, json) in records {
            let name = KeychainItem.Name(service: service.rawValue, account: key)
            try keychain.add(KeychainItem(name, data: Data(json.utf8)))
        }
        let store = KeychainLegacySource(keychain, contents: .services(KeychainServices()))
        try expectAll(store, container: "keychain")
        #expect(try KeychainLegacySource(keychain).allItems().isEmpty)
        try store.remove(store.allItems().prefix(2), backup: backup)
        #expect(try store.allItems().map(\.key) == ["N1", "token", "T1"])
        #expect(try LegacyFile.open(backup).allItems().count == 5)
    }

    @Test(arguments: [
        "[]", "[1,2]", #"[{"id":"x"}]"#, #"{"credentials":[{"id":"x"}]}"#, #"{"credentials":{}}"#,
    ])
    func otherJSONIsNotAStore(_ json: String) throws {
        let url = try folder.file("store", Data(json.utf8))
        let error = #expect(throws: LegacyStoreError.self) { try LegacyFile.open(url) }
        #expect(error?.code == .notALegacyStore)
    }

    @Test func theRecordsBeforeASyntaxErrorInAListAreRead() throws {
        let text = "[\(records[0].2), {\"id\":\"P"
        let url = try folder.file("store", Data(text.utf8))
        let items = try LegacyFile.open(url).allItems()
        #expect(items.count == 2)
        #expect(items.first?.payload == payloads[0])
        let line = text.split(separator: "\n", omittingEmptySubsequences: false)
        let place = "line \(line.count), column \((line.last ?? "").utf8.count + 1)"
        let reason = "The document is incomplete: it ends at \(place)."
        #expect(throws: LegacyRecordError.damaged(reason)) { try items.last?.decoded() }
    }
}
