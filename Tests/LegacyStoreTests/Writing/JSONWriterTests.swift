import Foundation
import PushBridgeCore
import PushBridgeFiles
import PushBridgeStore
import PushBridgeTestSupport
import Testing

@testable import LegacyFiles
@testable import LegacyStore

struct JSONWriterTests {
    private let scratch: TemporaryFolder
    private var url: URL { scratch.url("store") }
    private let token = LegacyRecord.deviceToken(
        PushDeviceToken(tokenId: "AB", createdAt: Date(timeIntervalSince1970: 1))
    )

    init() throws {
        scratch = try TemporaryFolder()
    }

    @Test(arguments: ["everyday.sqlite", "edges.sqlite"])
    func legacyDocumentsComeBack(_ fixture: String) throws {
        let records = try StoreFixture.items(fixture).map { try $0.decoded().record }
        let writer = try LegacyJSONWriter(url)
        for record in records { try writer.write(record) }
        try writer.finish()
        let source = try LegacyFile.open(url)
        #expect(source.container == "legacyJSON")
        #expect(try source.allItems().map { try $0.decoded().record } == records.map(\.withoutVersion))
        #expect(try FileStatus(of: url).permissions == 0o600)
        #expect(try fields(Data(contentsOf: url))?.count == 4)
    }

    @Test func anEmptyDocumentIsAStore() throws {
        try LegacyJSONWriter(url).finish()
        let text = try String(contentsOf: url, encoding: .utf8).replacingOccurrences(of: "\n", with: "")
        #expect(text == #"{"accounts":[],"mechanisms":[],"notifications":[],"deviceToken":null}"#)
        #expect(try LegacyFile.open(url).allItems().isEmpty)
    }

    @Test func recordsOutOfOrderAreRefused() throws {
        let account = LegacyRecord.account(
            LegacyAccount(
                profile: AccountProfile(issuer: "A", accountName: "B"),
                timeAdded: Date(timeIntervalSince1970: 0)
            )
        )
        let writer = try LegacyJSONWriter(url)
        try writer.write(account)
        try writer.write(token)
        for record in [account, token] {
            #expect(throws: LegacyStoreError.notWritable("A record of a JSON document is out of order.")) {
                try writer.write(record)
            }
        }
        try writer.finish()
        #expect(try LegacyFile.open(url).allItems().map { try $0.decoded().record } == [account, token])
    }

    @Test(arguments: ["everyday.sqlite", "edges.sqlite"])
    func exportsComeBack(_ fixture: String) throws {
        let records = try StoreFixture.items(fixture).map { try $0.decoded().record }
        let accounts = records.compactMap(\.account)
        let writer = try MigrationExportWriter(url, exportedAt: Date(timeIntervalSince1970: 1.5))
        var expected: [DecodedItem] = []
        for case .mechanism(let mechanism) in records {
            let account = accounts.first { $0.profile.key == mechanism.account }
            try writer.write(mechanism, account: account)
            let record = LegacyRecord.mechanism(mechanism).withoutVersion.withoutRegistration
            expected.append(DecodedItem(record: record, embeddedAccount: account))
        }
        try writer.finish()
        let source = try LegacyFile.open(url)
        #expect(source.container == "migrationExport")
        #expect(try source.allItems().map { try $0.decoded() } == expected)
        let metadata = try fields(Data(contentsOf: url))?["metadata"] as? NSDictionary
        #expect(metadata == ["totalMechanisms": expected.count, "exportedAt": 1500])
    }

    @Test func infiniteNumbersAreRefusedAndNothingElse() throws {
        let notification = PushNotification(
            message: PushMessage(id: "i", challenge: "c"),
            mechanismUUID: "M",
            ttl: .infinity,
            timeAdded: Date(timeIntervalSince1970: 0)
        )
        let writer = try LegacyJSONWriter(url)
        let error = #expect(throws: LegacyStoreError.self) { try writer.write(.notification(notification)) }
        #expect(error?.code == .notWritable)
        try writer.write(token)
        try writer.finish()
        #expect(try LegacyFile.open(url).allItems().map { try $0.decoded().record } == [token])
    }
}

extension LegacyRecord {
    fileprivate var account: LegacyAccount? {
        guard case .account(let account) = self else { return nil }
        return account
    }

    // No JSON shape has a place for a mechanism's format version.
    fileprivate var withoutVersion: LegacyRecord {
        guard case .mechanism(var mechanism) = self else { return self }
        mechanism.version = nil
        return .mechanism(mechanism)
    }

    fileprivate var withoutRegistration: LegacyRecord {
        guard case .mechanism(let mechanism) = self, case .push(let push) = mechanism.factor else {
            return self
        }
        var copy = LegacyMechanism(
            mechanismUUID: mechanism.mechanismUUID,
            account: mechanism.account,
            secret: mechanism.secret,
            timeAdded: mechanism.timeAdded,
            factor: .push(
                LegacyPushParameters(
                    registrationEndpoint: push.registrationEndpoint,
                    authenticationEndpoint: push.authenticationEndpoint,
                    registration: LegacyRegistration(messageId: nil, challenge: nil, loadBalancer: nil)
                )
            )
        )
        copy.uid = mechanism.uid
        copy.resourceId = mechanism.resourceId
        return .mechanism(copy)
    }
}
