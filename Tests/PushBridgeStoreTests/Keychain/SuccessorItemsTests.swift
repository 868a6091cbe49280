import Foundation
import PushBridgeCore
import PushBridgePlatform
import PushBridgeStore
import PushBridgeTestSupport
import Testing

/// PushBridge's store and the successor SDK read each other's keychain items.
///
/// The tests compare item by item.
@Suite("Items of the successor SDK")
struct SuccessorItemsTests {
    private let keychain = InMemoryKeychain()
    private let services = KeychainServices()
    private var store: KeychainCredentialStore { KeychainCredentialStore(keychain: keychain) }
    private var reader: SuccessorReader { SuccessorReader(keychain: keychain) }

    private static let push = "1E9A0C52-4C5B-4E0B-9B6E-0D3C5A8F1B0"
    private static let code = "C0DE0000-0000-4000-8000-00000000000"
    private static let note = "7B1C0000-0000-4000-8000-00000000000"

    // MARK: Items that the SDK wrote

    @Test func everyPushCredentialIsRead() throws {
        try keychain.fill(.successor)
        let found = try store.read { try $0.pushCredentials() }
        #expect(found.unreadable == [])
        let full = try #require(found.first { $0.id == Self.push + "1" })
        #expect(full.userId == "babs")
        #expect(full.resourceId == "3f0c7d2e-device")
        #expect((full.issuer, full.displayIssuer) == ("Example Bank", "My bank"))
        #expect((full.accountName, full.displayAccountName) == ("babs@example.com", "Babs"))
        #expect(full.serverEndpoint == "https://am.example.com/am/json/alpha/push/sns/message")
        #expect(full.sharedSecret.withBase64 { $0 } == "b/a+AAECAwQFBgcICQoLDA0ODxAREhMUFRYXGBkaGxw=")
        #expect(full.createdAt == Date(timeIntervalSince1970: 1_762_161_342))
        #expect(full.imageURL == "https://example.com/logo.png")
        #expect(full.backgroundColor == "#032B75")
        #expect(full.policies == #"{"biometricAvailable": { },"deviceTampering": {"score": 0.8}}"#)
        #expect((full.isLocked, full.lockingPolicy) == (true, "deviceTampering"))
        let bare = try #require(found.first { $0.id == Self.push + "2" })
        #expect((bare.userId, bare.resourceId) == (nil, ""))
        #expect((bare.issuer, bare.account.customDisplayIssuer) == ("Büro", nil))
        #expect((bare.accountName, bare.account.customDisplayAccountName) == ("zoë", nil))
        #expect(bare.createdAt == Date(timeIntervalSince1970: 1_709_251_199))
        #expect((bare.imageURL, bare.backgroundColor, bare.policies) == (nil, nil, nil))
        #expect((bare.isLocked, bare.lockingPolicy) == (false, nil))
    }

    @Test func everyNotificationIsReadEvenWithoutAChallenge() throws {
        try keychain.fill(.successor)
        let found = try store.read { try $0.notifications() }
        #expect(found.unreadable == [])
        let full = try #require(found.first { $0.id == Self.note + "1" })
        #expect(full.credentialId == Self.push + "1")
        #expect((full.ttl, full.messageId) == (120, "AUTHENTICATE:59a1c0de-0000-4000-8000-1700000000001"))
        #expect((full.messageText, full.customPayload) == ("Login attempt", #"{"order":17}"#))
        #expect(full.challenge == "x8sQ0zB3uQYq7hJmT1o2ZP1m0mU8aVxk5H0cQnZl6GA=")
        #expect((full.numbersChallenge, full.loadBalancer) == ("34,56,82", "amlbcookie=01"))
        #expect(full.contextInfo == #"{"location":{"latitude":51.4,"longitude":-2.6}}"#)
        #expect(full.pushType == .challenge)
        #expect(full.createdAt == Date(timeIntervalSince1970: 1_762_161_362))
        #expect(full.sentAt == Date(timeIntervalSince1970: 1_762_161_360))
        #expect(full.respondedAt == Date(timeIntervalSince1970: 1_762_161_380))
        #expect((full.approved, full.pending) == (true, false))
        let bare = try #require(found.first { $0.id == Self.note + "2" })
        #expect((bare.challenge, bare.sentAt, bare.respondedAt) == (nil, nil, nil))
        #expect((bare.messageText, bare.customPayload, bare.numbersChallenge) == (nil, nil, nil))
        #expect((bare.loadBalancer, bare.contextInfo) == (nil, nil))
        #expect((bare.pushType, bare.ttl, bare.approved, bare.pending) == (.default, 60, false, true))
    }

    @Test func theTokenIsRead() throws {
        try keychain.fill(.successor)
        let token = try #require(try store.read { try $0.deviceToken() })
        #expect(token.id == "9D0E7F10-1111-4222-8333-444455556666")
        #expect(token.token == "740f4707bebcf74f9b7c25d48e3358945f6aa01da5ddb387462c7eaf61bb78ad")
        #expect(token.createdAt == Date(timeIntervalSince1970: 1_762_156_800))
    }

    /// Every credential is read in two ways: in a list, and by its id.
    @Test(arguments: [true, false])
    func everyOneTimePasswordCredentialIsReadFromItsTwoItems(_ isListed: Bool) throws {
        try keychain.fill(.successor)
        let found = try store.read { view in
            if isListed {
                let found = try view.oathCredentials()
                #expect(found.unreadable == [])
                #expect(found.count == 3)
                return found.values.sorted { $0.id < $1.id }
            }
            return try (1...3).compactMap { try view.oathCredential(id: "\(Self.code)\($0)") }
        }
        try #require(found.count == 3)
        let (full, bare, hotp) = (found[0], found[1], found[2])
        #expect((full.userId, full.resourceId) == ("babs", "41d2-device"))
        #expect((full.issuer, full.displayIssuer) == ("Example Bank", "My bank"))
        #expect((full.accountName, full.displayAccountName) == ("codes@example.com", "Babs, codes"))
        #expect((full.oathAlgorithm, full.digits, full.movingFactor) == (.sha256, 8, .time(period: 60)))
        #expect(full.createdAt == Date(timeIntervalSinceReferenceDate: 783_854_142.25))
        #expect((full.imageURL, full.backgroundColor) == ("https://example.com/logo.png", "032b75"))
        #expect(
            (full.policies, full.lockingPolicy) == (#"{"biometricAvailable": { }}"#, "biometricAvailable")
        )
        #expect(full.isLocked)
        let secret = SharedSecret(utf8: "12345678901234567890123456789012")
        #expect(full.password.secret == secret)
        #expect((bare.userId, bare.resourceId, bare.policies, bare.imageURL) == (nil, nil, nil, nil))
        #expect((bare.oathAlgorithm, bare.digits, bare.movingFactor) == (.sha1, 6, .time(period: 30)))
        #expect(bare.createdAt == Date(timeIntervalSinceReferenceDate: 730_166_399))
        #expect(bare.password.secret == SharedSecret(base32: "JBSWY3DPEHPK3PXP"))
        #expect(bare.withSecret { $0 } == "jbsw y3dp ehpk 3pxp")
        #expect((hotp.oathType, hotp.counter, hotp.period) == (.hotp, 4_294_967_301, 0))
        #expect(hotp.createdAt == Date(timeIntervalSinceReferenceDate: 783_854_142.8734531))
        #expect(hotp.password.secret == SharedSecret(base32: "MFRGGZDFMZTWQ2LK"))
    }

    /// Items of the SDK that PushBridge reads and writes again still have the same meaning for the SDK.
    ///
    /// A one-time-password credential still consists of two items.
    @Test func itemsOfTheSDKRoundTrip() throws {
        try keychain.fill(.successor)
        let before = try Snapshot(reader)
        try store.write { view in
            for credential in try view.pushCredentials() { try view.save(credential) }
            for credential in try view.oathCredentials() { try view.save(credential) }
            for notification in try view.notifications() { try view.save(notification) }
            if let token = try view.deviceToken() { try view.save(token) }
        }
        #expect(try Snapshot(reader) == before)
        let oath = try reader.oath("\(Self.code)2")
        #expect(oath.secret == "jbsw y3dp ehpk 3pxp")
    }

    private struct Snapshot: Equatable {
        let pushes: [SuccessorReader.Push]
        let notifications: [SuccessorReader.Notification]
        let codes: [SuccessorReader.Oath]
        let secrets: [String]
        let token: SuccessorReader.Token

        init(_ reader: SuccessorReader) throws {
            pushes = try reader.accounts("com.pingidentity.push.credentials").map(reader.push)
            notifications = try reader.accounts("com.pingidentity.push.notifications").map(
                reader.notification
            )
            let read = try reader.accounts("com.pingidentity.oath").map(reader.oath)
            (codes, secrets) = (read.map(\.credential), read.map(\.secret))
            token = try reader.token()
        }
    }

    // MARK: Items that PushBridge wrote

    /// A new secret item gets the accessibility class of the credential's item.
    ///
    /// The SDK gives all items the accessibility class of its storage. If the two classes differed, a backup could
    /// contain the secret without the credential.
    @Test func aNewSecretItemGetsTheClassOfItsCredential() throws {
        let keychain = InMemoryKeychain()
        let store = KeychainCredentialStore(keychain: keychain)
        let credential = try OathRegistration(
            uri: "otpauth://totp/Bank:babs?secret=JBSWY3DPEHPK3PXP&issuer=Bank"
        )
        .credential(id: "c1", createdAt: Date(timeIntervalSince1970: 1_700_000_000))
        try store.write { try $0.put(credential) }
        let form = KeychainItem.Name(service: "com.pingidentity.oath", account: "c1")
        let secret = KeychainItem.Name(service: "com.pingidentity.oath.secrets", account: "c1")
        let data = try #require(try keychain.data(form))
        try keychain.remove(form)
        try keychain.remove(secret)
        try keychain.add(KeychainItem(form, data: data, accessibility: .whenUnlockedThisDeviceOnly))
        try store.write { try $0.put(credential) }
        #expect(try keychain.accessibility(of: secret) == .whenUnlockedThisDeviceOnly)
        #expect(try store.read { try $0.oathCredential(id: "c1") }?.password == credential.password)
    }

    @Test func theSDKReadsTheItemsOfPushBridge() throws {
        let date = Date(timeIntervalSinceReferenceDate: 783_854_142.8734531)
        let push = try PushCredential.sample("p", createdAt: date).filled()
        let bare = try PushCredential.sample("bare", account: .other)
        let alone = AccountKey(issuer: "Alone", accountName: "demo")
        let totp = try OathCredential.sample("t", account: alone, createdAt: date)
        let hotp = try OathCredential.sample("h", account: .other, movingFactor: .counter(42)).filled(
            text: "h"
        )
        let full = PushNotification.sample("n").filled()
        var own = PushNotification.sample("o", messageId: "own")
        (own.challenge, own.sentAt) = (nil, nil)
        let token = PushDeviceToken(id: "T", token: "00ff", createdAt: date)
        try store.write { view in
            for credential in [push, bare] { try view.save(credential) }
            for credential in [totp, hotp] { try view.save(credential) }
            for notification in [full, own] { try view.save(notification) }
            try view.save(token)
            try view.record(.sample("a"))
        }
        let seconds = Date(timeIntervalSinceReferenceDate: 783_854_142)
        let pushItem = try reader.push("p")
        #expect((pushItem.id, pushItem.userId, pushItem.resourceId) == ("p", "text", "text"))
        #expect((pushItem.issuer, pushItem.accountName) == (push.issuer, push.accountName))
        #expect((pushItem.displayIssuer, pushItem.displayAccountName) == ("text", "text"))
        #expect(pushItem.serverEndpoint == "https://am.example.com/json/push/sns/message")
        #expect(Data(base64Encoded: pushItem.sharedSecret) == Data("a push secret".utf8))
        #expect((pushItem.createdAt, pushItem.platform) == (seconds, "pingam"))
        #expect((pushItem.imageURL, pushItem.backgroundColor) == ("text", "text"))
        #expect((pushItem.policies, pushItem.lockingPolicy, pushItem.isLocked) == ("text", "text", true))
        #expect(try reader.push("bare").resourceId == "bare")
        let time = try reader.oath("t")
        #expect(time.secret == "MFXCA33BORUCA43FMNZGK5A")
        #expect((time.credential.oathType, time.credential.oathAlgorithm) == ("totp", "SHA1"))
        #expect((time.credential.digits, time.credential.period, time.credential.counter) == (6, 30, 0))
        #expect(time.credential.createdAt == date)
        let counted = try reader.oath("h")
        #expect((counted.credential.oathType, counted.credential.counter) == ("hotp", 42))
        #expect((counted.credential.userId, counted.credential.resourceId) == ("h", "h"))
        #expect((counted.credential.isLocked, counted.credential.lockingPolicy) == (true, "h"))
        let notification = try reader.notification("n")
        #expect((notification.pushType, notification.ttl) == ("challenge", 120))
        #expect((notification.challenge, notification.numbersChallenge) == ("Y2hhbGxlbmdl", "text"))
        #expect((notification.approved, notification.pending) == (true, true))
        #expect(notification.sentAt == full.sentAt)
        let handled = try reader.notification("o")
        #expect((handled.challenge, handled.sentAt, handled.respondedAt) == (nil, nil, nil))
        let read = try reader.token()
        #expect((read.id, read.token, read.createdAt) == ("T", "00ff", seconds))
    }

    @Test func theFormOfAOneTimePasswordCredentialDoesNotChange() throws {
        let date = Date(timeIntervalSinceReferenceDate: 721_692_800.75)
        try store.write { try $0.save(OathCredential.sample(createdAt: date)) }
        let form = try #require(try keychain.data(.init(service: services.oathCredentials, account: "oath")))
        #expect(
            String(decoding: form, as: UTF8.self) == """
                {"accountName":"demo","counter":0,"createdAt":721692800.75,"digits":6,"displayAccountName":"demo",\
                "displayIssuer":"ForgeRock","id":"oath","isLocked":false,"issuer":"ForgeRock",\
                "oathAlgorithm":"SHA1","oathType":"totp","period":30}
                """
        )
        let secret = try keychain.data(.init(service: services.oathSecrets, account: "oath"))
        #expect(secret == Data("MFXCA33BORUCA43FMNZGK5A".utf8))
    }

    @Test func theSDKsServicesContainOnlyTheSDKsRecords() throws {
        try store.write { view in
            try view.save(PushCredential.sample("p"))
            try view.save(OathCredential.sample("o"))
            try view.save(PushNotification.sample("n"))
            try view.save(PushDeviceToken(tokenId: "00", createdAt: .distantPast))
            try view.save(AccountProfile(.other))
            try view.record(.sample("a"))
        }
        #expect(try reader.accounts("com.pingidentity.push.credentials") == ["p"])
        #expect(try reader.accounts("com.pingidentity.push.notifications") == ["n"])
        #expect(try reader.accounts("com.pingidentity.push.tokens") == ["current"])
        #expect(try reader.accounts("com.pingidentity.oath") == ["o"])
        #expect(try reader.accounts("com.pingidentity.oath.secrets") == ["o"])
        let sdks = [
            services.credentials, services.notifications, services.tokens, services.oathCredentials,
            services.oathSecrets,
        ]
        let ours = [services.accounts, services.ledger, services.imports, services.journal]
        #expect(Set(ours).isDisjoint(with: sdks))
    }

    @Test func removingAOneTimePasswordCredentialDeletesBothItems() throws {
        try keychain.fill(.successor)
        #expect(try store.write { try $0.deleteCredential(OathCredential.self, id: "\(Self.code)1") })
        for service in [services.oathCredentials, services.oathSecrets] {
            #expect(try reader.accounts(service) == ["\(Self.code)2", "\(Self.code)3"])
        }
    }

    @Test func anIncrementedCounterWritesOneItem() throws {
        try keychain.fill(.successor)
        let counting = WriteLog(keychain)
        try KeychainCredentialStore(keychain: counting).write { view in
            var hotp = try #require(try view.oathCredential(id: "\(Self.code)3"))
            hotp.counter += 1
            try view.save(hotp)
        }
        #expect(counting.written == ["com.pingidentity.oath"])
        #expect(try reader.oath("\(Self.code)3").credential.counter == 4_294_967_302)
    }

    @Test func anAppCanChooseTheServicesAndTheGroup() throws {
        let named = [
            KeychainServices(oathCredentials: "com.example.codes"),
            KeychainServices(oathCredentials: "com.example.codes", oathSecrets: "com.example.keys"),
        ]
        for (services, secrets) in zip(named, ["com.example.codes.secrets", "com.example.keys"]) {
            let keychain = InMemoryKeychain()
            for item in try KeychainFixture.successor.items() where item.service.contains("oath") {
                let service = item.service.hasSuffix("secrets") ? secrets : "com.example.codes"
                let name = KeychainItem.Name(service: service, account: item.account, accessGroup: "group")
                try keychain.add(KeychainItem(name, data: item.data))
            }
            let store = KeychainCredentialStore(keychain: keychain, services: services, accessGroup: "group")
            #expect(try store.read { try $0.oathCredentials().count } == 3)
            try store.write { try $0.save(OathCredential.sample("new")) }
            for service in ["com.example.codes", secrets] {
                #expect(try keychain.accounts(service: service, accessGroup: "group").last == "new")
            }
            #expect(try keychain.accounts(service: "com.pingidentity.oath", accessGroup: nil) == [])
        }
    }

    // MARK: Credentials with a missing or damaged item

    @Test func aCredentialWithoutItsSecretIsReportedAndNotDeleted() throws {
        try keychain.fill(.successor)
        let name = KeychainItem.Name(service: services.oathSecrets, account: "\(Self.code)1")
        try keychain.remove(name)
        try expectDamage(of: "\(Self.code)1", reason: "Its secret is missing")
        #expect(try reader.accounts(services.oathCredentials).count == 3)
    }

    @Test func aSecretWithoutItsCredentialIsReportedAndNotDeleted() throws {
        try keychain.fill(.successor)
        try keychain.remove(KeychainItem.Name(service: services.oathCredentials, account: "\(Self.code)1"))
        try expectDamage(of: "\(Self.code)1", reason: "Only its secret exists")
        #expect(try reader.accounts(services.oathSecrets).count == 3)
    }

    @Test(arguments: [true, false])
    func anUndecryptableItemOfACredentialIsReportedAndNotDeleted(_ isSecret: Bool) throws {
        try keychain.fill(.successor)
        let service = isSecret ? services.oathSecrets : services.oathCredentials
        keychain.makeUndecryptable(.init(service: service, account: "\(Self.code)1"))
        try expectDamage(of: "\(Self.code)1", reason: "")
        #expect(try reader.accounts(service).count == 3)
    }

    @Test func aSecretThatIsNotTextIsReportedAsDamaged() throws {
        try keychain.fill(.successor)
        let name = KeychainItem.Name(service: services.oathSecrets, account: "\(Self.code)1")
        try keychain.update(name, data: Data([0xFF, 0xFE]))
        try expectDamage(of: "\(Self.code)1", reason: "is not text")
    }

    @Test func aCredentialWithOneItemCanBeRemovedOrReplaced() throws {
        try keychain.fill(.successor)
        try keychain.remove(.init(service: services.oathSecrets, account: "\(Self.code)1"))
        try keychain.remove(.init(service: services.oathCredentials, account: "\(Self.code)2"))
        #expect(try store.write { try $0.remove(.oath, where: RecordQuery(id: "\(Self.code)1")) } == 1)
        let new = try OathCredential.sample("\(Self.code)2")
        try store.write { try $0.save(new) }
        let found = try store.read { try $0.oathCredentials() }
        #expect(found.unreadable == [])
        #expect(Set(found.map(\.id)) == ["\(Self.code)2", "\(Self.code)3"])
        #expect(try reader.accounts(services.oathSecrets) == ["\(Self.code)2", "\(Self.code)3"])
        #expect(try reader.oath("\(Self.code)2").secret == "MFXCA33BORUCA43FMNZGK5A")
    }

    /// Checks that exactly one credential is damaged, and that its error contains this reason.
    ///
    /// Also checks that a write does not change this result.
    private func expectDamage(of id: String, reason: String) throws {
        for _ in 0..<2 {
            let found = try store.read { try $0.oathCredentials() }
            #expect(found.count == 2)
            #expect(found.unreadable.map(\.record) == [id])
            #expect(found.unreadable.map(\.code) == [.damaged])
            #expect(found.unreadable.allSatisfy { reason.isEmpty || $0.reason.contains(reason) })
            #expect(try storeErrorCode { _ = try store.read { try $0.oathCredential(id: id) } } == .damaged)
            #expect(try store.read { try $0.count(of: .oath, where: .all) } == 3)
            try store.write { try $0.save(PushNotification.sample("another")) }
        }
    }

    // MARK: Credentials that stay on the device

    @Test func oneNonTransferableItemMakesItsCredentialNonTransferable() throws {
        try store.write { view in
            for id in ["a", "b", "c"] { try view.save(OathCredential.sample(id)) }
        }
        for (id, service) in [("a", services.oathCredentials), ("b", services.oathSecrets)] {
            let name = KeychainItem.Name(service: service, account: id)
            let data = try #require(try keychain.data(name))
            try keychain.remove(name)
            try keychain.add(KeychainItem(name, data: data, accessibility: .whenUnlockedThisDeviceOnly))
        }
        #expect(try store.nonTransferableIDs(.oath) == ["a", "b"])
    }
}

extension InMemoryKeychain {
    func fill(_ fixture: KeychainFixture, accessibility: KeychainAccessibility = .afterFirstUnlock) throws {
        for item in try fixture.items() {
            let name = KeychainItem.Name(service: item.service, account: item.account)
            try add(KeychainItem(name, data: item.data, accessibility: accessibility))
        }
    }
}

/// A keychain that records the services of the items that are written.
private final class WriteLog: WrappingKeychain {
    let keychain: InMemoryKeychain
    private let log = Lock<[String]>([])

    init(_ keychain: InMemoryKeychain) {
        self.keychain = keychain
    }

    var written: [String] { log.withValue { $0 } }

    func add(_ item: KeychainItem) throws(KeychainError) {
        log.withValue { $0.append(item.name.service) }
        try keychain.add(item)
    }

    func update(_ name: KeychainItem.Name, data: Data) throws(KeychainError) {
        log.withValue { $0.append(name.service) }
        try keychain.update(name, data: data)
    }

    func remove(_ name: KeychainItem.Name) throws(KeychainError) -> Bool {
        log.withValue { $0.append(name.service) }
        return try keychain.remove(name)
    }
}
