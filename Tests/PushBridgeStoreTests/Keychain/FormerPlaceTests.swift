import Foundation
import PushBridgeCore
import PushBridgeStore
import PushBridgeTestSupport
import Testing

/// One-time-password credentials that a version before the first release kept whole in one service.
@Suite("Former place of one-time passwords")
struct FormerPlaceTests {
    private let keychain = InMemoryKeychain()
    private let services = KeychainServices()
    private var store: KeychainCredentialStore { KeychainCredentialStore(keychain: keychain) }

    private static let service = "com.pingidentity.oath.credentials"
    private static let id = "F0000000-0000-4000-8000-00000000000"
    private static let ids = ["\(id)1", "\(id)2", "\(id)3"]

    @Test func theyAreReadWhereTheyAre() throws {
        try keychain.fill(.former)
        let found = try store.read { try $0.oathCredentials() }
        #expect(found.unreadable == [])
        try expectAll(found.values)
        try expectAll(Self.ids.compactMap { id in try store.read { try $0.oathCredential(id: id) } })
        #expect(try store.read { try $0.count(of: .oath, where: .all) } == 3)
        #expect(try keychain.accounts(service: Self.service, accessGroup: nil) == Self.ids)
    }

    @Test(arguments: [KeychainAccessibility.whenUnlocked, .afterFirstUnlockThisDeviceOnly])
    func theFirstWriteMovesThemAndTheyKeepTheirClass(_ accessibility: KeychainAccessibility) throws {
        try keychain.fill(.former, accessibility: accessibility)
        try store.write { try $0.save(PushNotification.sample()) }
        try expectMoved(Self.ids)
        for service in [services.oathCredentials, services.oathSecrets] {
            for id in Self.ids {
                #expect(try keychain.accessibility(of: .init(service: service, account: id)) == accessibility)
            }
        }
        let oath = try SuccessorReader(keychain: keychain).oath("\(Self.id)2")
        #expect((oath.credential.counter, oath.secret) == (41, "GEZDGNBVGY3TQOJQ"))
        #expect(try SuccessorReader(keychain: keychain).oath("\(Self.id)3").secret == "mfrg gzdf mztw q2lk")
    }

    @Test func aWriteThatChangesNothingMovesNothing() throws {
        try keychain.fill(.former)
        try store.write { _ = try $0.oathCredentials() }
        #expect(try keychain.accounts(service: Self.service, accessGroup: nil) == Self.ids)
    }

    @Test func oneThatIsChangedIsMovedAsItWasChanged() throws {
        try keychain.fill(.former)
        try store.write { view in
            var counted = try #require(try view.oathCredential(id: "\(Self.id)2"))
            counted.counter = 42
            try view.save(counted)
        }
        try expectMoved(Self.ids)
        #expect(try store.read { try $0.oathCredential(id: "\(Self.id)2")?.counter } == 42)
    }

    @Test func oneThatIsRemovedIsGone() throws {
        try keychain.fill(.former)
        #expect(try store.write { try $0.deleteCredential(OathCredential.self, id: "\(Self.id)1") })
        try expectMoved(Array(Self.ids.dropFirst()))
    }

    @Test func whatCannotBeReadStaysAndIsNamed() throws {
        try keychain.fill(.former)
        try keychain.update(.init(service: Self.service, account: "\(Self.id)1"), data: Data("{}".utf8))
        keychain.makeUndecryptable(.init(service: Self.service, account: "\(Self.id)2"))
        for _ in 0..<2 {
            try store.write { try $0.save(PushNotification.sample()) }
            let found = try store.read { try $0.oathCredentials() }
            #expect(found.map(\.id) == ["\(Self.id)3"])
            #expect(found.unreadable.map(\.record) == ["\(Self.id)1", "\(Self.id)2"])
        }
        #expect(try keychain.accounts(service: Self.service, accessGroup: nil) == Array(Self.ids.prefix(2)))
    }

    /// The SDK, or a newer version of ours, stored the credential since.
    @Test func whatIsInTheSDKsServicesCounts() throws {
        try keychain.fill(.former)
        var newer = try #require(try store.read { try $0.oathCredential(id: "\(Self.id)2") })
        newer.counter = 100
        let other = InMemoryKeychain()
        try KeychainCredentialStore(keychain: other).write { try $0.save(newer) }
        for service in [services.oathCredentials, services.oathSecrets] {
            let name = KeychainItem.Name(service: service, account: newer.id)
            try keychain.add(KeychainItem(name, data: #require(try other.data(name))))
        }
        try store.write { try $0.save(PushNotification.sample()) }
        #expect(try store.read { try $0.oathCredential(id: "\(Self.id)2")?.counter } == 100)
        #expect(try store.read { try $0.oathCredentials().count } == 3)
        #expect(try store.write { try $0.remove(.oath, id: newer.id) })
        try expectMoved(["\(Self.id)1", "\(Self.id)3"])
    }

    @Test func otherServicesAreNotLookedForThere() throws {
        try keychain.fill(.former)
        let store = KeychainCredentialStore(
            keychain: keychain,
            services: KeychainServices(oathCredentials: "com.example.codes")
        )
        #expect(try store.read { try $0.oathCredentials().isEmpty })
    }

    /// Wherever the process ends, and wherever the keychain refuses once: nothing is lost, and the next write moves all.
    @Test(arguments: FailingKeychain.Failure.allCases)
    func theMoveCanBeInterruptedAnywhere(_ failure: FailingKeychain.Failure) throws {
        for call in 0..<80 {
            let keychain = InMemoryKeychain()
            try keychain.fill(.former)
            let failing = FailingKeychain(keychain, after: call, failure)
            do {
                try KeychainCredentialStore(keychain: failing).write {
                    try $0.save(PushNotification.sample())
                }
            } catch {}
            let found = try KeychainCredentialStore(keychain: keychain).read { try $0.oathCredentials() }
            #expect(found.unreadable == [], "call \(call)")
            try expectAll(found.values)
            let again = FailingKeychain(keychain, after: call, failure)
            do {
                try KeychainCredentialStore(keychain: again).write { try $0.save(PushNotification.sample()) }
            } catch {}
            try KeychainCredentialStore(keychain: keychain).write {
                try $0.save(PushNotification.sample("2"))
            }
            try expectMoved(Self.ids, in: keychain)
            try expectAll(
                try KeychainCredentialStore(keychain: keychain).read { try $0.oathCredentials() }.values
            )
            if failing.isUnharmed { return }
        }
        Issue.record("The move has more calls than are tried.")
    }

    /// That every field of the literal items is there.
    private func expectAll(_ credentials: [OathCredential]) throws {
        let credentials = credentials.sorted { $0.id < $1.id }
        try #require(credentials.map(\.id) == Self.ids)
        let (time, counted, locked) = (credentials[0], credentials[1], credentials[2])
        #expect(
            (time.issuer, time.displayIssuer, time.accountName) == ("Old Bank", "Renamed", "old@example.com")
        )
        #expect(time.createdAt == Date(timeIntervalSinceReferenceDate: 770_472_000.5))
        #expect(time.password.secret == SharedSecret(base32: "JBSWY3DPEHPK3PXP"))
        #expect((counted.movingFactor, counted.digits, counted.oathAlgorithm) == (.counter(41), 8, .sha256))
        #expect((counted.userId, counted.resourceId) == ("u2", "r2"))
        #expect(counted.createdAt == Date(timeIntervalSince1970: 1_748_865_600))
        #expect(counted.password.secret == SharedSecret(base32: "GEZDGNBVGY3TQOJQ"))
        #expect((locked.isLocked, locked.lockingPolicy) == (true, "deviceTampering"))
        #expect(locked.policies == #"{"deviceTampering": {"score": 0.8}}"#)
        #expect(locked.withSecret { $0 } == "mfrg gzdf mztw q2lk")
    }

    private func expectMoved(_ ids: [String], in keychain: InMemoryKeychain? = nil) throws {
        let keychain = keychain ?? self.keychain
        #expect(try keychain.accounts(service: Self.service, accessGroup: nil) == [])
        #expect(try keychain.accounts(service: services.oathCredentials, accessGroup: nil) == ids)
        #expect(try keychain.accounts(service: services.oathSecrets, accessGroup: nil) == ids)
        #expect(try keychain.accounts(service: services.journal, accessGroup: nil) == [])
    }
}
