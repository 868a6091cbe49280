import CallKit
import FRAuthenticator
import Foundation
import PingPush
import PushBridgeCore
import PushBridgeNotifications
import PushBridgePlatform
import PushBridgeStore
import PushKit
import Security
import Testing
import UserNotifications

/// The delivery of pushes through Apple's frameworks.
@Suite("Delivery")
struct DeliveryTests {
    private let server = Server()

    init() {
        StandInKeychain.reset()
        SharedStore.reset()
        var configuration = Authenticator.Configuration.standard
        configuration.transport = server
        configuration.store = { try SharedStore.open(.create) }
        configuration.migration = nil
        FRAClient.reset(configuration)
        FRAClient.start()
    }

    @Test func theLegacyAppShowsAndAnswersItsPushes() async throws {
        let credential = try await enrolled()
        let push = credential.payload("1")
        let system = LegacySystem()
        await system.launch(with: push)
        #expect(try await system.deliverInBackground(push) == PushBackgroundResult.noData.rawValue)
        #expect(try await system.present(push) == [.banner, .list, .sound, .badge])
        let id = try #require(FRAClient.shared?.getAllNotifications().first?.identifier)
        #expect(try await system.tap(UNNotificationDefaultActionIdentifier, on: push) == .open(id))
        #expect(
            try await system.tap(PushAction.Kind.approve.rawValue, on: push)
                == .answered(id, isApproval: true)
        )
        #expect(try await system.present(push) == [])
        #expect(server.requests.withValue { $0 } == 1)
        let foreign: JSONValue = ["aps": ["alert": "Hello"]]
        #expect(try await system.present(foreign) == .banner)
        _ = try await system.tap("reply", on: foreign, text: "Hello")
        #expect(system.app.foreign.values == ["reply"])
    }

    @Test func theAsyncAppShowsAndAnswersItsPushes() async throws {
        let credential = try await enrolled()
        let transport = server
        let store = try SharedStore.open(.create)
        let client = try await PushClient.createClient { configuration in
            configuration.storage = CredentialStoreStorage(store)
            configuration.transport = transport
            configuration.logger = LogManager.none
        }
        let app = AsyncApp(client)
        let push = credential.payload("1", ["k": "challenge", "n": "34,43,57"])
        #expect(await app.deliverInBackground(push) == PushBackgroundResult.newData.rawValue)
        let notification = StandInDelivery.notification(push.userInfo)
        #expect(await app.willPresent(notification) == [.banner, .list, .sound, .badge])
        let id = try #require(await client.getAllNotifications().first?.id)
        func response(_ kind: PushAction.Kind, _ text: String? = nil) -> UNNotificationResponse {
            StandInDelivery.response(to: notification, kind.rawValue, text: text)
        }
        #expect(await app.didReceive(response(.approve)) == .open(id))
        #expect(server.requests.withValue { $0 } == 0)
        #expect(await app.didReceive(response(.enterNumber, "43")) == .answered(id, isApproval: true))
        #expect(server.requests.withValue { $0 } == 1)
        StandInDelivery.deliver(StandInDelivery.notification(credential.payload("2").userInfo))
        StandInDelivery.deliver(StandInDelivery.notification(["aps": ["alert": "Hello"]]))
        #expect(await app.didBecomeActive() == 1)
        #expect(try await client.badge() == 1)
    }

    @Test func theExtensionShowsTheContentOfTheVerifiedPush() async throws {
        let credential = try await enrolled()
        let claims: JSONValue = ["m": "Login to the shop", "k": "challenge", "n": "34,43,57"]
        let content = try await rewritten(credential.payload("1", claims))
        #expect(content.title == "Example")
        #expect(content.subtitle == "babs")
        #expect(content.body == "Login to the shop")
        #expect(content.categoryIdentifier == "authentication_challenge")
        #expect(content.threadIdentifier == credential.id)
        #expect(content.badge == 1)
        #expect(PushPayload(.payload(content.userInfo))?.messageId == "AUTHENTICATE:1")
        #expect(FRAClient.shared?.getAllNotifications().map(\.messageId) == ["AUTHENTICATE:1"])
    }

    @Test func theExtensionShowsNoButtonsForAnUnverifiedPush() async throws {
        let credential = try await enrolled()
        var payload = credential.payload("1")
        StandInKeychain.with { $0.device = .beforeFirstUnlock }
        #expect(try await rewritten(payload).title == "New message")
        #expect(try await rewritten(payload).categoryIdentifier == "")
        StandInKeychain.with { $0.device = .unlocked }
        #expect(try await rewritten(payload).title == "Example")
        payload = ["aps": ["alert": "Hello", "category": "message"]]
        #expect(try await rewritten(payload).body == "Hello")
        #expect(try await rewritten(payload).categoryIdentifier == "message")
        let forged: JSONValue = [
            "messageId": "AUTHENTICATE:9", "data": .string(credential.forgedToken), "alert": "Approve me",
        ]
        payload = ["aps": forged]
        #expect(try await rewritten(payload).title == "Unverified message")
        #expect(try await rewritten(payload).categoryIdentifier == "")
    }

    /// A picture is not shown if it arrives after the extension's time has expired, or if a login is not verified.
    ///
    /// The extension shows a verified push when its picture has been loaded, or when its time has expired. It does not
    /// load a picture for a push in PingAM's format that is not verified.
    @Test func latePicturesAndPicturesOfForgedPushesAreNotShown() async throws {
        let credential = try await enrolled()
        let file = FileManager.default.temporaryDirectory.appendingPathComponent("\(UUID().uuidString).png")
        try Data([1]).write(to: file)
        defer { try? FileManager.default.removeItem(at: file) }
        let (asked, shown) = (Recorder<String>(), Recorder<Shown>())
        func show(_ payload: JSONValue, _ picture: URL?, isLate: Bool = false) async throws
            -> UNNotificationContent
        {
            let service = PushContentService { try SharedStore.open(.open) }
            let content = StandInDelivery.notification(payload.userInfo).request.content
            let (before, questions) = (shown.values.count, asked.values.count)
            let late = Recorder<@Sendable (URL?) -> Void>()
            service.didReceive(content) { content, done in
                asked.record(content.title)
                if isLate { late.record(done) } else { done(picture) }
            } _: {
                shown.record(Shown(content: $0))
            }
            if isLate {
                try await waitFor("the request for the picture") { asked.values.count > questions }
                #expect(shown.values.count == before)
                service.willExpire()
            }
            try await waitFor("the extension's content") { shown.values.count > before }
            for done in late.values { done(picture) }
            #expect(shown.values.count == before + 1)
            return try #require(shown.values.last).content
        }
        let login = try await show(credential.payload("1"), file)
        #expect(login.title == "Example")
        #expect(login.attachments.map(\.url) == [file])
        let late = try await show(credential.payload("2"), file, isLate: true)
        #expect(late.title == "Example")
        #expect(late.attachments.isEmpty)
        let other: JSONValue = ["aps": ["alert": "Hello"]]
        #expect(try await show(other, file).attachments.map(\.url) == [file])
        #expect(try await show(other, URL(fileURLWithPath: "/nowhere.png")).body == "Hello")
        #expect(try await show(other, nil).attachments.isEmpty)
        let forged: JSONValue = [
            "aps": ["messageId": "AUTHENTICATE:9", "data": .string(credential.forgedToken)]
        ]
        #expect(try await show(forged, file).attachments.isEmpty)
        #expect(asked.values == ["Example", "Example", "", "", ""])
    }

    @Test func everyVoIPPushIsReportedAsACall() async throws {
        let tokens = Recorder<String?>()
        let calls = Calls { tokens.record($0) }
        #expect(tokens.values == ["c0ff"])
        let (registry, completions) = (try #require(PKPushRegistry.last), Recorder<Bool>())
        registry.deliver(["caller": "Babs"], .voIP) { completions.record(true) }
        registry.deliver([1: 2], .voIP) { completions.record(true) }
        #expect(calls.provider.reported == ["Babs", "Unknown"])
        #expect(completions.values.count == 2)
    }

    @Test func categoriesOfTheAppAndOfAnotherSDKStay() {
        let actions = PushActions()
        let others = ["PingOneMFA", "shop", "authentication"].map {
            UNNotificationCategory(identifier: $0, actions: [], intentIdentifiers: [], options: [])
        }
        let all = actions.categories(adding: Set(others))
        let own = Set(actions.categories.map(\.identifier))
        #expect(Set(all.map(\.identifier)) == own.union(["PingOneMFA", "shop"]))
        #expect(all.count == actions.categories.count + 2)
        #expect(all.first { $0.identifier == "authentication" }?.actions.isEmpty == false)
    }

    @Test func categoriesHaveTheButtonsOfTheirPushes() throws {
        let categories = PushActions().categories
        #expect(categories.count == 3)
        #expect(categories.allSatisfy { $0.options == .customDismissAction })
        let challenge = try #require(categories.first { $0.identifier == "authentication_challenge" })
        let number = try #require(challenge.actions.first as? UNTextInputNotificationAction)
        #expect(number.options == .authenticationRequired)
        #expect(number.textInputButtonTitle == "Approve")
        #expect(challenge.actions.map(\.identifier) == ["pushbridge.number", "pushbridge.deny"])
        let biometric = try #require(categories.first { $0.identifier == "authentication_biometric" })
        #expect(biometric.actions.first?.options == [.authenticationRequired, .foreground])
        #expect(biometric.actions.last?.options == .destructive)
    }

    @Test func theAdapterReportsEachChangeOfAPushKitTokenOnce() throws {
        let (tokens, pushes) = (Recorder<String?>(), Recorder<PushChannel>())
        let adapter = PushRegistryAdapter(channels: [.voIP, .alert], environment: .sandbox) { _, token in
            tokens.record(token)
        } onPush: { channel, _, completion in
            pushes.record(channel)
            completion()
        }
        #expect(adapter.tokens == [.voIP: "c0ff"])
        let registry = try #require(PKPushRegistry.last)
        let completions = Recorder<Bool>()
        registry.deliver(["call": 1], .voIP) { completions.record(true) }
        #expect(pushes.values == [.voIP])
        #expect(completions.values.count == 1)
        // PushKit supplies the same token again, and the adapter does not report it again.
        registry.desiredPushTypes = [.voIP]
        #expect(tokens.values == ["c0ff"])
        registry.invalidate(.voIP)
        registry.invalidate(.voIP)
        #expect(adapter.tokens == [:])
        #expect(tokens.values == ["c0ff", nil])
        registry.desiredPushTypes = [.voIP]
        #expect(tokens.values == ["c0ff", nil, "c0ff"])
        #expect(adapter.environment == .sandbox)
    }

    /// The adapter that the initialiser for Objective-C creates receives only VoIP pushes.
    ///
    /// This initialiser has no parameter for channels.
    @Test func theObjectiveCAdapterReportsVoIPTokensAndCalls() throws {
        let (tokens, calls) = (Recorder<String?>(), Recorder<Bool>())
        let adapter = PushRegistryAdapter(
            onVoIPToken: { tokens.record($0) },
            onVoIPPush: { payload, completion in
                calls.record(payload["call"] as? Int == 1)
                completion()
            }
        )
        #expect(adapter.voIPToken == "c0ff")
        let registry = try #require(PKPushRegistry.last)
        let completions = Recorder<Bool>()
        registry.deliver(["call": 1], .voIP) { completions.record(true) }
        #expect(calls.values == [true])
        #expect(completions.values.count == 1)
        registry.invalidate(.voIP)
        #expect(tokens.values == ["c0ff", nil])
        #expect(adapter.voIPToken == nil)
    }

    /// If the system invalidates a token that an earlier launch received, the adapter reports the invalidation.
    ///
    /// The adapter of this launch has no token.
    @Test func aTokenInvalidatedAfterALaunchIsReported() throws {
        let tokens = Recorder<String?>()
        let adapter = PushRegistryAdapter(channels: []) { _, token in
            tokens.record(token)
        } onPush: { _, _, completion in
            completion()
        }
        let registry = try #require(PKPushRegistry.last)
        registry.invalidate(.voIP)
        registry.invalidate(.voIP)
        #expect(tokens.values == [nil])
        #expect(adapter.tokens.isEmpty)
    }

    /// A call with any payload is passed on and not stored as a login, and no payload causes a trap.
    @Test func callsWithAnyPayloadArePassedOn() async throws {
        let credential = try await enrolled()
        let (pushes, completions) = (Recorder<PushChannel>(), Recorder<Bool>())
        let adapter = PushRegistryAdapter { _, _ in
        } onPush: { channel, _, completion in
            pushes.record(channel)
            completion()
        }
        let registry = try #require(PKPushRegistry.last)
        let odd: [Any] = [NSNull(), -1, Double.nan, Data([0, 255]), Date(), "\u{0}", [Any](), [1: 2]]
        var payloads = [credential.payload("1").userInfo, [:], ["aps": "text"], [1: [2]]]
        for (index, value) in odd.enumerated() {
            payloads += odd.map { [AnyHashable(index): value, "aps": ["data": $0, "messageId": value]] }
        }
        for payload in payloads { registry.deliver(payload, .voIP) { completions.record(true) } }
        var random = RandomUserInfo(seed: 1, credential)
        for _ in Sweep.rounds("PushKit", part: 0, of: 1, standard: 4000) {
            registry.deliver(random.next(), .voIP) { completions.record(true) }
        }
        let count = payloads.count + (Sweep.asked ?? 4000)
        #expect(pushes.values.count == count)
        #expect(completions.values.count == count)
        #expect(FRAClient.shared?.getAllNotifications().isEmpty == true)
        #expect(adapter.environment == nil)
    }

    private func rewritten(_ payload: JSONValue) async throws -> UNNotificationContent {
        let notification = StandInDelivery.notification(payload.userInfo)
        let rewritten = Recorder<Shown>()
        let service = NotificationService()
        service.didReceive(notification.request) { rewritten.record(Shown(content: $0)) }
        try await waitFor("the extension's content") { !rewritten.values.isEmpty }
        #expect(rewritten.values.count == 1)
        return rewritten.values.first?.content ?? UNNotificationContent()
    }

    /// Stores a credential in the store that both APIs and the extension share.
    private func enrolled() async throws -> PushBridgeCore.PushCredential {
        let credential = try PushBridgeCore.PushCredential.sample()
        try SharedStore.open(.create).write { view in
            _ = try view.enrol(credential, registeredWith: PushBridgeCore.PushDeviceToken(token: "00ff"))
        }
        return credential
    }
}

/// Content that does not change after it was shown, so it can be sent between threads.
private struct Shown: @unchecked Sendable {
    let content: UNNotificationContent
}

/// A server that accepts every answer.
private final class Server: PushTransport {
    let requests = Lock(0)

    func send(_ request: PushRequest, timeout: TimeInterval) async throws -> PushResponse {
        requests.withValue { $0 += 1 }
        return PushResponse(status: 200, body: Data("{}".utf8))
    }
}

extension PushBridgeCore.PushCredential {
    static func sample() throws -> Self {
        let endpoint = "https://am.example.com/json/alpha/push/sns/message"
        let registration = PushRegistration(
            account: AccountProfile(issuer: "Example", accountName: "babs"),
            endpoints: try #require(
                PushEndpoints(
                    registration: "\(endpoint)?_action=register",
                    authentication: "\(endpoint)?_action=authenticate"
                )
            ),
            sharedSecret: .random(),
            challenge: Data("challenge".utf8),
            messageId: "REGISTER:1"
        )
        return registration.credential(id: UUID().uuidString, createdAt: Date())
    }

    func payload(_ message: String, _ extra: JSONValue = [:]) -> JSONValue {
        var claims: [String: JSONValue] = ["u": .string(id), "c": "Y2hhbGxlbmdl"]
        if case .object(let members) = extra { claims.merge(members) { _, new in new } }
        let token = sharedSecret.signedToken(claims: JSONValue.object(claims).data)
        return ["aps": ["messageId": .string("AUTHENTICATE:\(message)"), "data": .string(token)]]
    }

    fileprivate var forgedToken: String {
        SharedSecret.random().signedToken(claims: JSONValue.object(["u": .string(id), "c": "Y2g="]).data)
    }
}
