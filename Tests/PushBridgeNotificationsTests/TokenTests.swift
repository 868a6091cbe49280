import FRAuthenticator
import FRCore
import Foundation
import PingAMSimulator
import PingPush
import PushBridgeCore
import PushBridgePlatform
import PushBridgeTestPhone
import PushBridgeTestSupport
import Testing

/// The times at which servers receive a device token.
///
/// The tests count the requests that the simulator receives.
@Suite("Life of a device token")
struct TokenTests {
    private static let day: TimeInterval = 86_400

    /// Returns a phone whose server received the token `00ff` with the enrolment, and then the token `aa`.
    private func phone(_ api: API, resyncs: Bool = false) async throws -> Phone {
        let phone = try await Phone(api) { $0.tokenResync = resyncs }
        phone.handler.tokenResync = resyncs
        try await phone.enrol()
        try await phone.setToken([0xAA])
        #expect(phone.refreshes == 1)
        return phone
    }

    @Test(arguments: API.allCases)
    func aTokenIsSentWhenItChanged(_ api: API) async throws {
        let phone = try await phone(api)
        try await phone.setToken([0xAA])
        #expect(phone.refreshes == 1)
        try await phone.setToken([0xBB])
        #expect(phone.refreshes == 2)
        try await phone.setToken([0xBB])
        #expect(phone.refreshes == 2)
    }

    @Test(arguments: API.allCases, [false, true])
    func aKnownTokenIsSentAgainAfterAWeekIfTheAppRequestsIt(_ api: API, _ resyncs: Bool) async throws {
        let phone = try await phone(api, resyncs: resyncs)
        phone.advance(6 * Self.day)
        try await phone.setToken([0xAA])
        #expect(phone.refreshes == 1)
        phone.advance(Self.day)
        try await phone.setToken([0xAA])
        #expect(phone.refreshes == (resyncs ? 2 : 1))
    }

    /// For a registration and a token update, interceptors receive the name that `providers` has for the app's topic.
    ///
    /// An app with several bundles may send the name to its own gateway; PingAM's requests have no field for it.
    @Test(arguments: API.allCases, [nil, "com.example.shop", "com.example.other"])
    func interceptorsReceiveTheNameOfTheProvider(_ api: API, _ topic: String?) async throws {
        let seen = Seen()
        let providers: PushProviders = ["com.example.shop": "Shop"]
        let hooks = NetworkHooks()
        RequestInterceptorRegistry(hooks: hooks).registerInterceptors(interceptors: [seen])
        let phone = try await Phone(api, hooks: hooks) { ($0.providers, $0.topic) = (providers, topic) }
        (phone.handler.providers, phone.handler.topic) = (providers, topic)
        let push = try phone.push(to: try await phone.enrol()).userInfo
        try await phone.setToken([0xAA])
        _ = await phone.perform(PushAction.Kind.approve.rawValue, push)
        let name = topic == "com.example.shop" ? "Shop" : nil
        let expected = [["PUSH_REGISTER", name], ["PUSH_UPDATE", name], ["PUSH_AUTHENTICATE", nil]]
        #expect(seen.actions == expected)
    }

    @Test(arguments: API.allCases)
    func aKnownTokenIsSentAgainInAnotherEnvironment(_ api: API) async throws {
        var phone = try await phone(api)
        var refreshes: [Int] = []
        for environment in [APNsEnvironment.sandbox, .sandbox, .production, .production] {
            phone = try await Phone(api, after: phone) { $0.environment = environment }
            phone.handler.environment = environment
            try await phone.setToken([0xAA])
            refreshes.append(phone.refreshes)
        }
        // One refresh was sent before the first launch. The first launch stores the environment and sends nothing,
        // because no environment was stored before.
        #expect(refreshes == [1, 1, 2, 2])
    }

    /// After a log-out, which removes the profile, no server receives a token.
    @Test(arguments: API.allCases)
    func afterALogOutNoServerReceivesAToken(_ api: API) async throws {
        let phone = try await phone(api)
        let credential = try #require(try phone.store.read { try $0.pushCredentials().first })
        #expect(try await phone.logOut(credential) == .removed)
        #expect(phone.server.journal.filter { $0.action == "" }.map(\.method) == ["DELETE"])
        try await phone.setToken([0xBB])
        #expect(phone.refreshes == 1)
        #expect(try phone.store.read { try $0.pushCredentials() }.isEmpty)
    }

    @Test(arguments: [3000, 3010])
    func aFailedRegistrationDeletesTheTokenAndSendsNothing(_ code: Int) async throws {
        let failure = NSError(domain: NSCocoaErrorDomain, code: code)
        for api in API.allCases {
            let phone = try await phone(api)
            try await phone.failToRegister(failure)
            #expect(phone.refreshes == 1)
            #expect(phone.handler.deviceToken == nil)
            // The failed registration deleted the token, so the same token counts as a new token.
            try await phone.setToken([0xAA])
            #expect(phone.refreshes == 2)
        }
    }

    @Test func offlineTheLegacyAPIDeletesTheTokenAndTheAsyncAPIKeepsIt() async throws {
        let failure = NSError(domain: NSURLErrorDomain, code: NSURLErrorNotConnectedToInternet)
        for api in API.allCases {
            let phone = try await phone(api)
            try await phone.failToRegister(failure)
            #expect(phone.handler.deviceToken == (api == .legacy ? nil : "aa"))
            try await phone.setToken([0xAA])
            #expect(phone.refreshes == (api == .legacy ? 2 : 1))
        }
    }
}

extension Phone {
    /// Removes a credential or its account, with the user's session.
    fileprivate func logOut(_ credential: PushBridgeCore.PushCredential) async throws -> RemovalOutcome {
        let user = credential.accountName
        let value = server.withService { $0.createSession(for: user, in: "/alpha") }
        let session = PushServerSession(value: value, userId: user)
        switch api {
        case .async: return try await client.deleteCredential(credential.id) { _ in session }
        case .legacy:
            let account = try #require(legacyClient.getAllAccounts().first)
            typealias RemovalResult = Swift.Result<RemovalOutcome, any Error>
            let result: RemovalResult = try await waitForCall("the removal") { report in
                legacyClient.removeAccount(
                    account: account,
                    unregistering: { _, answer in answer(session) },
                    onSuccess: { report(.success($0)) },
                    onError: { report(.failure($0)) }
                )
            }
            return try result.get()
        }
    }

    fileprivate func failToRegister(_ error: NSError) async throws {
        switch api {
        case .legacy: handler.application(.shared, didFailToRegisterForRemoteNotificationsWithError: error)
        case .async: _ = try await client.didFailToRegister(error)
        }
    }
}

/// Records the type of each request's action, and the provider name in its payload.
private final class Seen: RequestInterceptor, Sendable {
    private let noted = Guarded<[[String?]]>([])
    var actions: [[String?]] { noted.withValue { $0 } }

    func intercept(request: Request, action: Action) -> Request {
        noted.withValue { $0.append([action.type, action.payload?["providerName"] as? String]) }
        return request
    }
}
