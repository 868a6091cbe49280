import CredentialMigration
import FRAuthenticator
import Foundation
import PingPush
import PushBridgeCore
import PushBridgeStore
import Security
import Testing

/// Pushes that arrive while the phone is locked, and the accessibility of migrated items.
@Suite("A locked phone")
struct LockedPhoneTests {
    private let process = AppProcess()

    init() { FRAClient.start() }

    /// Returns the signed part of a push.
    private func token(_ mechanism: PushMechanism) throws -> String {
        let id = mechanism.mechanismUUID
        let credential = try #require(try StandardStore.open().read { try $0.pushCredential(id: id) })
        let claims: JSONValue = ["u": .string(id), "c": "Y2hhbGxlbmdl"]
        return credential.sharedSecret.signedToken(claims: claims.data)
    }

    private func payload(_ token: String) -> [AnyHashable: Any] {
        ["aps": ["messageId": "AUTHENTICATE:2", "data": token]]
    }

    @Test func afterTheFirstUnlockBothAPIsStorePushes() async throws {
        let mechanism = try await process.enrol()
        let token = try token(mechanism)
        let client = try await PushClient.createClient()
        StandInKeychain.with { $0.device = .locked }
        #expect(
            await Application.didReceive(messageId: "AUTHENTICATE:1", data: token)?.messageId
                == "AUTHENTICATE:1"
        )
        #expect(try await client.processNotification(userInfo: payload(token))?.messageId == "AUTHENTICATE:2")
        let shown = FRAClient.shared?.getAllNotifications().map(\.messageId)
        #expect(Set(shown ?? []) == ["AUTHENTICATE:1", "AUTHENTICATE:2"])
    }

    @Test func pushesRejectedBeforeTheFirstUnlockAreStoredAfterIt() async throws {
        let mechanism = try await process.enrol()
        let token = try token(mechanism)
        let client = try await PushClient.createClient()
        StandInKeychain.with { $0.device = .beforeFirstUnlock }
        #expect(await Application.didReceive(messageId: "AUTHENTICATE:1", data: token) == nil)
        let received = await #expect(throws: PushStorageError.self) {
            try await client.processNotification(userInfo: payload(token))
        }
        guard case .storageFailure(_, let cause)? = received else {
            Issue.record("The error is \(String(describing: received)) instead of storageFailure.")
            return
        }
        #expect((cause as? StoreError)?.code == .locked)
        let read = #expect(throws: StoreError.self) {
            try StandardStore.open().read { _ = try $0.pushCredentials() }
        }
        #expect(read?.code == .locked)
        StandInKeychain.with { $0.device = .unlocked }
        #expect(FRAClient.shared?.getAllAccounts().flatMap(\.mechanisms).count == 1)
        #expect(
            await Application.didReceive(messageId: "AUTHENTICATE:1", data: token)?.messageId
                == "AUTHENTICATE:1"
        )
        #expect(try await client.processNotification(userInfo: payload(token))?.messageId == "AUTHENTICATE:2")
        #expect(FRAClient.shared?.getAllNotifications().count == 2)
    }

    @Test func migratedItemsAreRestorableOnNewPhones() throws {
        process.restart()
        try process.install("everyday.jsonl")
        FRAClient.start()
        guard case .done(let receipt) = FRAClient.migration.outcome else {
            Issue.record("The migration has the outcome \(FRAClient.migration.outcome) instead of done.")
            return
        }
        #expect(receipt.restorableAccounts == 4)
        for service in [
            "com.pingidentity.push.credentials", "com.pingidentity.oath", "com.pingidentity.oath.secrets",
        ] {
            for id in try SystemKeychain().accounts(service: service, accessGroup: nil) {
                let found = StandInKeychain.with { $0.accessibility(service: service, account: id) }
                #expect(found == KeychainAccessibility.afterFirstUnlock.rawValue)
            }
        }
    }
}
