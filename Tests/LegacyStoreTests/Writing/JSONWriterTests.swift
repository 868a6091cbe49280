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
    func legacyDocumentsRoundTrip(_ fixture: String) throws {
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
            let reason =
                "The record is out of order; write accounts, mechanisms, notifications, then one device token."
            #expect(throws: LegacyStoreError.notWritable(reason)) {
                try writer.write(record)
            }
        }
        try writer.finish()
        #expect(try LegacyFile.open(url).allItems().map { try $0.decoded().record } == [account, token])
    }

    @Test(arguments: ["everyday.sqlite", "edges.sqlite"])
    func exportsRoundTrip(_ fixture: String) throws {
        let records = try StoreFixture.items(fixture).map { try $0.decoded().record }
        let accounts = records.compactMap(\.account)
        let writer = try MigrationExportWriter(url, exportedAt: Date(timeIntervalSince1970: 1.5))
        var expected: [DecodedItem] = []
        for case .mechanism(let mechanism) in records {
            let account = accounts.first { $0.profile.key == mechanism.account }
            guard try writer.write(mechanism, account: account) else { continue }
            let record = LegacyRecord.mechanism(mechanism.respelled).withoutVersion.withoutRegistration
            let bare = LegacyAccount(
                profile: AccountProfile(mechanism.account),
                timeAdded: mechanism.timeAdded
            )
            expected.append(DecodedItem(record: record, embeddedAccount: account ?? bare))
        }
        try writer.finish()
        let source = try LegacyFile.open(url)
        #expect(source.container == "migrationExport")
        #expect(try source.allItems().map { try $0.decoded() } == expected)
        let metadata = try fields(Data(contentsOf: url))?["metadata"] as? NSDictionary
        #expect(metadata == ["totalMechanisms": expected.count, "exportedAt": 1500])
    }

    /// A migration export as the vendor's parser on Android reads it, with the required fields and defaults that are
    /// known.
    private struct AndroidExport: Decodable {
        struct Account: Decodable {
            let id, issuer, accountName: String
        }
        struct Mechanism: Decodable {
            let id, issuer, accountName, mechanismUID, secret, type: String
            let oathType, algorithm: String?
            let account: Account

            /// Whether the mechanism would make the same one-time passwords, or sign answers, in the Android
            /// SDK.
            var isUsable: Bool {
                guard type == "otpauth" else {
                    return type == "push" && Data(base64Encoded: secret)?.isEmpty == false
                }
                let isBase32 = secret.allSatisfy { "ABCDEFGHIJKLMNOPQRSTUVWXYZ234567".contains($0) }
                return isBase32 && ["totp", "hotp"].contains(oathType?.lowercased())
                    && ["sha1", "sha256", "sha512"].contains(algorithm)
            }
        }
        struct Metadata: Decodable {
            let totalMechanisms, exportedAt: Int
        }
        let mechanisms: [Mechanism]
        let metadata: Metadata
    }

    @Test(arguments: ["everyday.sqlite", "edges.sqlite"])
    func theAndroidSDKAcceptsAnExport(_ fixture: String) throws {
        let writer = try MigrationExportWriter(url, exportedAt: Date(timeIntervalSince1970: 1.5))
        var written = 0
        for item in try StoreFixture.items(fixture) {
            guard case .mechanism(let mechanism) = try item.decoded().record else { continue }
            // The mechanism has no account, as if the account's record had been lost.
            if try writer.write(mechanism, account: nil) { written += 1 }
        }
        try writer.finish()
        let export = try JSONDecoder().decode(AndroidExport.self, from: Data(contentsOf: url))
        #expect(export.mechanisms.count == written && export.metadata.totalMechanisms == written)
        #expect(export.mechanisms.filter { !$0.isUsable }.map(\.id) == [])
        #expect(export.mechanisms.allSatisfy { $0.account.id == "\($0.issuer)-\($0.accountName)" })
    }

    /// The export omits a mechanism that Android could not read or would read with a different hash function.
    @Test(arguments: [
        ("sha224", "JBSWY3DP", false), ("SHA384", "JBSWY3DP", false), ("md5", "JBSWY3DP", false),
        ("sha1", "not base32!", false), ("SHA256", "jbsw y3dp", true), ("Sha512", "JBSWY3DPJQ======", true),
    ])
    func recordsThatAndroidWouldChangeAreLeftOut(_ algorithm: String, _ secret: String, _ isWritten: Bool)
        throws
    {
        let writer = try MigrationExportWriter(url, exportedAt: Date())
        let mechanism = LegacyMechanism(
            mechanismUUID: "M",
            account: AccountKey(issuer: "I", accountName: "A"),
            secret: try #require(SharedSecret(utf8: secret)),
            timeAdded: Date(timeIntervalSince1970: 0),
            factor: .totp(LegacyOathParameters(algorithm: algorithm, digits: 6), period: 30)
        )
        #expect(try writer.write(mechanism, account: nil) == isWritten)
        try writer.finish()
        let export = try JSONDecoder().decode(AndroidExport.self, from: Data(contentsOf: url))
        #expect(export.mechanisms.map(\.isUsable) == (isWritten ? [true] : []))
    }

    @Test func aRecordWithAnInfiniteNumberIsRefused() throws {
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

extension LegacyMechanism {
    /// The mechanism in the form that the export should have.
    ///
    /// This computation is independent of the export: a push secret is in standard Base64 with padding, and any other
    /// secret is uppercase, without padding or spaces.
    fileprivate var respelled: LegacyMechanism {
        var mechanism = self
        var text = secret.withUTF8 { $0 }
        if kind == .push {
            text = text.replacingOccurrences(of: "-", with: "+").replacingOccurrences(of: "_", with: "/")
            while text.utf8.count % 4 != 0 { text += "=" }
        } else {
            text = text.uppercased().filter { $0 != "=" && $0 != " " }
        }
        if let secret = SharedSecret(utf8: text) { mechanism.secret = secret }
        switch factor {
        case .push: break
        case .totp(let it, let period):
            mechanism.factor = .totp(
                .init(algorithm: it.algorithm.lowercased(), digits: it.digits),
                period: period
            )
        case .hotp(let it, let counter):
            mechanism.factor = .hotp(
                .init(algorithm: it.algorithm.lowercased(), digits: it.digits),
                counter: counter
            )
        }
        return mechanism
    }
}

extension LegacyRecord {
    fileprivate var account: LegacyAccount? {
        guard case .account(let account) = self else { return nil }
        return account
    }

    // No JSON format has a field for the version of a mechanism.
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
