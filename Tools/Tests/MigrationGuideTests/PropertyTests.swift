import FRAuthenticator
import Foundation
import PingAMSimulator
import PingAMSimulatorServer
import PingPush
import PushBridgeCore
import Testing

/// The properties of the legacy objects, and the corresponding properties of the new values.
@Suite struct PropertyTests {
    @Test func aPushHasTheSamePropertiesInBothAPIs() async throws {
        let apis = try await BothApis()
        let (old, new) = try await apis.receive(apis.enrol(), .challenge)
        #expect(old.messageId == new.messageId)
        #expect(old.mechanismUUID == new.credentialId)
        #expect(old.message == new.messageText)
        #expect(old.pushType.rawValue == new.pushType.rawValue)
        #expect(old.customPayload == new.customPayload)
        #expect(old.contextInfo == new.contextInfo)
        #expect(old.numbersChallenge == new.numbersChallenge)
        #expect(old.numbersChallengeArray == new.getNumbersChallenge())
        #expect(old.ttl == TimeInterval(new.ttl))
        #expect(old.timeAdded == new.sentAt)
        #expect(old.timeExpired == new.expiresAt)
        #expect((old.isPending, old.isExpired) == (new.pending, new.isExpired))
        await apis.server.stop()
    }

    @Test func anAccountAndItsMechanismAreOneCredential() async throws {
        let apis = try await BothApis()
        var new = try await apis.enrol()
        new.displayIssuer = "The example"
        new.displayAccountName = "Alice"
        new.imageURL = "https://example.com/logo.png"
        new.backgroundColor = "#032b75"
        new.lock(policy: "officeHours")
        try await apis.client.saveCredential(new)
        let account = try #require(apis.legacy.getAccount(identifier: "Example-alice"))
        let mechanism = try #require(account.mechanisms.first as? PushMechanism)
        #expect((account.issuer, account.accountName) == (new.issuer, new.accountName))
        #expect(account.displayIssuer == new.displayIssuer)
        #expect(account.displayAccountName == new.displayAccountName)
        #expect(account.imageUrl == new.imageURL)
        #expect(account.backgroundColor == new.backgroundColor)
        #expect(account.policies == new.policies)
        #expect(mechanism.mechanismUUID == new.id)
        #expect((mechanism.issuer, mechanism.accountName) == (new.issuer, new.accountName))
        #expect(mechanism.uid == new.userId)
        #expect((mechanism.resourceId ?? new.id) == new.resourceId)
        #expect(mechanism.timeAdded == new.createdAt)
        await apis.server.stop()
    }
}
