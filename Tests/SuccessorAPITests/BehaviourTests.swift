import Foundation
import PingLogger
import PingOath
import PingPush
import PushBridgeCore
import PushBridgePlatform
import PushBridgeTestSupport
import Testing

/// Behaviour of the successor SDK that call sites can observe.
@Suite("Behaviour")
struct BehaviourTests {
    // MARK: Device token

    @Test func aTokenIsTrimmedAndABlankTokenIsRefused() async throws {
        let phone = try await EnrolledClient()
        try await phone.client.setDeviceToken(" 0a0b\n")
        #expect(try await phone.client.getDeviceToken() == "0a0b")
        let sent = phone.server.requests.count
        for blank in ["", "  ", "\n\t"] {
            await #expect(throws: PushError.invalidParameterValue("The device token is empty.")) {
                try await phone.client.setDeviceToken(blank)
            }
        }
        #expect(phone.server.requests.count == sent)
        #expect(try await phone.client.getDeviceToken() == "0a0b")
    }

    @Test func settingATokenThrowsIfTheServerFails() async throws {
        let phone = try await EnrolledClient()
        let other = try await PushClient.createClient { config in
            config.storage = phone.storage
            config.transport = FakeTransport(status: 500)
            config.logger = LogManager.none
        }
        await #expect(throws: PushError.networkFailure("The server failed (HTTP 500).")) {
            try await other.setDeviceToken("0a0b")
        }
        await #expect(throws: PushError.credentialNotFound("none")) {
            try await phone.client.setDeviceToken("0c0d", credentialId: "none")
        }
    }

    @Test func aTokenThatIsKnownIsNotSentAgain() async throws {
        let phone = try await EnrolledClient()
        try await phone.client.setDeviceToken("0a0b")
        let sent = phone.server.requests.count
        #expect(try await phone.client.setDeviceToken("0a0b"))
        #expect(phone.server.requests.count == sent)
        #expect(try await phone.client.setDeviceToken("0c0d"))
        #expect(phone.server.requests.count == sent + 1)
    }

    // MARK: Codes

    @Test func codesOfRealServersAreRead() async throws {
        let uri = try Sample.uri(loadBalancer: nil).replacing("push/Example:", with: "push/forgerock:")
        let phone = try await EnrolledClient()
        let credential = try await phone.client.addCredentialFromUri(uri)
        #expect(credential.issuer == "Example")
        #expect(phone.server.requests.last?.headers.contains { $0.name == "Cookie" } == false)
        #expect(try await PushUriParser.registrationParameters(uri)["amlbCookie"] == nil)
    }

    @Test func aCodeThatIsEnrolledIsRefused() async throws {
        let phone = try await EnrolledClient()
        let uri = try Sample.uri()
        let credential = try await phone.client.addCredentialFromUri(uri)
        await #expect(
            throws: PushError.duplicateCredential(
                issuer: credential.issuer,
                accountName: credential.accountName
            )
        ) {
            try await phone.client.addCredentialFromUri(uri)
        }
        let client = try await OathClient.createClient {
            $0.storage = CredentialStoreOathStorage(MemoryCredentialStore())
        }
        try await client.addCredentialFromUri("otpauth://totp/A:b?secret=JBSWY3DPEHPK3PXP")
        await #expect(throws: OathError.duplicateCredential(issuer: "A", accountName: "b")) {
            try await client.addCredentialFromUri("otpauth://totp/A:b?secret=JBSWY3DPEHPK3PXP&digits=8")
        }
    }

    /// As in the successor SDK 2.2, `parse` reads a code without `c` or `m`, but `registrationParameters` rejects it.
    @Test(arguments: ["m", "c"])
    func aCodeWithoutAChallengeOrMessageIdHasNoRegistrationParameters(_ name: String) async throws {
        let uri = try Sample.uri().replacing(try Regex("&\(name)=[^&]*"), with: "")
        #expect(try await PushUriParser.parse(uri).issuer == "Example")
        await #expect(throws: PushError.invalidUri("The URI lacks the parameter \(name).")) {
            try await PushUriParser.registrationParameters(uri)
        }
    }

    // MARK: Answers

    @Test(arguments: [200, 201, 204, 299])
    func everySuccessStatusIsAccepted(_ status: Int) async throws {
        let phone = try await EnrolledClient(status: status)
        #expect(try await phone.client.getCredentials().count == 1)
        let push = try await phone.receive()
        #expect(try await phone.client.approveNotification(push.id))
        #expect(try await phone.client.getNotification(push.id)?.approved == true)
        #expect(try await phone.client.setDeviceToken("aaaa"))
    }

    @Test(arguments: [" 34 ", "34\n", "34"])
    func aNumberIsTrimmed(_ number: String) async throws {
        let phone = try await EnrolledClient()
        let push = try await phone.receive(["k": "challenge", "n": "34,43,57"])
        #expect(try await phone.client.approveChallengeNotification(push.id, challengeResponse: number))
        #expect(try phone.claims()?["challengeResponse"] == "34")
        #expect(try await phone.client.getNotification(push.id)?.approved == true)
    }

    @Test(arguments: ["", " ", "\n"])
    func aBlankNumberIsRefused(_ number: String) async throws {
        let phone = try await EnrolledClient()
        let push = try await phone.receive(["k": "challenge", "n": "34,43,57"])
        await #expect(throws: PushError.invalidParameterValue("The challenge response is empty.")) {
            try await phone.client.approveChallengeNotification(push.id, challengeResponse: number)
        }
        #expect(try await phone.client.getPendingNotifications().map(\.id) == [push.id])
        #expect(phone.server.requests.count == 1)
    }

    @Test(arguments: ["35", "3 4", "thirty-four", "034", "+34", "34.0"])
    func aNumberThatThePushDoesNotShowIsStoredAsDenied(_ number: String) async throws {
        let log = Remembering()
        let phone = try await EnrolledClient { $0.logger = log }
        let push = try await phone.receive(["k": "challenge", "n": "34,43,57"])
        #expect(try await phone.client.approveChallengeNotification(push.id, challengeResponse: number))
        let stored = try #require(await phone.client.getNotification(push.id))
        #expect((stored.pending, stored.approved) == (false, false))
        #expect(
            log.warnings == [
                "The push does not contain this number, so the server treated the answer as a denial."
            ]
        )
    }

    @Test func theAnswerToAnAnsweredPushOfAnyKindIsFalse() async throws {
        let phone = try await EnrolledClient()
        let push = try await phone.receive(["k": "biometric"])
        await #expect(throws: PushError.invalidPushType("The push is of the type biometric.")) {
            try await phone.client.approveNotification(push.id)
        }
        try await phone.client.denyNotification(push.id)
        #expect(try await !phone.client.approveNotification(push.id))
        #expect(try await !phone.client.approveChallengeNotification(push.id, challengeResponse: "1"))
        #expect(try await !phone.client.approveBiometricNotification(push.id, authenticationMethod: "face"))
    }

    // MARK: Receiving

    @Test func aTokenWithOrWithoutItsIdIsAPush() async throws {
        let phone = try await EnrolledClient()
        let token = Sample.token(of: phone.credential)
        let alone = try #require(await phone.client.processNotification(message: token))
        #expect(try await phone.client.processNotification(message: token) == alone)
        let data: [String: Any] = ["message": token, "messageId": "beside"]
        let beside = try #require(await phone.client.processNotification(messageData: data))
        #expect(beside.messageId == "beside")
        let info: [AnyHashable: Any] = ["message": token, "messageId": "info"]
        #expect(try await phone.client.processNotification(userInfo: info)?.messageId == "info")
        let text = #"{"message":"\#(token)","messageId":"text"}"#
        #expect(try await phone.client.processNotification(message: text)?.messageId == "text")
        let named = Sample.token(of: phone.credential, ["messageId": "claimed"])
        #expect(try await phone.client.processNotification(message: named)?.messageId == "claimed")
    }

    @Test func membersBesideApsDoNotOverrideIt() async throws {
        let phone = try await EnrolledClient()
        var payload = Sample.payload(of: phone.credential, messageId: "inside")
        payload["message"] = Sample.token(of: phone.credential)
        payload["messageId"] = "outside"
        #expect(try await phone.client.processNotification(messageData: payload)?.messageId == "inside")
    }

    @Test func aForgedPushIsRefusedAndStoredNowhere() async throws {
        let phone = try await EnrolledClient()
        let forger = PushCredential(
            id: phone.credential.id,
            issuer: "Example",
            accountName: "babs",
            serverEndpoint: Sample.base,
            sharedSecret: "Zm9yZ2Vk"
        )
        await #expect(throws: PushError.messageParsingFailed("The signature is wrong.")) {
            try await phone.client.processNotification(message: Sample.token(of: forger))
        }
        let stranger = PushCredential(
            id: "unknown",
            issuer: "Example",
            accountName: "babs",
            serverEndpoint: Sample.base,
            sharedSecret: "Zm9yZ2Vk"
        )
        await #expect(throws: PushError.self) {
            try await phone.client.processNotification(message: Sample.token(of: stranger))
        }
        #expect(try await phone.client.getAllNotifications() == [])
    }

    @Test func aCredentialWithAnInvalidSecretReceivesAndAnswersNoPush() async throws {
        let storage = DictionaryStorage()
        let client = try await PushClient.createClient { config in
            config.storage = storage
            config.logger = LogManager.none
        }
        let keyless = PushCredential(
            issuer: "Example",
            accountName: "babs",
            serverEndpoint: Sample.base,
            sharedSecret: "no base64!"
        )
        try await storage.storePushCredential(keyless)
        await #expect(throws: PushError.messageParsingFailed("The signature is wrong.")) {
            try await client.processNotification(message: Sample.token(of: keyless))
        }
        let push = PushNotification.sample("1", of: keyless.id)
        try await storage.storePushNotification(push)
        await #expect(throws: PushError.invalidParameterValue("The credential's secret is not base64.")) {
            try await client.approveNotification(push.id)
        }
        await #expect(throws: PushError.uriFormatting("The secret is not base64.")) {
            try await keyless.toUri()
        }
    }

    @Test func aPushExpiresByTheServersTimeAndIsDeletedWithItsCredential() async throws {
        let phone = try await EnrolledClient()
        let push = try await phone.receive(["i": "1000000", "t": "60"])
        #expect((push.sentAt, push.isExpired) == (Date(timeIntervalSince1970: 1_000), true))
        try await phone.client.deleteCredential(phone.credential.id)
        #expect(try await phone.client.getAllNotifications() == [])
    }

    // MARK: Handlers

    @Test func aHandlerGetsThePushOutOfAps() async throws {
        let phone = try await EnrolledClient { $0.customPushHandlers = ["own": SuccessorHandler()] }
        let aps: [String: Any] = [
            "data": "own:\(phone.credential.id)", "messageId": "m7", "extra": ["place": "here"],
        ]
        let push = try #require(await phone.client.processNotification(userInfo: ["aps": aps]))
        #expect((push.messageId, push.pushType, push.ttl) == ("m7", .biometric, 60))
        #expect(push.sentAt == Date(timeIntervalSince1970: 1_700_000_000))
        #expect((push.loadBalancer, push.challenge) == ("amlbcookie=02", nil))
        #expect((push.customPayload, push.contextInfo) == (#"{"amount":3}"#, #"{"place":"here"}"#))
        #expect(try await phone.client.getCredential(phone.credential.id)?.userId == "user-7")
        #expect(try await phone.client.approveBiometricNotification(push.id, authenticationMethod: "face"))
    }

    @Test func aHandlersPushOfAnUnknownCredentialIsStored() async throws {
        let phone = try await EnrolledClient { $0.customPushHandlers = [SuccessorHandler()] }
        let push = try #require(await phone.client.processNotification(message: "own:unknown"))
        #expect(try await phone.client.getAllNotifications() == [push])
        await #expect(throws: PushError.credentialNotFound("unknown")) {
            try await phone.client.approveBiometricNotification(push.id, authenticationMethod: "face")
        }
    }

    @Test func aCustomHandlerReceivesTheLoadBalancerCookieAtRegistration() async throws {
        let phone = try await EnrolledClient {
            $0.customPushHandlers = [PushPlatform.pingAM.rawValue: SuccessorHandler()]
        }
        #expect(phone.server.requests.isEmpty)
        #expect(phone.credential.issuer == "Example")
    }

    /// A push that the successor SDK or the app stored names no handler, so the handler of its platform answers it.
    @Test func theHandlerOfThePlatformAnswersItsPushes() async throws {
        let phone = try await EnrolledClient {
            $0.customPushHandlers = [PushPlatform.pingAM.rawValue: SuccessorHandler()]
        }
        let push = PushNotification(
            credentialId: phone.credential.id,
            ttl: 60,
            messageId: "m",
            pushType: .biometric
        )
        try await phone.storage.storePushNotification(push)
        #expect(
            try await !phone.client.approveBiometricNotification(push.id, authenticationMethod: "none")
        )
        #expect(try await phone.client.getPendingNotifications() == [push])
        #expect(try await phone.client.approveBiometricNotification(push.id, authenticationMethod: "face"))
        #expect(try await phone.client.getNotification(push.id)?.approved == true)
        let received = try await phone.receive(messageId: "received")
        #expect(try await phone.client.denyNotification(received.id))
        #expect(phone.server.requests.isEmpty)
    }

    // MARK: Locks

    @Test(arguments: [nil, "{}", "no json", #"{"unknown":{}}"#])
    func aLockWithoutPoliciesStays(_ policies: String?) async throws {
        let phone = try await EnrolledClient()
        var credential = phone.credential
        credential.isLocked = true
        credential.policies = policies
        try await phone.client.saveCredential(credential)
        #expect(try await phone.client.getCredentials().map(\.isLocked) == [true])
        let push = try await phone.receive()
        await #expect(throws: PushError.credentialLocked(credential.id)) {
            try await phone.client.approveNotification(push.id)
        }
        credential.unlockCredential()
        try await phone.client.saveCredential(credential)
        #expect(try await phone.client.approveNotification(push.id))
    }

    @Test func aLockWithoutAPolicyLocksCodes() async throws {
        let client = try await OathClient.createClient { config in
            config.storage = CredentialStoreOathStorage(MemoryCredentialStore())
            config.logger = LogManager.none
        }
        var credential = try await client.addCredentialFromUri("otpauth://hotp/A:b?secret=JBSWY3DPEHPK3PXP")
        credential.isLocked = true
        try await client.saveCredential(credential)
        await #expect(throws: OathError.credentialLocked(credential.id)) {
            try await client.generateCode(credential.id)
        }
        #expect(try await client.getCredential(credential.id)?.counter == 0)
    }

    @Test func aSlowPolicyLocksAndUnlocksItsCredential() async throws {
        let complies = Lock(true)
        let phone = try await EnrolledClient {
            $0.policyEvaluator = MfaPolicyEvaluator(policies: [SlowPolicy(complies: complies)])
        }
        var credential = phone.credential
        credential.policies = #"{"slow":{}}"#
        try await phone.client.saveCredential(credential)
        let push = try await phone.receive()
        complies.withValue { $0 = false }
        await #expect(throws: PushError.credentialLocked(credential.id)) {
            try await phone.client.approveNotification(push.id)
        }
        #expect(try await phone.storage.retrievePushCredential(credentialId: credential.id)?.isLocked == true)
        complies.withValue { $0 = true }
        #expect(try await phone.client.approveNotification(push.id))
    }

    // MARK: Values

    @Test func aGeneratedCodeReportsTheNextCounter() async throws {
        let client = try await OathClient.createClient { config in
            config.storage = CredentialStoreOathStorage(MemoryCredentialStore())
            config.logger = LogManager.none
        }
        let uri = "otpauth://hotp/A:b?secret=JBSWY3DPEHPK3PXP&counter=7&period=45&b=%23ff0000"
        let credential = try await client.addCredentialFromUri(uri)
        #expect(try await client.generateCodeWithValidity(credential.id).counter == 8)
        #expect((credential.period, credential.backgroundColor) == (45, "ff0000"))
    }

    @Test func theColourOfAScannedPushCredentialStartsWithAHashSign() async throws {
        let credential = try await PushCredential.fromUri(Sample.uri("&b=032b75"))
        #expect((credential.backgroundColor, credential.resourceId) == ("#032b75", ""))
        let uri = try await credential.toUri()
        #expect(uri.contains("&b=032b75&") || uri.hasSuffix("&b=032b75"))
        #expect(!uri.contains("pid="))
    }

    @Test func codesWithoutARegistrationAreRead() async throws {
        let made = PushCredential.sample("a")
        let read = try await PushCredential.fromUri(made.toUri())
        #expect((read.issuer, read.accountName) == (made.issuer, made.accountName))
        #expect(read.sharedSecret == made.sharedSecret)
        #expect(read.registrationEndpoint == made.registrationEndpoint)
        let bare =
            "pushauth://push/Example:a?s=c2VjcmV0&r=aHR0cHM6Ly9hbS5leGFtcGxlLmNvbS9wdXNo&issuer=RXhhbXBsZQ"
        let known = try await PushCredential.fromUri(bare)
        #expect(known.authenticationEndpoint == "https://am.example.com/push?_action=authenticate")
    }

    @Test func cleanupLimitsBelowOneCountAsOne() async throws {
        let config = NotificationCleanupConfig(
            cleanupMode: .hybrid,
            maxStoredNotifications: 0,
            maxNotificationAgeDays: -1
        )
        #expect((config.maxStoredNotifications, config.maxNotificationAgeDays) == (1, 1))
        let phone = try await EnrolledClient { configuration in
            configuration.notificationCleanupConfig.maxStoredNotifications = -5
        }
        _ = try await phone.receive(messageId: "1")
        let last = try await phone.receive(messageId: "2")
        #expect(try await phone.client.cleanupNotifications() == 0)
        #expect(try await phone.client.getAllNotifications() == [last])
    }
}

extension EnrolledClient {
    fileprivate func claims() throws -> JSONValue? {
        guard let body = server.requests.last?.body, case .string(let token)? = JSONValue(json: body)?["jwt"]
        else { return nil }
        return JSONValue(json: try JSONWebToken(token).verified(with: credential.sharedSecret).claims)
    }
}

private struct SlowPolicy: MfaPolicy {
    let name = "slow"
    let complies: Lock<Bool>

    func evaluate(data: [String: Any]?) async throws -> Bool {
        await Task.yield()
        return complies.withValue { $0 }
    }
}

/// A logger that stores warnings.
private final class Remembering: PingLogger.Logger {
    private let noted = Lock<[String]>([])

    var warnings: [String] { noted.withValue { $0 } }

    func d(_ message: String) {}
    func i(_ message: String) {}
    func w(_ message: String, error: (any Error)?) { noted.withValue { $0.append(message) } }
    func e(_ message: String, error: (any Error)?) {}
}
