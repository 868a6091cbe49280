import Foundation
import PushBridgeCore
import Testing

/// The order in which servers receive a device token.
///
/// The order depends on the order of the credentials and on the servers' responses.
@Suite("Sending a device token")
struct TokenUpdateTests {
    private let device = DeviceDescription(deviceId: "00FF", deviceName: "Phone")
    private let accepted = PushResponse(status: 200, body: Data("{}".utf8))

    @Test func eachServerReceivesOneUpdateAtATime() throws {
        var update = try makeUpdate("a1", "a2", "b1", "b2")
        #expect(ids(&update) == ["a1", "b1"])
        let credential = try credential("a1")
        update.take(TokenAnswer(credential, nil))
        #expect(ids(&update) == ["a2"])
        #expect(update.removeCompleteAnswers(of: credential.serverEndpoint).isEmpty)
    }

    @Test func sequentialUpdatesRetainTheOrderOfTheCredentials() throws {
        var update = try makeUpdate("a1", "b1", "a2", "b2")
        var refreshed: [String] = []
        while let refresh = update.next() {
            refreshed.append(refresh.credential.id)
            update.take(TokenAnswer(refresh.credential, nil))
        }
        #expect(refreshed == ["a1", "b1", "a2", "b2"])
        #expect(update.removeAnswers().map(\.credential.id) == refreshed)
        #expect(update.removeAnswers().isEmpty)
    }

    @Test(arguments: [405, 501, nil] as [Int?])
    func aServerThatAcceptsNoTokensOrDoesNotRespondReceivesOneRequest(_ status: Int?) throws {
        var update = try makeUpdate("a1", "a2", "a3", "b1")
        let first = try first(of: &update)
        update.take(TokenAnswer(first.credential, try status.map(refusal) ?? .unanswered(Lost())))
        #expect(ids(&update) == ["b1"])
        let answers = update.removeCompleteAnswers(of: first.credential.serverEndpoint)
        #expect(answers.map(\.credential.id) == ["a1", "a2", "a3"])
        #expect(answers.allSatisfy { $0.failure != nil })
    }

    @Test func aRefusalOfOneCredentialDoesNotStopTheUpdatesOfOthers() throws {
        var update = try makeUpdate("a1", "a2")
        let first = try first(of: &update)
        update.take(TokenAnswer(first.credential, try refusal(400)))
        #expect(ids(&update) == ["a2"])
        update.take(TokenAnswer(try credential("a2"), .unanswered(Lost())))
        #expect(update.removeCompleteAnswers(of: first.credential.serverEndpoint).count == 2)
    }

    @Test func theServersResponseCompletesOrFailsTheUpdate() throws {
        var update = try makeUpdate("a1")
        var refresh = try first(of: &update)
        #expect(refresh.firstRequest().action == .refresh)
        #expect(try refresh.request(after: accepted) == nil)
        #expect(throws: PushResponseError.refused(status: 404, message: nil)) {
            try refresh.request(after: PushResponse(status: 404, body: Data()))
        }
    }

    private struct Lost: Error {}

    private func refusal(_ status: Int) throws -> PushFailure {
        let request = try credential("a1").refreshRequest(device: device)
        return .refused(Lost(), PushResponse(status: status, body: Data()), to: request)
    }

    private func first(of update: inout TokenUpdate) throws -> TokenRefresh {
        let first = update.next()
        return try #require(first)
    }

    /// Takes all requests that can be sent now, and returns the ids of their credentials.
    private func ids(_ update: inout TokenUpdate) -> [String] {
        var ids: [String] = []
        while let refresh = update.next() { ids.append(refresh.credential.id) }
        return ids
    }

    private func makeUpdate(_ ids: String...) throws -> TokenUpdate {
        TokenUpdate(device, to: try ids.map(credential))
    }

    /// Returns a credential whose server is named by the first letter of the credential's id.
    private func credential(_ id: String) throws -> PushCredential {
        let server = "https://\(id.prefix(1)).example.com/push"
        return PushCredential(
            id: id,
            account: AccountProfile(issuer: "Example", accountName: id),
            endpoints: try #require(PushEndpoints(server: server)),
            sharedSecret: .random(),
            createdAt: .sample
        )
    }
}
