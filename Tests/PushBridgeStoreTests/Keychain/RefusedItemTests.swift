import Foundation
import PushBridgeCore
import PushBridgeStore
import PushBridgeTestSupport
import Testing

/// The keychain refuses to read one item, but not the other items.
@Suite("Refused keychain items")
struct RefusedItemTests {
    private let keychain = InMemoryKeychain()
    private let services = KeychainServices()

    @Test(
        arguments: [(Int32(-50), StoreError.Code.failed), (-34018, .notEntitled), (-26275, .damaged)]
    )
    func aRefusedItemLeavesTheOthersReadable(_ example: (status: Int32, code: StoreError.Code)) throws {
        try fill()
        let store = store(refusing: "b", of: services.credentials, with: example.status)
        try store.read { view in
            let found = try view.pushCredentials()
            #expect(found.map(\.id) == ["a", "c"])
            #expect(found.unreadable.map(\.code) == [example.code])
            #expect(found.unreadable.map(\.record) == ["b"])
            #expect(try view.ids(of: .push, where: .all) == ["a", "c", "b"])
            #expect(try view.count(of: .push, where: .all) == 3)
            let issuers = try view.accountContents().map(\.account.issuer)
            #expect(issuers.sorted() == ["Another issuer", "ForgeRock"])
        }
        let code = try storeErrorCode { _ = try store.read { try $0.pushCredential(id: "b") } }
        #expect(code == example.code)
    }

    @Test func aRefusedAccountLeavesTheOthersReadable() throws {
        try fill()
        let store = store(refusing: AccountKey.sample.recordID, of: services.accounts)
        let found = try store.read { try $0.accounts() }
        #expect(found.map(\.issuer) == ["Another issuer"])
        #expect(found.unreadable.map(\.code) == [.failed])
    }

    @Test(arguments: [Int32(-25308), -25291, -25293, -128])
    func aLockedItemMakesTheWholeCallThrow(_ status: Int32) throws {
        try fill()
        let store = store(refusing: "b", of: services.credentials, with: status)
        #expect(try storeErrorCode { _ = try store.read { try $0.pushCredentials() } } == .locked)
    }

    /// A credential that the keychain refuses to return is neither replaced nor removed.
    ///
    /// The keychain would accept changes to the item.
    @Test func aRefusedCredentialIsNeitherReplacedNorRemoved() throws {
        try fill()
        let store = store(refusing: "b", of: services.credentials)
        let before = try items(services.credentials)
        let changes: [(any CredentialWriting) throws -> Void] = [
            { try $0.save(PushCredential.sample("b", secret: "another secret")) },
            { _ = try $0.deletePushCredential(id: "b") },
            { _ = try $0.removeAccount(.sample) },
            { try $0.removeAllButMarks() },
        ]
        for change in changes {
            #expect(try storeErrorCode { try store.write(change) } == .failed)
        }
        #expect(try items(services.credentials) == before)
        #expect(try items(services.journal) == [])
    }

    @Test func aRefusedCredentialPreventsNoChangeOfOtherCredentials() throws {
        try fill()
        let store = store(refusing: "b", of: services.credentials)
        // The account stays, because it still has the refused credential.
        #expect(try store.write { try $0.deletePushCredential(id: "a") })
        #expect(try store.read { try $0.account(.sample) } != nil)
        #expect(try store.write { try $0.removeAccount(.other) })
        #expect(try items(services.credentials).map(\.name.account) == ["b"])
        #expect(try items(services.oathSecrets) == [])
    }

    /// An account with a refused credential is not changed.
    ///
    /// The copy of the account in the credential would keep the old name and lock.
    @Test func anAccountWithARefusedCredentialIsNotChanged() throws {
        try fill()
        let store = store(refusing: "b", of: services.credentials)
        for key in [AccountKey.sample, .other] {
            var renamed = AccountProfile(key)
            renamed.customDisplayIssuer = "Renamed"
            let code = try storeErrorCode { try store.write { try $0.save(renamed) } }
            let expected: StoreError.Code? = key == .sample ? .failed : nil
            #expect(code == expected)
        }
        let accounts = try store.read { try $0.accounts() }
        #expect(Set(accounts.map(\.customDisplayIssuer)) == [nil, "Renamed"])
    }

    /// If a refused notification counted as missing, its message would be stored and shown again.
    @Test func aRefusedNotificationDoesNotCountAsMissing() throws {
        try KeychainCredentialStore(keychain: keychain).write { view in
            try view.save(PushNotification.sample("1", messageId: "m1"))
            try view.save(PushNotification.sample("2", messageId: "m2"))
        }
        let store = store(refusing: "1", of: services.notifications)
        try store.read { view throws -> Void in
            #expect(try storeErrorCode { _ = try view.notification(messageId: "m1") } == .failed)
            #expect(try view.notification(messageId: "m2")?.id == "2")
            #expect(try view.notification(messageId: "m3") == nil)
            #expect(try view.notifications().map(\.id) == ["2"])
        }
    }

    /// If the keychain refuses to read one of the two items of a one-time-password credential, neither item is
    /// replaced or removed.
    @Test(arguments: [KeychainServices().oathCredentials, KeychainServices().oathSecrets])
    func aOneTimePasswordCredentialWithARefusedItemIsNeitherReplacedNorRemoved(_ service: String) throws {
        try fill()
        let store = store(refusing: "d", of: service)
        let found = try store.read { try $0.oathCredentials() }
        #expect(found.map(\.id) == ["e"])
        #expect(found.unreadable.map(\.code) == [.failed])
        #expect(found.unreadable.map(\.record) == ["d"])
        let before = try items(services.oathCredentials) + items(services.oathSecrets)
        let changes: [(any CredentialWriting) throws -> Void] = [
            { try $0.save(OathCredential.sample("d", account: .other, movingFactor: .counter(1))) },
            { _ = try $0.remove(.oath, where: RecordQuery(id: "d")) },
            { _ = try $0.removeAccount(.other) },
        ]
        for change in changes {
            #expect(try storeErrorCode { try store.write(change) } == .failed)
        }
        #expect(try items(services.oathCredentials) + items(services.oathSecrets) == before)
        #expect(try items(services.journal) == [])
    }

    @Test func aRefusedSecretWithoutItsCredentialIsNotRemoved() throws {
        let secret = KeychainItem.Name(service: services.oathSecrets, account: "d")
        try keychain.add(KeychainItem(secret, data: Data("JBSWY3DPEHPK3PXP".utf8)))
        let store = store(refusing: "d", of: services.oathSecrets)
        #expect(try store.read { try $0.oathCredentials() }.unreadable.map(\.code) == [.failed])
        #expect(
            try storeErrorCode { try store.write { _ = try $0.remove(.oath, where: RecordQuery(id: "d")) } }
                == .failed
        )
        #expect(try keychain.data(secret) != nil)
    }

    @Test func anItemWhoseClassCannotBeReadCountsAsOneWithTheClassOfNewItems() throws {
        try fill()
        let store = store(refusing: "b", of: services.credentials)
        #expect(try store.nonTransferableIDs(.push) == [])
        #expect(try store.unreadableWhileLocked(.push) == [])
    }

    /// Stores two push credentials of one account, and three credentials of another account.
    private func fill() throws {
        try KeychainCredentialStore(keychain: keychain).write { view in
            for key in [AccountKey.sample, .other] {
                var account = AccountProfile(key)
                account.addedAt = Date(timeIntervalSince1970: 1_700_000_000)
                try view.save(account)
            }
            for id in ["a", "b"] { try view.save(PushCredential.sample(id)) }
            try view.save(PushCredential.sample("c", account: .other))
            for id in ["d", "e"] { try view.save(OathCredential.sample(id, account: .other)) }
        }
    }

    private func store(
        refusing account: String,
        of service: String,
        with status: Int32 = -50
    ) -> KeychainCredentialStore {
        let name = KeychainItem.Name(service: service, account: account)
        return KeychainCredentialStore(keychain: RefusingKeychain(keychain, name, status))
    }

    private func items(_ service: String) throws -> [KeychainItem] {
        try keychain.items(service: service, accessGroup: nil)
    }
}

/// A keychain that refuses to read one item, but accepts changes to it.
private final class RefusingKeychain: WrappingKeychain {
    let keychain: InMemoryKeychain
    private let refused: KeychainItem.Name
    private let status: Int32

    init(_ keychain: InMemoryKeychain, _ refused: KeychainItem.Name, _ status: Int32) {
        self.keychain = keychain
        self.refused = refused
        self.status = status
    }

    func update(_ item: KeychainItem) throws(KeychainError) { try keychain.update(item) }

    func data(_ name: KeychainItem.Name) throws(KeychainError) -> Data? {
        try check(name)
        return try keychain.data(name)
    }

    func accessibility(of name: KeychainItem.Name) throws(KeychainError) -> KeychainAccessibility? {
        try check(name)
        return try keychain.accessibility(of: name)
    }

    func lookUpKeys(
        service: String,
        accessGroup: String?
    ) throws(KeychainError) -> [KeychainItem.LookUpKey]? {
        try keychain.lookUpKeys(service: service, accessGroup: accessGroup)
    }

    func items(service: String, accessGroup: String?) throws(KeychainError) -> [KeychainItem] {
        let items = try keychain.items(service: service, accessGroup: accessGroup)
        for item in items { try check(item.name) }
        return items
    }

    private func check(_ name: KeychainItem.Name) throws(KeychainError) {
        guard name.service == refused.service, name.account == refused.account else { return }
        throw KeychainError(status: status)
    }
}
