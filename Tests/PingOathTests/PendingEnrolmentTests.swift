import Foundation
import PingOath
import PushBridgeCore
import PushBridgePlatform
import PushBridgeStore
import PushBridgeTestSupport
import Testing

/// Enrolments with a combined code that the server accepted but the store failed to save.
///
/// A combined code enrols a push credential and a one-time-password credential.
@Suite("Pending enrolments of one-time passwords")
struct PendingEnrolmentTests {
    private let store = MemoryCredentialStore()
    private let waiting = KeychainPendingEnrolments(InMemoryKeychain())

    private func client() async throws -> OathClient {
        try await OathClient.createClient { config in
            config.storage = CredentialStoreOathStorage(store)
            config.logger = LogManager.none
            config.pendingEnrolments = waiting
        }
    }

    /// Keeps an enrolment whose push credential the user has removed.
    /// - Returns: The enrolment, which contains only a one-time-password credential.
    private func keepEnrolment() throws -> PendingEnrolment {
        let date = Date(timeIntervalSince1970: 1_700_000_000)
        let oath = try OathRegistration(uri: OathClientFixture.totp())
        let both = PendingEnrolment(
            push: try PushRegistration.sample().credential(id: "push", createdAt: date),
            oath: oath.credential(id: "code", createdAt: date),
            token: PushDeviceToken(tokenId: "AA", createdAt: date)
        )
        var enrolment = try #require(both.without(.credential(id: "push")))
        enrolment.storage = try store.backing.records.storageName()
        try waiting.keep(enrolment)
        return enrolment
    }

    @Test func aPendingOneTimePasswordIsListedAndStored() async throws {
        _ = try keepEnrolment()
        #expect(try await client().getCredentials().map(\.id) == ["code"])
        #expect(try store.read { try $0.oathCredential(id: "code") } != nil)
        #expect(try waiting.waiting().isEmpty)
    }

    /// A deleted one-time-password credential is not added again by its pending enrolment.
    ///
    /// The process that stored the credential ended before it removed the pending enrolment.
    @Test func aDeletedOneTimePasswordIsNotAddedAgain() async throws {
        let enrolment = try keepEnrolment()
        try store.write { try enrolment.complete(in: $0) }
        #expect(try await client().deleteCredential("code"))
        #expect(try waiting.waiting().isEmpty)
        #expect(try await client().getCredentials() == [])
    }
}
