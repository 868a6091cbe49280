import Foundation
import PingPush
import PushBridgePlatform
import PushBridgeTestSupport
import Testing

/// A handler for pushes like `{"bank": {"user": …, "message": …}}`, as an app would write it.
private final class BankHandler: PushHandler {
    private let calls = Lock<[String]>([])
    private let succeeds: Bool
    private let failure: (any Error)?

    init(succeeds: Bool = true, failure: (any Error)? = nil) {
        self.succeeds = succeeds
        self.failure = failure
    }

    var log: [String] { calls.withValue { $0 } }

    func canHandle(messageData: [String: Any]) -> Bool { messageData["bank"] != nil }
    func canHandle(message: String) -> Bool { message.hasPrefix("bank:") }

    func parseMessage(messageData: [String: Any]) throws -> [String: Any] {
        guard let bank = messageData["bank"] as? [String: Any] else {
            throw PushError.messageParsingFailed("The message has no object bank.")
        }
        var parsed = bank
        parsed["credentialId"] = bank["user"]
        parsed["messageId"] = bank["message"]
        return parsed
    }

    func parseMessage(message: String) throws -> [String: Any] {
        let parts = message.split(separator: ":").map(String.init)
        return ["mechanismUid": parts[1], "messageId": parts[2], "pushType": "challenge", "ttl": "60"]
    }

    func sendApproval(
        credential: PushCredential,
        notification: PushNotification,
        params: [String: Any]
    ) async throws -> Bool {
        noting("approve \(notification.messageId) \(params.sorted { $0.key < $1.key }.map { "\($0)=\($1)" })")
    }

    func sendDenial(
        credential: PushCredential,
        notification: PushNotification,
        params: [String: Any]
    ) async throws -> Bool {
        noting("deny \(notification.messageId)")
    }

    func setDeviceToken(
        credential: PushCredential,
        deviceToken: String,
        params: [String: Any]
    ) async throws -> Bool {
        let succeeds = noting("token \(deviceToken)\(provider(params))")
        if let failure { throw failure }
        return succeeds
    }

    func register(credential: PushCredential, params: [String: Any]) async throws -> Bool {
        noting("register \(params["messageId"] ?? "")\(provider(params))")
    }

    private func provider(_ params: [String: Any]) -> String {
        params["providerName"].map { " of \($0)" } ?? ""
    }

    private func noting(_ call: String) -> Bool {
        calls.withValue { $0.append(call) }
        return succeeds
    }
}

@Suite("Custom handlers")
struct HandlerTests {
    private func payload(_ credential: PushCredential, _ more: [String: Any] = [:]) -> [AnyHashable: Any] {
        ["bank": more.merging(["user": credential.id, "message": "M1"]) { $1 }]
    }

    @Test(arguments: StoreKind.allCases)
    func aPushOfAnotherFormatIsParsedAndAnsweredByItsHandler(_ kind: StoreKind) async throws {
        let handler = BankHandler()
        let fixture = try await PushClientFixture(kind) { $0.customPushHandlers = [handler] }
        let credential = try await fixture.enrol()
        let sent = fixture.server.requests.count
        let more: [String: Any] = ["messageText": "Pay?", "ttl": 30, "sentAt": 1_700_000_000_000]
        let push = try #require(
            await fixture.client.processNotification(userInfo: payload(credential, more))
        )
        #expect(push.messageText == "Pay?")
        #expect(push.expiresAt == Date(timeIntervalSince1970: 1_700_000_030))
        #expect(try await fixture.client.processNotification(userInfo: payload(credential)) == push)
        #expect(try await fixture.client.approveNotification(push.id))
        #expect(try await fixture.client.approveNotification(push.id) == false)
        #expect(handler.log == ["approve M1 []"])
        #expect(fixture.server.requests.count == sent)
    }

    @Test func theHandlerReceivesTheTextAndTheChosenNumber() async throws {
        let handler = BankHandler()
        let fixture = try await PushClientFixture { $0.customPushHandlers = ["bank": handler] }
        let credential = try await fixture.enrol()
        let push = try #require(
            await fixture.client.processNotification(message: "bank:\(credential.id):M2")
        )
        #expect(push.ttl == 60)
        try await fixture.client.approveChallengeNotification(push.id, challengeResponse: "42")
        let denied = try #require(
            await fixture.client.processNotification(message: "bank:\(credential.id):M3")
        )
        try await fixture.client.denyNotification(denied.id)
        #expect(handler.log == [#"approve M2 ["challengeResponse=42"]"#, "deny M3"])
    }

    @Test func aHandlerThatFailsLeavesThePushPending() async throws {
        let fixture = try await PushClientFixture { $0.customPushHandlers = [BankHandler(succeeds: false)] }
        let credential = try await fixture.enrol()
        let push = try #require(await fixture.client.processNotification(userInfo: payload(credential)))
        #expect(try await fixture.client.approveNotification(push.id) == false)
        #expect(try await fixture.client.getPendingNotifications() == [push])
    }

    @Test func thePlatformsHandlerRegistersAndDeliversTokens() async throws {
        let handler = BankHandler()
        let fixture = try await PushClientFixture { $0.customPushHandlers = PushHandlers([.pingAM: handler]) }
        try await fixture.enrol()
        try await fixture.client.setDeviceToken("0a0b")
        #expect(handler.log == ["register REGISTER:1", "token 0a0b"])
        #expect(fixture.server.requests.isEmpty)
    }

    /// As in the successor SDK, a handler receives the token untrimmed.
    ///
    /// PingAM's servers receive the trimmed token, and the trimmed token is stored.
    @Test func aHandlerReceivesTheTokenAsItWasGiven() async throws {
        let handler = BankHandler()
        let fixture = try await PushClientFixture { $0.customPushHandlers = PushHandlers([.pingAM: handler]) }
        try await fixture.enrol()
        try await fixture.client.setDeviceToken(" 0a0b\n")
        #expect(handler.log == ["register REGISTER:1", "token  0a0b\n"])
        #expect(try await fixture.client.getDeviceToken() == "0a0b")
        try await fixture.client.setDeviceToken("0a0b")
        #expect(handler.log.count == 2)
    }

    @Test func thePlatformsHandlerReceivesItsPushConfiguration() async throws {
        let handler = BankHandler()
        let fixture = try await PushClientFixture { configuration in
            configuration.customPushHandlers = PushHandlers([.pingAM: handler])
            configuration.providers = ["com.example.bank": "Bank", "com.example.shop": "Shop"]
            configuration.topic = "com.example.bank"
        }
        try await fixture.enrol()
        try await fixture.client.setDeviceToken("0a0b")
        #expect(handler.log == ["register REGISTER:1 of Bank", "token 0a0b of Bank"])
    }

    @Test func aHandlersErrorDoesNotPreventTokensOfOtherCredentials() async throws {
        let handler = BankHandler(failure: CocoaError(.fileNoSuchFile))
        let fixture = try await PushClientFixture { $0.customPushHandlers = PushHandlers([.pingAM: handler]) }
        try await fixture.enrol("babs")
        try await fixture.enrol("scarter")
        let error = await #expect(throws: PushError.self) { try await fixture.client.setDeviceToken("0a0b") }
        guard case .networkFailure(_, let cause)? = error else {
            Issue.record("The error is \(String(describing: error)) instead of networkFailure.")
            return
        }
        #expect(cause is CocoaError)
        #expect(handler.log.filter { $0 == "token 0a0b" }.count == 2)
    }

    @Test func aTimeOfSendingMayHaveFractions() async throws {
        let fixture = try await PushClientFixture { $0.customPushHandlers = [BankHandler()] }
        let credential = try await fixture.enrol()
        let more: [String: Any] = ["sentAt": 1_700_000_000_000.4, "ttl": 30.0]
        let push = try #require(
            await fixture.client.processNotification(userInfo: payload(credential, more))
        )
        #expect(push.sentAt == Date(timeIntervalSince1970: 1_700_000_000))
        #expect(push.ttl == 30)
    }

    @Test func aHandlersFieldsAreStoredAsItParsedThem() async throws {
        let fixture = try await PushClientFixture { $0.customPushHandlers = [BankHandler()] }
        let credential = try await fixture.enrol()
        // JSON has no dates, so the date is kept in memory and not stored.
        let day = Date(timeIntervalSince1970: 1_700_000_000)
        let payload: [AnyHashable: Any] = [
            "bank": [
                "user": credential.id, "ttl": -5,
                "additionalData": ["branch": "north", "since": day] as [String: Any],
            ] as [String: Any]
        ]
        let push = try #require(await fixture.client.processNotification(userInfo: payload))
        let stored = try #require(await fixture.client.getNotification(push.id))
        for push in [push, stored] {
            #expect(push.sentAt == nil)
            #expect(push.ttl == -5)
            #expect(push.isExpired)
            #expect(push.additionalData?["branch"] as? String == "north")
            #expect(!push.messageId.isEmpty)
        }
        #expect(push.additionalData?["since"] as? Date == day)
        let other = try #require(await fixture.client.processNotification(userInfo: payload))
        #expect(other.messageId != push.messageId)
    }

    /// A message id belongs to one credential, even if the app's handler parses the push.
    @Test func aMessageIdOfAnotherCredentialIsRefused() async throws {
        let fixture = try await PushClientFixture { $0.customPushHandlers = [BankHandler()] }
        let (first, second) = (try await fixture.enrol(), try await fixture.enrol("carl"))
        func payload(_ credential: PushCredential) -> [AnyHashable: Any] {
            ["bank": ["user": credential.id, "message": "bank-1"] as [String: Any]]
        }
        let push = try #require(await fixture.client.processNotification(userInfo: payload(first)))
        await #expect(throws: (any Error).self) {
            try await fixture.client.processNotification(userInfo: payload(second))
        }
        let stored = try await fixture.client.getAllNotifications()
        #expect(stored.map(\.credentialId) == [first.id] && stored.map(\.id) == [push.id])
    }

    @Test func aRefusingPlatformHandlerStoresNothing() async throws {
        let fixture = try await PushClientFixture {
            $0.customPushHandlers = ["PING_AM": BankHandler(succeeds: false)]
        }
        await #expect(throws: PushError.registrationFailed("The handler could not register the device.")) {
            try await fixture.enrol()
        }
        #expect(try await fixture.client.getCredentials() == [])
    }

    @Test func aPushWhoseHandlerIsGoneIsNotAnswered() async throws {
        let fixture = try await PushClientFixture { $0.customPushHandlers = ["bank": BankHandler()] }
        let credential = try await fixture.enrol()
        let push = try #require(await fixture.client.processNotification(userInfo: payload(credential)))
        let later = try await PushClient.createClient { config in
            config.storage = fixture.storage
            config.logger = LogManager.none
        }
        await #expect(throws: PushError.noHandlerForPlatform("bank")) {
            try await later.approveNotification(push.id)
        }
        #expect(try await later.getPendingNotifications() == [push])
    }

    @Test func theErrorContainsTheFieldThatAHandlerOmits() async throws {
        let fixture = try await PushClientFixture { $0.customPushHandlers = [BankHandler()] }
        await #expect(throws: PushError.messageParsingFailed("The field credentialId is missing.")) {
            try await fixture.client.processNotification(userInfo: ["bank": ["message": "M1"]])
        }
        #expect(try await fixture.client.getAllNotifications() == [])
    }

    /// A rejection that a handler reports is treated like a rejection by a server.
    ///
    /// The next attempt is made later, and not at every launch.
    @Test func aRefusalThatAHandlerReportsIsRemembered() async throws {
        let refusal = PushError.networkFailure("No.", PushResponseError.refused(status: 501, message: nil))
        let handler = BankHandler(failure: refusal)
        let fixture = try await PushClientFixture { $0.customPushHandlers = ["PING_AM": handler] }
        let credential = try await fixture.enrol()
        await #expect(throws: refusal) { try await fixture.client.setDeviceToken("11ff") }
        let state = try await fixture.client.tokenState(of: credential.id)
        guard case .unsupported = state else {
            Issue.record("The credential's token state is \(state) instead of unsupported.")
            return
        }
    }

    @Test func handlersWithTheSameNameAreRefused() async throws {
        func client(_ handlers: PushHandlers) async throws -> PushClient {
            try await PushClientFixture { $0.customPushHandlers = handlers }.client
        }
        func alike(_ names: String) -> PushError {
            .initializationFailed(
                "The handlers \(names) have the same name; pass a dictionary with a unique name for each handler."
            )
        }
        await #expect(throws: PushError.invalidPlatform("")) { try await client(["": BankHandler()]) }
        let type = "PingPushTests.BankHandler"
        await #expect(throws: alike("1 (\(type)) and 2 (\(type))")) {
            try await client([BankHandler(), BankHandler()])
        }
        await #expect(throws: alike("1 (PING_AM) and 2 (pingam)")) {
            try await client(["PING_AM": BankHandler(), "pingam": BankHandler()])
        }
        let distinct = try await client(["one": BankHandler(), "two": BankHandler()])
        await distinct.close()
    }
}
