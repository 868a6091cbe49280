import Foundation
import LocalAuthentication
import PingAMSimulator
import PingPush
import PushBridgeCore
import PushBridgeNotifications
import Security
import Testing

@testable import DeliveryApp

/// The app in Examples/DeliveryApp, from its first launch to the log-out.
@Suite("Delivery app", .serialized) @MainActor
struct DeliveryAppTests {
    private let system: System

    init() async throws {
        StandInKeychain.reset()
        // The keychain groups in the app's entitlements, without the team's identifier.
        let groups = try Project().groups(of: "Support/App.entitlements", "keychain-access-groups")
        StandInKeychain.with { $0.groups = ["com.example.delivery"] + groups }
        StandInOwner.reset()
        system = try System()
        await system.removeBanners()
    }

    @Test func theAppSetsItsDelegateAndRequestsATokenDuringLaunch() {
        #expect(system.isDelegateOfCenter)
        #expect(system.asksForToken)
    }

    @Test func categoriesAreAddedToThoseOfAnotherSDK() async {
        let own = ["authentication", "authentication_biometric", "authentication_challenge"]
        await system.finishHandlers()
        #expect(system.categories == own)
        system.set(categories: ["PingOneMFA"])
        system.launch()
        await system.finishHandlers()
        #expect(system.categories == ["PingOneMFA"] + own)
    }

    @Test func aLinkEnrolsOnlyWhenTheUserAgrees() async throws {
        try await register()
        let code = try system.server.createCode(RegistrationOrder(issuer: "Example", account: "demo")).uri
        system.connect(url: code)
        #expect(system.lines == ["Add the account of this link?"])
        #expect(try await system.app.logins.client().getCredentials().isEmpty)
        system.press("Add")
        try await waitFor("the account to be shown") { system.buttons == ["Log out demo"] }
        #expect(system.app.router.screen == .accounts)
    }

    /// Two callers that receive the same failure receive the same new client when they retry.
    ///
    /// The first caller retries before the second caller receives the failure.
    @Test func callersWithTheSameFailureReceiveTheSameNewClient() async throws {
        StandInKeychain.with { $0.device = .beforeFirstUnlock }
        let logins = Logins(transport: system.server)
        async let first = Self.client(of: logins)
        async let second = Self.client(of: logins)
        let (one, other) = try await (first, second)
        #expect(one === other)
    }

    private static func client(of logins: Logins) async throws -> PushClient {
        do {
            let client = try await logins.client()
            Issue.record("The store opened before the first unlock.")
            return client
        } catch {
            StandInKeychain.with { $0.device = .unlocked }
            return try await logins.client()
        }
    }

    /// The two ways in which the system delivers the tap that starts the app.
    enum Way: CaseIterable {
        case scene, delegate
    }

    @Test(arguments: [[Way.scene], [.delegate], [.scene, .delegate], [.delegate, .scene]])
    func aTapThatStartsTheAppOpensItsLogin(_ ways: [Way]) async throws {
        try await enrol()
        let push = try push { $0.contextInfo = #"{"remoteIp":"203.0.113.7"}"# }
        system.launch()
        let tap = system.tap(push.payload)
        for way in ways {
            switch way {
            case .scene: system.connect(tap)
            case .delegate: await system.respond(with: tap)
            }
        }
        if !ways.contains(.scene) { system.connect() }
        try await waitFor("the login to be shown") { system.buttons == ["Approve", "Deny"] }
        #expect(system.lines == ["Login attempt from demo at Example", "203.0.113.7"])
        let stored = try await system.app.logins.client().getAllNotifications()
        #expect(stored.map(\.messageId) == [push.messageId])
        #expect(system.app.router.screen == .login(try #require(stored.first?.id)))
        system.press("Approve")
        try await waitFor("the approval") { system.server.state(ofPush: push.messageId) == .approved }
        try await waitFor("the accounts to be shown") { system.app.router.screen == .accounts }
    }

    /// If the system delivers a tap twice, the second delivery does not replace a screen that the user has
    /// opened between the two deliveries.
    @Test func aTapThatIsDeliveredTwiceOpensTheLoginOnce() async throws {
        try await enrol()
        let tap = system.tap(try push().payload)
        system.launch()
        system.connect(tap)
        try await waitFor("the login to be shown") { system.buttons == ["Approve", "Deny"] }
        system.app.router.show(.accounts)
        await system.respond(with: tap)
        #expect(system.app.router.screen == .accounts)
    }

    @Test func aButtonOfABannerAnswersWithoutAScreen() async throws {
        try await enrol()
        let push = try push()
        system.launch()
        await system.respond(with: system.tap(push.payload, PushAction.Kind.deny.rawValue))
        #expect(system.server.state(ofPush: push.messageId) == .denied)
        #expect(system.app.router.screen == .accounts)
    }

    @Test func aChallengeOffersItsNumbers() async throws {
        try await enrol()
        let push = try push(.challenge) { $0.numbers = "34,43,57" }
        system.connect(system.tap(push.payload))
        try await waitFor("the numbers to be shown") { system.buttons == ["34", "43", "57", "Deny"] }
        system.press(String(try #require(push.number)))
        try await waitFor("the accounts to be shown") { system.app.router.screen == .accounts }
        #expect(system.server.state(ofPush: push.messageId) == .approved)
    }

    @Test(arguments: [true, false])
    func aBiometricLoginRequiresTheAuthenticationOfTheOwner(_ passes: Bool) async throws {
        try await enrol()
        StandInOwner.with { $0.passes = passes }
        let push = try push(.biometric)
        system.connect(system.tap(push.payload, PushAction.Kind.approve.rawValue))
        try await waitFor("the login to be shown") { system.buttons == ["Approve", "Deny"] }
        system.press("Approve")
        if passes {
            try await waitFor("the accounts to be shown") { system.app.router.screen == .accounts }
            #expect(system.server.state(ofPush: push.messageId) == .approved)
        } else {
            try await waitFor("the refusal to be shown") {
                if case .message = system.app.router.screen { true } else { false }
            }
            #expect(system.server.state(ofPush: push.messageId) == .waiting)
        }
    }

    @Test func silentPushesAreStoredOnce() async throws {
        try await enrol()
        let push = try push()
        system.launch()
        #expect(await system.deliverInBackground(push.payload) == PushBackgroundResult.newData.rawValue)
        #expect(await system.deliverInBackground(push.payload) == PushBackgroundResult.noData.rawValue)
        #expect(await system.deliverInBackground(["aps": ["content-available": 1]]) == 1)
        // The app shows a login with all four presentation options. The second push comes from another sender.
        #expect(await system.present(push.payload) == 1 | 2 | 8 | 16)
        #expect(await system.present(["aps": ["alert": "Hello"]]) == 8 | 16)
        #expect(try await system.app.logins.client().getAllNotifications().count == 1)
    }

    /// A push that arrives before the first unlock after a restart is stored when the system delivers it again.
    ///
    /// Before the unlock, the app cannot open its store.
    @Test func aPushThatArrivesBeforeTheFirstUnlockIsStoredAfterIt() async throws {
        try await enrol()
        let push = try push()
        system.launch()
        StandInKeychain.with { $0.device = .beforeFirstUnlock }
        #expect(await system.deliverInBackground(push.payload) == PushBackgroundResult.failed.rawValue)
        StandInKeychain.with { $0.device = .unlocked }
        #expect(await system.deliverInBackground(push.payload) == PushBackgroundResult.newData.rawValue)
    }

    @Test(arguments: [
        (NSCocoaErrorDomain, 3000, "noEntitlement", false), (NSCocoaErrorDomain, 3010, "simulator", false),
        (NSURLErrorDomain, -1009, "offline", true),
    ])
    func aFailedTokenRegistrationIsShown(_ domain: String, _ code: Int, _ name: String, _ keeps: Bool)
        async throws
    {
        try await enrol()
        system.failToRegister(domain, code)
        try await waitFor("the failure to be stored") { system.app.logins.tokenFailure != nil }
        system.connect()
        try await waitFor("the failure to be shown") {
            system.lines == ["This phone gets no pushes: \(name)."]
        }
        #expect(try await system.app.logins.client().getDeviceToken() == (keeps ? "0102" : nil))
        system.register()
        try await waitFor("the token") { try await system.app.logins.client().getDeviceToken() == "0102" }
        #expect(system.app.logins.tokenFailure == nil)
    }

    @Test func deliveredPushesAreStoredAndCounted() async throws {
        try await enrol()
        let push = try push()
        let banner = try await system.show(push.payload)
        #expect(banner.title == "Example")
        let other: JSONValue = ["aps": ["alert": "Hello"]]
        #expect(try await system.show(other).thread == "")
        system.launch()
        system.connect()
        system.becomeActive()
        try await waitFor("the badge to be set") { system.badge == 1 }
        #expect(
            try await system.app.logins.client().getPendingNotifications().map(\.messageId) == [
                push.messageId
            ]
        )
    }

    @Test func aLogOutRemovesTheAccountAfterTheServerRemovesTheDevice() async throws {
        try await enrol()
        let id = try #require(try await system.app.logins.client().getCredentials().first?.id)
        #expect(try await system.show(try push().payload).thread == id)
        system.connect()
        try await waitFor("the account to be shown") { system.buttons == ["Log out demo"] }
        // The user has no session at the server. So the account is not removed, and the app shows the reason.
        system.press("Log out demo")
        try await waitFor("the reason to be shown") {
            system.lines == ["The account could not be removed yet. The app will try again later."]
        }
        #expect(try await system.app.logins.client().getCredentials().count == 1)
        #expect(await system.shownBanners == [id])
        // The user has signed in at the server, and logs out again. The log-out succeeds.
        let session = system.server.withService { $0.createSession(for: "demo", in: .root) }
        system.app.logins.session = { _ in PushServerSession(value: session, userId: "demo") }
        system.app.router.show(.accounts)
        try await waitFor("the account to be shown") { system.buttons == ["Log out demo"] }
        system.press("Log out demo")
        try await waitFor("the account to be gone") { system.lines == ["There is no account yet."] }
        #expect(system.server.withService(\.devices).isEmpty)
        #expect(await system.shownBanners == [])
        #expect(system.badge == 0)
    }

    @Test func aReconnectedSceneStartsWithTheAccounts() async throws {
        try await enrol()
        system.connect(system.tap(try push().payload))
        try await waitFor("the login to be shown") { system.buttons == ["Approve", "Deny"] }
        system.disconnect()
        system.connect()
        try await waitFor("the account to be shown") { system.buttons == ["Log out demo"] }
    }

    private func register() async throws {
        system.register()
        try await waitFor("the token") { try await system.app.logins.client().getDeviceToken() == "0102" }
    }

    private func enrol() async throws {
        try await register()
        let code = try system.server.createCode(RegistrationOrder(issuer: "Example", account: "demo")).uri
        try await system.app.logins.enrol(code)
    }

    private func push(
        _ type: PushType = .default,
        configure: (inout PushOrder) -> Void = { _ in }
    ) throws -> PushDelivery {
        let device = try #require(system.server.withService(\.devices).keys.first)
        var order = PushOrder(mechanismUid: device, type: type)
        configure(&order)
        return try system.server.createPush(order)
    }
}
