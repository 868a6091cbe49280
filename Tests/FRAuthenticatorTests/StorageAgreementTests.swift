import FRAuthenticator
import Foundation
import PushBridgeCore
import PushBridgeTestSupport
import Testing

/// The same random operations have the same results on a credential store and on an app's own storage.
@Suite("An app's own storage beside a credential store")
struct StorageAgreementTests {
    @Test(arguments: 1...8 as ClosedRange<UInt64>)
    func aMemoryStoreAndAStorageClientShowTheSameRecords(_ seed: UInt64) async throws {
        let fixtures = [try ClientFixture(.memory), try ClientFixture(.storageClient)]
        var random = SeededGenerator(seed: seed)
        for fixture in fixtures { fixture.setToken() }
        for step in 0..<50 {
            let operation = (random.below(9), random.below(3), random.below(5))
            for fixture in fixtures { try await fixture.perform(operation, step) }
            #expect(fixtures[0].shown == fixtures[1].shown, "after \(operation)")
        }
    }
}

extension ClientFixture {
    /// Performs one operation of a random sequence.
    func perform(_ operation: (Int, Int, Int), _ step: Int) async throws {
        let account = "user\(operation.1)"
        let known = client.getAccount(identifier: "Example-\(account)")
        let mechanism = known?.mechanisms.compactMap { $0 as? PushMechanism }.first
        let notifications = client.getAllNotifications()
        let notification = notifications.isEmpty ? nil : notifications[operation.2 % notifications.count]
        switch operation.0 {
        case 0:
            // The account has a policy that only another release of the app knows.
            _ = try? await create(Self.uri(account, policies: #"{"elsewhere":{}}"#))
        case 1:
            let type = operation.2 < 3 ? "totp" : "hotp"
            _ = try? await create("otpauth://\(type)/Example:\(account)?secret=JBSWY3DPEHPK3PXP")
        case 2, 3:
            guard let mechanism else { return }
            let sentAt = JSONValue.integer(1_700_000_000_000 + step)
            #expect(try deliver(["i": sentAt], to: mechanism, messageId: "M:\(step)") != nil)
        case 4:
            guard let notification else { return }
            _ = await outcome { notification.accept(onSuccess: $0, onError: $1) }
        case 5:
            known?.displayAccountName = operation.2 == 0 ? nil : "Name \(step)"
            if let known { #expect(try client.updateAccount(account: known)) }
        case 6:
            guard operation.2 == 0, let last = known?.mechanisms.last else { return }
            #expect(client.removeMechanism(mechanism: last))
        case 7:
            if let known, operation.2 == 0 { #expect(client.removeAccount(account: known)) }
            if let notification, operation.2 == 1 {
                #expect(client.removeNotification(notification: notification))
            }
        default:
            let hotp = known?.mechanisms.compactMap { $0 as? HOTPMechanism }.first
            _ = try hotp?.generateCode()
        }
    }

    /// The contents that an app shows, without the values that differ between runs.
    var shown: [[String]] {
        let accounts = client.getAllAccounts().sorted { $0.identifier < $1.identifier }
        return accounts.map { account -> [String] in
            let names = [account.identifier, account.displayIssuer ?? "", account.displayAccountName ?? ""]
            let mechanisms = account.mechanisms.map { mechanism in
                let pushes = (mechanism as? PushMechanism).map(client.getAllNotifications(mechanism:)) ?? []
                let states = pushes.map { "\($0.messageId) \($0.isPending) \($0.isApproved)" }
                let counter = (mechanism as? HOTPMechanism)?.counter ?? 0
                return "\(mechanism.identifier) \(counter) \(states.joined(separator: ","))"
            }
            return names + ["\(account.lock)"] + mechanisms.sorted()
        } + [[handler.deviceToken ?? ""]]
    }
}
