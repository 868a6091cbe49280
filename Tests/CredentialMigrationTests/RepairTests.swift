import CredentialMigration
import Foundation
import LegacyFiles
import LegacyStore
import PushBridgeCore
import PushBridgeStore
import PushBridgeTestSupport
import Testing

/// Imports from stores of the successor SDK, in which secrets may have a wrong spelling.
///
/// If the spelling of a secret can be repaired, the imported credential can sign.
@Suite struct RepairTests {
    private let store = MemoryCredentialStore()
    /// The secret of the builder's push mechanisms, in URL-safe base64 without padding.
    private let raw = "c2VjcmV0LXNlY3JldC1f_w"
    private let sound = "c2VjcmV0LXNlY3JldC1f/w=="

    private func item(_ json: String, _ service: LegacyService = .mechanism, key: String = "key")
        -> LegacyItem
    {
        LegacyItem(
            position: .index(0),
            service: service,
            key: key,
            payload: .newSDK(Data(json.utf8))
        )
    }

    private func push(_ secret: String, id: String = "push-1") -> LegacyItem {
        item(
            NewSDKSamples.push(id, secret: secret, server: "https://am.example.com/push"),
            key: id
        )
    }

    private func stored(_ id: String = "push-1") throws -> PushCredential {
        try #require(try store.read { try $0.pushCredential(id: id) })
    }

    @Test(arguments: ["c2VjcmV0LXNlY3JldC1f_w", "c2VjcmV0LXNlY3JldC1f/w", "c2VjcmV0LXNlY3JldC1f_w=="])
    func rawSecretIsRecodedProvenAndReported(_ secret: String) throws {
        let source = MemoryLegacySource([push(secret), push(sound, id: "push-2")])
        let receipt = try migrate(source, to: store)
        #expect(receipt.outcomes == [.migrated, .migrated])
        #expect(receipt.isComplete)
        #expect(receipt.records.map(\.isRepaired) == [true, false])
        #expect(try stored().sharedSecret.withBase64 { $0 } == sound)
        let verified = try CredentialMigration(from: .store(source), to: store).verify()
        #expect(verified.isComplete)
        #expect(verified.records.map(\.isRepaired) == [true, false])
    }

    @Test func aRepairedCredentialComputesTheResponsesOfTheLegacyCredential() throws {
        _ = try migrate(MemoryLegacySource([push(raw)]), to: store)
        let repaired = try stored()
        let other = MemoryCredentialStore()
        var legacy = LegacyStoreBuilder()
        try legacy.push(secret: raw)
        _ = try migrate(legacy.source, to: other)
        let original = try #require(try other.read { try $0.pushCredential(id: "push-1") })
        let challenge = Data("challenge".utf8)
        #expect(
            ChallengeResponse.compute(challenge: challenge, secret: repaired.sharedSecret)
                == ChallengeResponse.compute(challenge: challenge, secret: original.sharedSecret)
        )
        #expect(repaired.authenticationEndpoint == "https://am.example.com/push?_action=authenticate")
        #expect(repaired.updateEndpoint == "https://am.example.com/push?_action=refresh")
    }

    @Test func damagedNeighboursDoNotPreventARepairAndAreNotReportedAsRepaired() throws {
        let source = MemoryLegacySource([
            push("!!", id: "bad"), item("{", key: "cut"), push(raw), item(NewSDKSamples.totp("T1")),
            item(NewSDKSamples.notification("N1", of: "push-1"), .notification),
            item(NewSDKSamples.notification("N2", of: "nobody"), .notification),
        ])
        let receipt = try migrate(source, to: store)
        #expect(receipt.outcomes == [.migrated, .damaged, .migrated, .migrated, .migrated, .kept])
        #expect(receipt.records.map(\.isRepaired) == [false, false, true, false, false, false])
        let notification = try store.read { try $0.notification(id: "N1") }
        #expect(notification?.respondedAt == Date(timeIntervalSince1970: 1_700_000_110))
        #expect(try CredentialMigration(from: .store(source), to: store).verify().retirable.count == 5)
    }

    /// A secret that is not base64 is imported unchanged and reported, because the successor SDK does not validate
    /// secrets.
    ///
    /// The proof of an invalid secret compares the secret's text.
    @Test(arguments: ["no base64!", "!!", "a"])
    func aSecretThatIsNotBase64IsStoredUnchangedAndReported(_ text: String) throws {
        let source = MemoryLegacySource([push(text), push(raw, id: "push-2")])
        let migration = CredentialMigration(from: .store(source), to: store)
        let receipt = try migration.apply(migration.plan())
        #expect(receipt.outcomes == [.migrated, .migrated])
        #expect(receipt.isComplete)
        let reason = "The secret is not base64, so it cannot be used for signing."
        #expect(receipt.records.map(\.result.reason) == [reason, nil])
        #expect(try SigningCheck(of: store).problems.map(\.reason) == [reason])
        let kept = try stored()
        #expect(try #require(JSONValue(json: JSONEncoder().encode(kept)))["sharedSecret"] == .string(text))
        #expect(!kept.sharedSecret.isUsable)
        #expect(kept.legacyMechanism.secret == SharedSecret(utf8: text))
        // A record with the same id but a different secret is a conflict.
        let other = MemoryLegacySource([push("other text!")])
        let conflict = try migrate(other, to: store)
        #expect(conflict.outcomes == [.conflict])
        #expect(!conflict.isComplete)
        #expect(try stored() == kept)
    }

    /// The import stores any text as the server's address, as the successor SDK does.
    ///
    /// With an invalid address, the SDK fails only at the first request.
    @Test(arguments: ["", "nowhere", "https://am.example.com/push?realm=/alpha"])
    func anyServerAddressIsStoredUnchanged(_ server: String) throws {
        let record = item(NewSDKSamples.push("push-1", secret: sound, server: server), key: "push-1")
        let receipt = try migrate(MemoryLegacySource([record]), to: store)
        #expect(receipt.outcomes == [.migrated])
        #expect(receipt.isComplete)
        #expect(try stored().serverEndpoint == server)
    }

    /// A legacy record with an invalid secret is damaged, because the legacy SDK cannot use the secret.
    ///
    /// The record remains in the source.
    @Test func aLegacyRecordWithAnInvalidSecretIsReportedAsDamaged() throws {
        var legacy = LegacyStoreBuilder()
        try legacy.push(secret: "no base64!")
        let receipt = try migrate(legacy.source, to: store)
        #expect(receipt.totals[.damaged] == 1)
        #expect(try store.read { try $0.pushCredential(id: "push-1") } == nil)
    }

    /// Returns a legacy store with the same push credential as the store of the successor SDK.
    ///
    /// The addresses in the legacy store contain the parts that the successor SDK dropped.
    private func legacy() throws -> LegacyStoreBuilder {
        var legacy = LegacyStoreBuilder()
        legacy.account(display: "My bank")
        let parameters = LegacyPushParameters(
            registrationEndpoint: "https://am.example.com/push?realm=/a&_action=register",
            authenticationEndpoint: "https://other.example.com/push?realm=/a&_action=authenticate",
            registration: LegacyRegistration(messageId: "M", challenge: nil, loadBalancer: nil)
        )
        legacy.add(
            .mechanism(
                LegacyMechanism(
                    mechanismUUID: "push-1",
                    account: AccountKey(issuer: "Bank", accountName: "alice"),
                    secret: try #require(SharedSecret(utf8: raw)),
                    timeAdded: Date(timeIntervalSince1970: 1_700_000_000),
                    factor: .push(parameters)
                )
            )
        )
        return legacy
    }

    private func expectVerbatimEndpoints() throws {
        let credential = try stored()
        #expect(credential.registrationEndpoint == "https://am.example.com/push?realm=/a&_action=register")
        #expect(
            credential.authenticationEndpoint
                == "https://other.example.com/push?realm=/a&_action=authenticate"
        )
    }

    @Test(arguments: [true, false])
    func verbatimAddressesHavePrecedenceInEitherOrderOfStores(_ isLegacyFirst: Bool) throws {
        let old: any LegacySource = try legacy().source
        let new: any LegacySource = MemoryLegacySource([push(raw)])
        for source in isLegacyFirst ? [old, new] : [new, old] {
            #expect(try migrate(source, to: store).isComplete)
        }
        try expectVerbatimEndpoints()
        for source in [old, new] {
            let migration = CredentialMigration(from: .store(source), to: store)
            #expect(try migration.verify().isComplete)
            #expect(try migration.plan().totals[.conflict] == 0)
        }
    }

    @Test(arguments: [true, false])
    func verbatimAddressesHavePrecedenceWithinOneStore(_ isLegacyFirst: Bool) throws {
        let old = try legacy().items
        let source = MemoryLegacySource(isLegacyFirst ? old + [push(raw)] : [push(raw)] + old)
        let migration = CredentialMigration(from: .store(source), to: store)
        let plan = try migration.plan()
        let receipt = try migration.apply(plan)
        #expect(receipt.outcomes == plan.records.map(\.result.outcome))
        #expect(receipt.isComplete)
        try expectVerbatimEndpoints()
        #expect(try migration.verify().isComplete)
    }

    @Test func anotherServerOrSecretIsStillAConflict() throws {
        _ = try migrate(legacy().source, to: store)
        let elsewhere = item(
            NewSDKSamples.push("push-1", secret: raw, server: "https://evil.example.com/push")
        )
        let receipts = try [elsewhere, push("b3RoZXI=")].map {
            try migrate(MemoryLegacySource([$0]), to: store)
        }
        #expect(receipts.map(\.outcomes) == [[.conflict], [.conflict]])
        try expectVerbatimEndpoints()
    }

    @Test func liveKeychainOfTheNewSDKIsRepairedAndRetired() throws {
        let keychain = InMemoryKeychain()
        let name = KeychainItem.Name(service: "com.pingidentity.push.credentials", account: "push-1")
        let json = NewSDKSamples.push("push-1", secret: raw)
        try keychain.add(KeychainItem(name, data: Data(json.utf8)))
        let migration = CredentialMigration(from: .newSDKKeychain(keychain), to: store)
        let receipt = try migration.apply(migration.plan())
        #expect(receipt.records.map(\.isRepaired) == [true])
        let folder = try TemporaryFolder()
        try migration.retire(receipt, backup: URL(fileURLWithPath: folder.path("backup")))
        #expect(try keychain.data(name) == nil)
    }

    @Test func migratingAKeychainCredentialStoreKeepsTheAddresses() throws {
        _ = try migrate(legacy().source, to: store)
        let credential = try stored()
        let keychain = InMemoryKeychain()
        try KeychainCredentialStore(keychain: keychain).write { try $0.save(credential) }
        let other = MemoryCredentialStore()
        let migration = CredentialMigration(from: .newSDKKeychain(keychain), to: other)
        let receipt = try migration.apply(migration.plan())
        #expect(receipt.isComplete)
        let moved = try #require(try other.read { try $0.pushCredential(id: "push-1") })
        #expect(moved.registrationEndpoint == credential.registrationEndpoint)
        #expect(moved.authenticationEndpoint == credential.authenticationEndpoint)
        #expect(moved.displayIssuer == "My bank")
    }

    @Test func keptRecordsOfTheNewSDKAreExportedAsLegacyRecords() throws {
        let folder = try TemporaryFolder()
        let source = MemoryLegacySource([
            push(raw), item(NewSDKSamples.notification("N2", of: "nobody"), .notification),
        ])
        _ = try migrate(source, to: store)
        let url = URL(fileURLWithPath: folder.path("back.jsonl"))
        try CredentialExport(of: store).write(to: JSONLinesStoreWriter(url))
        let kinds = try LegacyFile.open(url).items().map { try $0.get().decoded().record.kind }
        #expect(kinds == [.account, .push, .notification])
    }
}
