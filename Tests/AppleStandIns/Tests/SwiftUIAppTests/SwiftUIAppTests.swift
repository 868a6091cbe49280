import Foundation
import LocalAuthentication
import PingAMSimulator
import PushBridgeCore
import PushBridgeNotifications
import Security
import Testing

#if SwiftUIAppStep1
@testable import SwiftUIAppStep1
#elseif SwiftUIAppStep2
@testable import SwiftUIAppStep2
#else
@testable import SwiftUIApp
#endif

/// The app in Examples/SwiftUIApp.
///
/// The same tests run after each of the app's three steps.
@Suite("SwiftUI app", .serialized) @MainActor
struct SwiftUIAppTests {
    private let device: Device
    private var model: LoginModel { device.model }

    init() async throws {
        var settings = ServiceSettings()
        settings.version = .v8_1_0
        device = try await Device(settings: settings)
    }

    @Test func theAppConfiguresNotificationsAndRequestsATokenDuringLaunch() {
        #expect(device.isDelegateOfCenter)
        #expect(
            device.categories == ["authentication", "authentication_biometric", "authentication_challenge"]
        )
        #expect(device.asksForToken)
    }

    @Test func aTypedCodeAddsAnAccount() async throws {
        try await register()
        device.connect()
        let page = try #require(device.page)
        page.enter(try code(), into: "Code")
        page.press("Add")
        try await waitFor("the account to be listed") { model.accounts.map(\.name) == ["demo"] }
        #expect(device.page?.lines == ["demo at Example"])
        #expect(model.message == nil)
    }

    @Test func aLinkEnrolsOnlyWhenTheUserAgrees() async throws {
        try await register()
        device.connect()
        device.window?.open(try #require(URL(string: try code())))
        #expect(device.page?.alert?.title == "Add the account of this link?")
        device.page?.alert?.press("Cancel")
        #expect(device.page?.alert == nil)
        #expect(model.accounts.isEmpty)
        device.window?.open(try #require(URL(string: try code("other"))))
        device.page?.alert?.press("Add")
        try await waitFor("the account to be listed") { model.accounts.map(\.name) == ["other"] }
        #expect(device.page?.alert == nil)
    }

    @Test func anInvalidCodeShowsAnError() async throws {
        try await register()
        device.connect()
        await model.enrol("nonsense")
        let alert = try #require(device.page?.alert)
        #expect(alert.title == "Please note")
        #expect(alert.lines == [model.message])
        alert.press("OK")
        #expect(device.page?.alert == nil)
        #expect(model.accounts.isEmpty)
    }

    /// The two ways in which the system delivers the tap that starts the app.
    enum Way: CaseIterable {
        case scene, delegate
    }

    @Test(arguments: [[Way.scene], [.delegate], [.scene, .delegate], [.delegate, .scene]])
    func aTapThatStartsTheAppOpensItsLogin(_ ways: [Way]) async throws {
        try await enrol()
        let push = try push { $0.contextInfo = #"{"remoteIp":"203.0.113.7"}"# }
        device.launch()
        let tap = device.tap(push.payload)
        for way in ways {
            switch way {
            case .scene: device.connect(tap)
            case .delegate: await device.respond(with: tap)
            }
        }
        if !ways.contains(.scene) { device.connect() }
        try await waitFor("the login to be shown") { device.page?.buttons == ["Approve", "Deny"] }
        #expect(device.page?.lines == ["Login attempt from demo at Example", "From 203.0.113.7"])
        device.page?.press("Approve")
        try await waitFor("the approval") { device.server.state(ofPush: push.messageId) == .approved }
        try await waitFor("the lists to be shown") { model.path.isEmpty && model.logins.isEmpty }
    }

    /// If the system delivers a tap twice, the second delivery does not replace a screen that the user has
    /// opened between the two deliveries.
    @Test func aTapThatIsDeliveredTwiceOpensTheLoginOnce() async throws {
        try await enrol()
        let tap = device.tap(try push().payload)
        device.launch()
        device.connect(tap)
        try await waitFor("the login to be shown") { !model.path.isEmpty }
        model.path = []
        await device.respond(with: tap)
        #expect(model.path.isEmpty)
    }

    @Test func aButtonOfABannerAnswersWithoutAScreen() async throws {
        try await enrol()
        let push = try push()
        device.launch()
        await device.respond(with: device.tap(push.payload, PushAction.Kind.deny.rawValue))
        #expect(device.server.state(ofPush: push.messageId) == .denied)
        #expect(model.path.isEmpty && model.logins.isEmpty)
    }

    @Test func aListedLoginIsOpenedAndDenied() async throws {
        try await enrol()
        device.connect()
        let push = try push()
        // The app shows the push with all four presentation options.
        #expect(await device.present(push.payload) == 1 | 2 | 8 | 16)
        try await waitFor("the login to be listed") { model.logins.count == 1 }
        #expect(device.page?.press("Login attempt from demo at Example") == true)
        #expect(model.path == model.logins.map(\.id))
        #expect(device.page?.buttons == ["Approve", "Deny"])
        device.page?.press("Deny")
        try await waitFor("the denial") { device.server.state(ofPush: push.messageId) == .denied }
        try await waitFor("the lists to be shown") { model.path.isEmpty && model.logins.isEmpty }
    }

    /// In AM 8.1 and later, a wrong number does not end the login.
    @Test func aChallengeOffersItsNumbersUntilOneIsRight() async throws {
        try await enrol()
        let push = try push(.challenge) { $0.numbers = "34,43,57" }
        device.connect(device.tap(push.payload))
        try await waitFor("the numbers to be shown") { device.page?.buttons == ["34", "43", "57", "Deny"] }
        device.page?.press("57")
        try await waitFor("the error to be shown") { device.page?.alert != nil }
        device.page?.alert?.press("OK")
        #expect(device.page?.buttons == ["34", "43", "57", "Deny"])
        #expect(device.server.state(ofPush: push.messageId) == .waiting)
        device.page?.press(String(try #require(push.number)))
        try await waitFor("the approval") { device.server.state(ofPush: push.messageId) == .approved }
        try await waitFor("the lists to be shown") { model.path.isEmpty }
    }

    @Test(arguments: [true, false])
    func aBiometricLoginRequiresTheAuthenticationOfTheOwner(_ passes: Bool) async throws {
        try await enrol()
        StandInOwner.with { $0.passes = passes }
        let push = try push(.biometric)
        device.connect(device.tap(push.payload, PushAction.Kind.approve.rawValue))
        try await waitFor("the login to be shown") { device.page?.buttons == ["Approve", "Deny"] }
        device.page?.press("Approve")
        if passes {
            try await waitFor("the lists to be shown") { model.path.isEmpty }
            #expect(device.server.state(ofPush: push.messageId) == .approved)
        } else {
            try await waitFor("the refusal to be shown") { model.message != nil }
            #expect(device.server.state(ofPush: push.messageId) == .waiting)
        }
    }

    @Test func silentPushesAreStoredOnceAndListed() async throws {
        try await enrol()
        device.connect()
        let push = try push()
        #expect(await device.deliverInBackground(push.payload) == PushBackgroundResult.newData.rawValue)
        #expect(await device.deliverInBackground(push.payload) == PushBackgroundResult.noData.rawValue)
        try await waitFor("the login to be listed") { model.logins.count == 1 }
        // Two pushes from other senders: one silent push, and one push with a banner.
        #expect(await device.deliverInBackground(["aps": ["content-available": 1]]) == 1)
        #expect(await device.present(["aps": ["alert": "Hello"]]) == 8 | 16)
    }

    @Test func deliveredPushesAreListedAndCounted() async throws {
        try await enrol()
        device.deliver(try push().payload)
        device.launch()
        device.connect()
        try await waitFor("the badge to be set") { device.badge == 1 }
        try await waitFor("the login to be listed") { model.logins.count == 1 }
    }

    /// A push that arrives before the first unlock after a restart is stored when the system delivers it again.
    @Test func aPushThatArrivesBeforeTheFirstUnlockIsStoredAfterIt() async throws {
        try await enrol()
        let push = try push()
        device.launch()
        StandInKeychain.with { $0.device = .beforeFirstUnlock }
        #expect(await device.deliverInBackground(push.payload) == PushBackgroundResult.failed.rawValue)
        StandInKeychain.with { $0.device = .unlocked }
        #expect(await device.deliverInBackground(push.payload) == PushBackgroundResult.newData.rawValue)
    }

    @Test func theAppShowsATokenFailureUnlessTheDeviceIsOffline() {
        device.failToRegister(NSURLErrorDomain, -1009)
        #expect(model.message == nil)
        device.failToRegister(NSCocoaErrorDomain, 3000)
        #expect(model.message == "This phone gets no pushes: noEntitlement.")
    }

    @Test func aRemovedAccountIsNoLongerListed() async throws {
        try await enrol()
        device.connect()
        try await waitFor("the account to be listed") { device.page?.lines == ["demo at Example"] }
        device.page?.press("Remove demo")
        try await waitFor("the account to be gone") { model.accounts.isEmpty }
        device.launch()
        await model.refresh()
        #expect(model.accounts.isEmpty)
    }

    private func code(_ account: String = "demo") throws -> String {
        try device.server.createCode(RegistrationOrder(issuer: "Example", account: account)).uri
    }

    private func register() async throws {
        await model.register(Data([1, 2]))
        #expect(model.message == nil)
    }

    private func enrol() async throws {
        try await register()
        await model.enrol(try code())
        #expect(model.message == nil)
        #expect(model.accounts.count == 1)
    }

    private func push(
        _ type: PushType = .default,
        configure: (inout PushOrder) -> Void = { _ in }
    ) throws -> PushDelivery {
        let mechanism = try #require(device.server.withService(\.devices).keys.first)
        var order = PushOrder(mechanismUid: mechanism, type: type)
        configure(&order)
        return try device.server.createPush(order)
    }
}
