import Foundation
import GRDB
import PushBridgeCore
import PushBridgeStore
import PushBridgeTestSupport
import Testing

@testable import LegacyFiles
@testable import LegacyStore

/// One-time-password credentials of the successor SDK: each consists of two items and is read as one record.
@Suite struct PairingSourceTests {
    private let folder: TemporaryFolder
    private let keychain = InMemoryKeychain()
    private static let id = "C0DE0000-0000-4000-8000-00000000000"

    init() throws {
        folder = try TemporaryFolder()
        for item in try KeychainFixture.successor.items() {
            let name = KeychainItem.Name(service: item.service, account: item.account)
            try keychain.add(KeychainItem(name, data: item.data))
        }
    }

    private var backup: URL { URL(fileURLWithPath: folder.path("backup")) }

    private func source(
        services: KeychainServices = KeychainServices()
    ) -> PairingSource {
        PairingSource(KeychainLegacySource(keychain, contents: .services(services)), services: services)
    }

    private func code(_ number: Int, in source: any LegacySource) throws -> LegacyItem {
        try #require(try source.allItems().first { $0.key == "\(Self.id)\(number)" })
    }

    private func mechanism(_ item: LegacyItem) throws -> LegacyMechanism {
        guard case .mechanism(let mechanism) = try item.decoded().record else { throw NoMechanism() }
        return mechanism
    }

    private struct NoMechanism: Error {}

    private func error(_ item: LegacyItem) -> LegacyRecordError? {
        do {
            _ = try item.decoded()
            return nil
        } catch {
            return error
        }
    }

    /// A credential uses the secret in its own item, even if the SDK's secret item contains a different secret.
    ///
    /// Before its first release, PushBridge stored the secret in the credential's item.
    @Test func aCredentialUsesTheSecretInItsOwnItem() throws {
        let name = KeychainItem.Name(service: "com.pingidentity.oath", account: "\(Self.id)1")
        let data = try #require(try keychain.data(name))
        var members = try #require(try JSONSerialization.jsonObject(with: data) as? [String: Any])
        members["secret"] = "JBSWY3DPEHPK3PXP"
        try keychain.remove(name)
        try keychain.add(KeychainItem(name, data: try JSONSerialization.data(withJSONObject: members)))
        #expect(try mechanism(code(1, in: source())).secret == SharedSecret(utf8: "JBSWY3DPEHPK3PXP"))
        #expect(try source().allItems().count == 8)
    }

    @Test func everyCredentialIsOneRecord() throws {
        let items = try source().allItems()
        #expect(items.count == 2 + 2 + 1 + 3)
        let full = try mechanism(code(1, in: source()))
        #expect(full.secret == SharedSecret(utf8: "GEZDGNBVGY3TQOJQGEZDGNBVGY3TQOJQGEZDGNBVGY3TQOJQGEZA"))
        #expect(full.timeAdded == Date(timeIntervalSinceReferenceDate: 783_854_142.25))
        #expect((full.uid, full.resourceId) == ("babs", "41d2-device"))
        guard case .totp(let parameters, let period) = full.factor else { throw NoMechanism() }
        #expect((parameters.algorithm, parameters.digits, period) == ("SHA256", 8, 60))
        let hotp = try mechanism(code(3, in: source()))
        guard case .hotp(_, let counter) = hotp.factor else { throw NoMechanism() }
        #expect(counter == 4_294_967_301)
        #expect(try code(2, in: source()).decoded().embeddedAccount?.profile.issuer == "Büro")
    }

    @Test func aNotificationWithoutAChallengeIsRead() throws {
        let items = try source().allItems().filter { $0.service == .notification }
        let bare = try items.map { try $0.decoded().record }.compactMap { record in
            if case .notification(let value) = record, value.challenge == nil { value } else { nil }
        }
        #expect(bare.map(\.messageId) == ["own-handler-17"])
        #expect(bare.map(\.sentAt) == [nil])
    }

    /// In JSON lines and in a database, the two items of a credential are found in either order.
    @Test(arguments: [true, false])
    func pairsOfItemsAreFoundInEveryFileFormat(_ isReversed: Bool) throws {
        let items = try KeychainFixture.successor.items()
        let lines = (isReversed ? items.reversed() : items).map {
            #"{"svce":"\#($0.service)","acct":"\#($0.account)","data":"\#($0.data.base64EncodedString())"}"#
        }
        let lists = [
            try folder.file("lines", Data(lines.joined(separator: "\n").utf8)),
            try KeychainFile.create(at: URL(fileURLWithPath: folder.path("database"))) { db in
                for item in isReversed ? items.reversed() : items {
                    try db.execute(
                        sql: "INSERT INTO genp(agrp, svce, acct, data) VALUES ('', ?, ?, ?)",
                        arguments: [item.service, item.account, item.data]
                    )
                }
            },
        ]
        for url in lists {
            #expect(try LegacyFile.open(url).allItems().count == 8)
            let wanted = try (1...3).map { try code($0, in: LegacyFile.open(url)) }
            #expect(try wanted.map { try mechanism($0).kind.rawValue } == ["totp", "totp", "hotp"])
            let copy = URL(fileURLWithPath: folder.path("\(url.lastPathComponent).backup"))
            let source = try LegacyFile.open(url)
            try source.remove(source.isRemovedWhole ? source.allItems() : [wanted[1]], backup: copy)
            #expect(try LegacyFile.open(copy).allItems().count == 8)
            guard !source.isRemovedWhole else { continue }
            #expect(try LegacyFile.open(url).allItems().count == 7)
        }
    }

    @Test func aRemovalDeletesBothItemsAndTheBackupContainsThem() throws {
        try source().remove([code(1, in: source())], backup: backup)
        for service in ["com.pingidentity.oath", "com.pingidentity.oath.secrets"] {
            #expect(
                try keychain.accounts(service: service, accessGroup: nil) == ["\(Self.id)2", "\(Self.id)3"]
            )
        }
        #expect(try LegacyFile.open(backup).allItems().count == 8)
        #expect(try mechanism(code(1, in: LegacyFile.open(backup))).kind == .totp)
    }

    @Test(arguments: ["com.pingidentity.oath", "com.pingidentity.oath.secrets"])
    func aCredentialIsNotRemovedIfEitherItemChanged(_ service: String) throws {
        let proven = try code(1, in: source())
        let name = KeychainItem.Name(service: service, account: proven.key)
        var data = try #require(try keychain.data(name))
        if service.hasSuffix("secrets") {
            data = Data("MFRGGZDFMZTWQ2LK".utf8)
        } else {
            data = Data(
                String(decoding: data, as: UTF8.self).replacingOccurrences(of: "babs", with: "bobs").utf8
            )
        }
        try keychain.update(name, data: data)
        let error = #expect(throws: LegacyStoreError.self) { try source().remove([proven], backup: backup) }
        #expect(error?.code == .changed)
        #expect(try source().allItems().count == 8)
    }

    @Test func aCredentialWithOnlyOneOfItsItemsIsDamaged() throws {
        try keychain.remove(.init(service: "com.pingidentity.oath.secrets", account: "\(Self.id)1"))
        try keychain.remove(.init(service: "com.pingidentity.oath", account: "\(Self.id)2"))
        let items = try source().allItems()
        #expect(items.count == 8)
        for (number, reason) in [
            (1, "in a separate item, is missing"), (2, "does not contain this credential"),
        ] {
            let error = try error(code(number, in: source()))
            #expect(error?.code == .damaged)
            #expect(error?.reason.contains(reason) == true, "\(error?.reason ?? "")")
        }
        #expect(try mechanism(code(3, in: source())).kind == .hotp)
    }

    @Test func anUndecryptableSecretIsReported() throws {
        keychain.makeUndecryptable(.init(service: "com.pingidentity.oath.secrets", account: "\(Self.id)1"))
        keychain.makeUndecryptable(.init(service: "com.pingidentity.oath", account: "\(Self.id)2"))
        #expect(try source().allItems().count == 8)
        for number in 1...2 { #expect(try error(code(number, in: source()))?.code == .undecryptable) }
    }

    @Test func aSecretThatIsNotTextIsDamaged() throws {
        let name = KeychainItem.Name(service: "com.pingidentity.oath.secrets", account: "\(Self.id)1")
        try keychain.update(name, data: Data([0xFF, 0xFE]))
        #expect(try error(code(1, in: source()))?.code == .damaged)
    }

    @Test func aChangedSecretItemChangesTheStateOfTheSource() throws {
        let before = try source().state()
        #expect(before != nil)
        let name = KeychainItem.Name(service: "com.pingidentity.oath.secrets", account: "\(Self.id)1")
        try keychain.update(name, data: Data("MFRGGZDFMZTWQ2LK".utf8))
        #expect(try source().state() != before)
    }

    @Test func itemsUnderTheAppsOwnServicesAreRead() throws {
        let own = InMemoryKeychain()
        let services = KeychainServices(
            credentials: "p",
            notifications: "n",
            tokens: "t",
            oathCredentials: "o"
        )
        for item in try KeychainFixture.successor.items() {
            let service =
                switch item.service {
                case "com.pingidentity.push.credentials": "p"
                case "com.pingidentity.push.notifications": "n"
                case "com.pingidentity.push.tokens": "t"
                case "com.pingidentity.oath": "o"
                default: "o.secrets"
                }
            try own.add(KeychainItem(.init(service: service, account: item.account), data: item.data))
        }
        let halves = KeychainLegacySource(own, contents: .services(services))
        let items = try PairingSource(halves, services: services).allItems()
        #expect(items.count == 8)
        #expect(items.allSatisfy { error($0) == nil })
    }
}
