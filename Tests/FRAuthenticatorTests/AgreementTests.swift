import FRAuthenticator
import Foundation
import PingPush
import PushBridgeCore
import PushBridgeTestSupport
import Testing

/// Random operations on both APIs over one store.
///
/// After each operation, both APIs show the same records.
@Suite("Both APIs on one store")
struct AgreementTests {
    @Test(arguments: [StoreKind.memory, .sqlite], 1...6 as ClosedRange<UInt64>)
    func bothAPIsShowTheSameRecordsAfterEachOperation(_ kind: StoreKind, _ seed: UInt64) async throws {
        let fixture = try ClientFixture(kind)
        let push = try await PushClient.createClient { configuration in
            configuration.storage = CredentialStoreStorage(fixture.store)
            configuration.transport = fixture.server
            configuration.logger = LogManager.none
            configuration.policyEvaluator = nil
        }
        var life = Life(fixture: fixture, push: push, random: SeededGenerator(seed: seed))
        fixture.setToken()
        for _ in 0..<60 {
            let operation = try await life.step()
            try await life.expectAgreement(after: operation)
        }
    }

    @Test func aPushAnsweredThroughTheAsyncAPICannotBeAnsweredAgain() async throws {
        let fixture = try ClientFixture()
        let push = try await PushClient.createClient { configuration in
            configuration.storage = CredentialStoreStorage(fixture.store)
            configuration.transport = fixture.server
            configuration.logger = LogManager.none
        }
        let notification = try #require(try fixture.deliver(to: await fixture.enrol()))
        let known = try #require(try await push.getPendingNotifications().first)
        #expect(try await push.denyNotification(known.id))
        #expect(fixture.client.getNotification(identifier: notification.identifier)?.isDenied == true)
        #expect(await outcome { notification.accept(onSuccess: $0, onError: $1) }.code == 1_100_001)
        #expect(notification.isDenied)
        #expect(fixture.server.requests.map(\.action) == [.register, .authenticate])
    }

    private struct Life {
        let fixture: ClientFixture
        let push: PushClient
        var random: SeededGenerator
        var count = 0

        mutating func step() async throws -> String {
            count += 1
            switch random.below(11) {
            case 0: return try await enrol()
            case 1: return try await enrolOath()
            case 2, 3, 4: return try await receive()
            case 5: return try await answerLegacy()
            case 6: return try await answerNew()
            case 7: return try await rename()
            case 8: return try await remove()
            case 9: return try await removeNotification()
            default: return try await changeToken()
            }
        }

        private mutating func enrol() async throws -> String {
            let uri = try ClientFixture.uri("user\(random.below(4))")
            if random.below(2) == 0 {
                _ = try? await fixture.create(uri)
                return "legacy enrol"
            }
            _ = try? await push.addCredentialFromUri(uri)
            return "new enrol"
        }

        private mutating func enrolOath() async throws -> String {
            let type = random.below(2) == 0 ? "totp" : "hotp"
            let uri = "otpauth://\(type)/Example:user\(random.below(4))?secret=JBSWY3DPEHPK3PXP"
            _ = try? await fixture.create(uri)
            return "legacy \(type)"
        }

        private mutating func receive() async throws -> String {
            let mechanisms = fixture.client.getAllAccounts().flatMap(\.mechanisms).compactMap {
                $0 as? PushMechanism
            }
            guard !mechanisms.isEmpty else { return "no mechanism for a push" }
            let mechanism = mechanisms[random.below(mechanisms.count)]
            let isLegacy = random.below(2) == 0
            let messageId = "AUTHENTICATE:\(count)"
            let credential = try #require(try await push.getCredential(mechanism.mechanismUUID))
            let claims: JSONValue = ["u": .string(credential.id), "c": "Y2hhbGxlbmdl", "d": "user-id"]
            let token = credential.sharedSecret.signedToken(claims: claims.data)
            let payload: [AnyHashable: Any] = ["aps": ["messageId": messageId, "data": token]]
            if isLegacy {
                #expect(fixture.handler.application(.shared, didReceiveRemoteNotification: payload) != nil)
            } else {
                #expect(try await push.processNotification(userInfo: payload) != nil)
            }
            return "\(isLegacy ? "legacy" : "new") push"
        }

        private mutating func answerLegacy() async throws -> String {
            let all = fixture.client.getAllNotifications()
            guard !all.isEmpty else { return "nothing to answer" }
            let notification = all[random.below(all.count)]
            let accepts = random.below(2) == 0
            let report = await outcome {
                if accepts {
                    notification.accept(onSuccess: $0, onError: $1)
                } else {
                    notification.deny(onSuccess: $0, onError: $1)
                }
            }
            #expect((report.error == nil) != (report.code == 1_100_001))
            return "legacy answer"
        }

        private mutating func answerNew() async throws -> String {
            let all = try await push.getAllNotifications()
            guard !all.isEmpty else { return "nothing to answer" }
            let notification = all[random.below(all.count)]
            let accepted = try await push.approveNotification(notification.id)
            #expect(accepted == notification.pending)
            return "new answer"
        }

        private mutating func rename() async throws -> String {
            if random.below(2) == 0 {
                let accounts = fixture.client.getAllAccounts()
                guard !accounts.isEmpty else { return "nothing to rename" }
                let account = accounts[random.below(accounts.count)]
                account.displayAccountName = "Legacy \(count)"
                #expect(try fixture.client.updateAccount(account: account))
                return "legacy rename"
            }
            let credentials = try await push.getCredentials()
            guard !credentials.isEmpty else { return "nothing to rename" }
            var credential = credentials[random.below(credentials.count)]
            credential.displayIssuer = "New \(count)"
            try await push.saveCredential(credential)
            return "new rename"
        }

        private mutating func remove() async throws -> String {
            guard random.below(3) == 0 else { return "nothing removed" }
            switch random.below(3) {
            case 0:
                guard let account = fixture.client.getAllAccounts().last else { return "nothing to remove" }
                #expect(fixture.client.removeAccount(account: account))
                return "legacy account removed"
            case 1:
                let mechanisms = fixture.client.getAllAccounts().flatMap(\.mechanisms)
                guard let mechanism = mechanisms.last else { return "nothing to remove" }
                #expect(fixture.client.removeMechanism(mechanism: mechanism))
                return "legacy mechanism removed"
            default:
                guard let credential = try await push.getCredentials().first else {
                    return "nothing to remove"
                }
                #expect(try await push.deleteCredential(credential.id))
                return "new credential removed"
            }
        }

        private mutating func removeNotification() async throws -> String {
            guard let notification = fixture.client.getAllNotifications().first, random.below(3) == 0 else {
                return "nothing removed"
            }
            #expect(fixture.client.removeNotification(notification: notification))
            return "legacy notification removed"
        }

        private mutating func changeToken() async throws -> String {
            let byte = UInt8(random.below(3))
            if random.below(2) == 0 {
                fixture.setToken([0xAB, byte])
                return "legacy token"
            }
            try await push.setDeviceToken(Data([0xAB, byte]))
            return "new token"
        }

        func expectAgreement(after operation: String) async throws {
            let accounts = fixture.client.getAllAccounts()
            let mechanisms = accounts.flatMap { account in
                account.mechanisms.compactMap { $0 as? PushMechanism }.map { (account, $0) }
            }
            let legacy = Dictionary(
                uniqueKeysWithValues: mechanisms.map { account, mechanism in
                    let names = [account.issuer, account.accountName]
                    let shown = [account.displayIssuer ?? "", account.displayAccountName ?? ""]
                    return (mechanism.mechanismUUID, names + shown + [mechanism.uid ?? ""])
                }
            )
            let new = Dictionary(
                uniqueKeysWithValues: try await push.getCredentials().map { credential in
                    let names = [credential.issuer, credential.accountName]
                    let shown = [credential.displayIssuer, credential.displayAccountName]
                    return (credential.id, names + shown + [credential.userId ?? ""])
                }
            )
            #expect(legacy == new, "after \(operation)")
            // The async API lists the newest push first, and does not report expired pushes as pending.
            let all = Array(try await push.getAllNotifications().reversed())
            #expect(
                fixture.client.getAllNotifications().map {
                    [$0.messageId, "\($0.isPending)", "\($0.isApproved)"]
                }
                    == all.map { [$0.messageId, "\($0.pending)", "\(!$0.pending && $0.approved)"] },
                "after \(operation)"
            )
            let pending = mechanisms.flatMap { $1.pendingNotifications.map(\.messageId) }
            #expect(
                Set(pending) == Set(all.filter(\.pending).map(\.messageId)),
                "after \(operation)"
            )
            #expect(fixture.handler.deviceToken == (try await push.getDeviceToken()))
        }
    }
}
