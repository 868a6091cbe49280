import Foundation
import PingCommons
import PingLogger
import PingPush
import PushBridgeTestSupport
import Testing

/// Call sites as in an app that uses the successor SDK, for each type of the SDK's push module.
@Suite("Push call sites")
struct PushCallSites {
    @Test func aPushCredentialCanBeCreatedChangedAndEncoded() async throws {
        var credential = PushCredential(
            issuer: "Example",
            accountName: "babs",
            serverEndpoint: "https://am.example.com/json/push/sns/message",
            sharedSecret: "c2VjcmV0LXNlY3JldA=="
        )
        let id: String = credential.id
        let platform: PushPlatform = credential.platform
        #expect((credential.displayIssuer, credential.displayAccountName) == ("Example", "babs"))
        #expect((credential.resourceId, platform) == (id, .pingAM))
        #expect(credential.registrationEndpoint == "\(credential.serverEndpoint)?_action=register")
        #expect(credential.authenticationEndpoint == "\(credential.serverEndpoint)?_action=authenticate")
        #expect(credential.updateEndpoint == "\(credential.serverEndpoint)?_action=refresh")
        credential.displayIssuer = "Work"
        credential.displayAccountName = "Babs"
        credential.isLocked = true
        credential.lockingPolicy = "own"
        credential.lockCredential(policyName: "deviceTampering")
        #expect((credential.isLocked, credential.lockingPolicy) == (true, "deviceTampering"))
        credential.unlockCredential()
        #expect((credential.isLocked, credential.lockingPolicy) == (false, nil))
        credential.additionalData = ["team": "red", "floor": 3]
        #expect(credential.additionalData?["team"] as? String == "red")
        #expect(!credential.description.contains("c2VjcmV0"))
        let copy = try JSONDecoder().decode(PushCredential.self, from: JSONEncoder().encode(credential))
        #expect(copy == credential)
    }

    @Test func theInitializerOfACredentialStoresEveryParameter() {
        let credential = PushCredential(
            id: "id",
            userId: "user",
            resourceId: "resource",
            issuer: "Example",
            displayIssuer: "Work",
            accountName: "babs",
            displayAccountName: "Babs",
            serverEndpoint: "no address",
            sharedSecret: "no base64!",
            createdAt: Date(timeIntervalSince1970: 1),
            imageURL: "https://example.com/logo.png",
            backgroundColor: "ff0000",
            policies: "{}",
            lockingPolicy: "own",
            isLocked: true,
            platform: .pingAM,
            additionalData: ["a": 1]
        )
        #expect((credential.userId, credential.resourceId) == ("user", "resource"))
        #expect(
            (credential.imageURL, credential.backgroundColor) == ("https://example.com/logo.png", "ff0000")
        )
        #expect((credential.policies, credential.lockingPolicy, credential.isLocked) == ("{}", "own", true))
        #expect(credential.serverEndpoint == "no address")
        #expect(credential.createdAt == Date(timeIntervalSince1970: 1))
    }

    @Test func aNotificationIsMadeMarkedAndPrinted() throws {
        var notification = PushNotification(credentialId: "c", ttl: 120, messageId: "m", pushType: .challenge)
        #expect((notification.challenge, notification.sentAt) == (nil, nil))
        #expect((notification.pending, notification.approved, notification.responded) == (true, false, false))
        #expect(notification.type == "challenge")
        notification.markApproved()
        #expect((notification.pending, notification.approved) == (false, true))
        #expect(notification.respondedAt != nil)
        notification.markDenied()
        #expect((notification.pending, notification.approved) == (false, false))
        let full = PushNotification(
            id: "id",
            credentialId: "c",
            ttl: 60,
            messageId: "m",
            messageText: "Sign in?",
            customPayload: "{}",
            challenge: "c2M=",
            numbersChallenge: "1, 2,x",
            loadBalancer: "amlbcookie=01",
            contextInfo: "{}",
            pushType: .default,
            createdAt: Date(timeIntervalSince1970: 1),
            sentAt: Date(timeIntervalSince1970: 0),
            respondedAt: nil,
            additionalData: ["a": [1, 2]],
            approved: true,
            pending: false
        )
        #expect((full.getNumbersChallenge(), full.isExpired) == ([1, 2], true))
        #expect(!"\(full) \(notification.description)".contains("c2M="))
        let copy = try JSONDecoder().decode(PushNotification.self, from: JSONEncoder().encode(full))
        #expect(copy == full)
        #expect(copy.additionalData?["a"] as? [Int] == [1, 2])
    }

    @Test func tokensWithTheSameTextAreEqual() throws {
        let token = PushDeviceToken(token: "00ff")
        #expect(token == PushDeviceToken(id: "other", token: "00ff", createdAt: .distantPast))
        #expect(token != PushDeviceToken(token: "0a0b"))
        let copy = try JSONDecoder().decode(PushDeviceToken.self, from: JSONEncoder().encode(token))
        #expect((copy.id, copy.token, copy.createdAt) == (token.id, token.token, token.createdAt))
        #expect(!"\(token)".contains("00ff"))
    }

    @Test func namesOfPlatformsAndPushTypesAreRead() throws {
        #expect(PushPlatform.pingAM.rawValue == "pingam")
        #expect(try PushPlatform.fromString("PingAM") == .pingAM)
        #expect(try PushPlatform.fromString("PING_AM") == .pingAM)
        #expect(try PushType.fromString("BIOMETRIC") == .biometric)
        #expect(throws: PushError.invalidPlatform("x")) { try PushPlatform.fromString("x") }
        #expect(throws: PushError.invalidPushType("x")) { try PushType.fromString("x") }
        let data = Data(#"["pingam","PING_AM"]"#.utf8)
        #expect(try JSONDecoder().decode([PushPlatform].self, from: data) == [.pingAM, .pingAM])
        #expect(
            try String(decoding: JSONEncoder().encode([PushType.default]), as: UTF8.self) == #"["default"]"#
        )
    }

    @Test func clientsAreCreatedFromAConfigurationOrAClosure() async throws {
        let configuration = PushConfiguration.build { config in
            config.enableCredentialCache = true
            config.timeoutMs = 2_500
            config.encryptionEnabled = true
            config.logger = LogManager.none
            config.policyEvaluator = MfaPolicyEvaluator.create { $0.policies = [] }
            config.notificationCleanupConfig = .countBased(maxNotifications: 20)
            config.storage = DictionaryStorage()
        }
        #expect(configuration.timeout == 2.5)
        configuration.logger.d("Nothing.")
        _ = try await PushClient.createClient(configuration: configuration)
        let stored: (PushConfiguration) -> Void = { config in
            config.storage = DictionaryStorage()
            config.logger = LogManager.warning
        }
        let client = try await PushClient.createClient(configure: stored)
        let other = try await PushClient.createClient { $0.storage = DictionaryStorage() }
        await client.close()
        await other.close()
    }

    @Test func handlersAreADictionaryAnArrayOrASubscript() async throws {
        let configuration = PushConfiguration()
        #expect(configuration.customPushHandlers.isEmpty)
        let handler = SuccessorHandler()
        configuration.customPushHandlers = ["custom": handler]
        configuration.customPushHandlers["other"] = handler
        configuration.customPushHandlers[PushPlatform.pingAM.rawValue] = handler
        #expect(configuration.customPushHandlers["custom"] as? SuccessorHandler === handler)
        #expect(configuration.customPushHandlers[.pingAM] as? SuccessorHandler === handler)
        #expect(configuration.customPushHandlers["PING_AM"] != nil)
        configuration.customPushHandlers["other"] = nil
        #expect(configuration.customPushHandlers.count == 2)
        let untyped: [String: Any] = ["custom": handler]
        configuration.customPushHandlers = PushHandlers(untyped)
        configuration.customPushHandlers = [handler]
        #expect(configuration.customPushHandlers.count == 1)
        configuration.customPushHandlers = [:]
        #expect(configuration.customPushHandlers.isEmpty)
        configuration.customPushHandlers = untyped
        #expect(configuration.customPushHandlers["custom"] as? SuccessorHandler === handler)
        let typed: [String: any PushHandler] = ["typed": handler]
        configuration.customPushHandlers = typed
        configuration.customPushHandlers.merge(untyped) { old, _ in old }
        let back: [String: Any] = configuration.customPushHandlers
        #expect(back.keys.sorted() == ["custom", "typed"])
        for (name, _) in configuration.customPushHandlers { #expect(back[name] != nil) }
        configuration.customPushHandlers.removeAll()
        #expect(configuration.customPushHandlers.isEmpty)
        configuration.customPushHandlers = ["custom": "no handler"]
        #expect(configuration.customPushHandlers["custom"] as? String == "no handler")
        #expect(configuration.customPushHandlers.count == 1 && !configuration.customPushHandlers.isEmpty)
        configuration.storage = DictionaryStorage()
        await #expect(throws: PushError.noHandlerForPlatform("custom")) {
            try await PushClient.createClient(configuration: configuration)
        }
    }

    @Test func cleanupConfigurationsHaveTheExpectedValues() {
        let modes: [NotificationCleanupConfig.CleanupMode] = [.none, .countBased, .ageBased, .hybrid]
        #expect(modes.map(\.rawValue) == ["NONE", "COUNT_BASED", "AGE_BASED", "HYBRID"])
        let standard = NotificationCleanupConfig.default()
        #expect(standard == NotificationCleanupConfig())
        #expect((standard.cleanupMode, standard.maxStoredNotifications) == (.countBased, 100))
        #expect(standard.maxNotificationAgeDays == 30)
        #expect(NotificationCleanupConfig.none().cleanupMode == .none)
        #expect(NotificationCleanupConfig.countBased().maxStoredNotifications == 100)
        #expect(NotificationCleanupConfig.ageBased(maxAgeDays: 7).maxNotificationAgeDays == 7)
        #expect(NotificationCleanupConfig.hybrid(maxNotifications: 5, maxAgeDays: 7).cleanupMode == .hybrid)
    }

    @Test func everyPushErrorContainsItsText() {
        let errors: [PushError] = [
            .notInitialized, .initializationFailed("a"), .initializationFailed("a", nil), .invalidUri("a"),
            .missingRequiredParameter("a"), .invalidParameterValue("a"), .uriFormatting("a"),
            .invalidPushType("a"), .invalidPlatform("a"), .storageFailure("a"), .deviceTokenNotSet,
            .noHandlerForPlatform("a"), .messageParsingFailed("a"), .credentialNotFound("a"),
            .credentialLocked("a"), .notificationNotFound("a"), .policyViolation("a"),
            .registrationFailed("a"), .networkFailure("a"), .pushNumberChallengeError("a"),
            .duplicateCredential(issuer: "a", accountName: "a"),
        ]
        for error in errors {
            switch error {
            case .notInitialized, .deviceTokenNotSet: continue
            case .initializationFailed(let text, _), .storageFailure(let text, _),
                .networkFailure(let text, _):
                #expect(text == "a")
            case .invalidUri(let text), .missingRequiredParameter(let text), .invalidParameterValue(let text),
                .uriFormatting(let text), .invalidPushType(let text), .invalidPlatform(let text),
                .noHandlerForPlatform(let text), .messageParsingFailed(let text),
                .credentialNotFound(let text),
                .credentialLocked(let text), .notificationNotFound(let text), .policyViolation(let text),
                .registrationFailed(let text), .pushNumberChallengeError(let text),
                .duplicateCredential(_, let text):
                #expect(error.errorDescription?.contains(text) == true)
            }
        }
        let stored: [PushStorageError] = [
            .storageFailure("a"), .duplicateCredential("a"), .duplicateNotification("a"),
        ]
        for error in stored {
            switch error {
            case .storageFailure(let text, _), .duplicateCredential(let text),
                .duplicateNotification(let text):
                #expect(error.localizedDescription.contains(text))
            }
        }
    }

    @Test func codesAreReadAndWritten() async throws {
        let credential = PushCredential(
            issuer: "Example",
            accountName: "babs",
            serverEndpoint: "https://am.example.com/push",
            sharedSecret: "c2VjcmV0LXNlY3JldA==",
            backgroundColor: "#ff0000"
        )
        let uri = try await PushUriParser.format(credential)
        #expect(try await credential.toUri() == uri)
        let parsed = try await PushUriParser.parse(uri)
        #expect(parsed.issuer == "Example")
        #expect(parsed.backgroundColor == "#ff0000")
        #expect(try await PushCredential.fromUri(uri).serverEndpoint == credential.serverEndpoint)
        let parameters: [String: String] = try await PushUriParser.registrationParameters(uri)
        #expect(parameters["messageId"] != nil)
    }

    // Both language modes run this test in one process, with the keychain of the process. So the credential
    // has a random id.
    @Test func theKeychainStorageStoresAndRemovesCredentials() async throws {
        let storage: any PushStorage = PushKeychainStorage()
        let client = try await PushClient.createClient { config in
            config.storage = PushKeychainStorage(logger: LogManager.none)
        }
        let credential = PushCredential.sample(UUID().uuidString)
        try await storage.storePushCredential(credential)
        #expect(try await client.getCredential(credential.id) == credential)
        #expect(try await client.deleteCredential(credential.id))
        #expect(try await storage.retrievePushCredential(credentialId: credential.id) == nil)
    }
}

/// The model of a screen that lists credentials and pending pushes, and locks and removes credentials, as in the SDK's
/// sample apps.
@MainActor
final class PushViewModel {
    private(set) var credentials: [PushCredential] = []
    private(set) var pending: [PushNotification] = []
    private(set) var errorMessage: String?
    private var client: PushClient?

    func start(_ storage: any PushStorage) async {
        do {
            client = try await PushClient.createClient { config in
                config.storage = storage
                config.logger = LogManager.none
                config.enableCredentialCache = false
            }
            try await reload()
        } catch {
            errorMessage = error.localizedDescription
        }
    }

    func reload() async throws {
        guard let client else { return }
        credentials = try await client.getCredentials().sorted { $0.createdAt > $1.createdAt }
        pending = try await client.getPendingNotifications().filter { !$0.isExpired }
    }

    func toggleLock(of credential: PushCredential) async throws {
        guard let client else { return }
        var changed = credential
        if changed.isLocked { changed.unlockCredential() } else { changed.lockCredential(policyName: "user") }
        _ = try await client.saveCredential(changed)
        try await reload()
    }

    func remove(_ credential: PushCredential) async throws -> Bool {
        guard let client else { return false }
        defer { credentials.removeAll { $0.id == credential.id } }
        return try await client.deleteCredential(credentialId: credential.id)
    }

    func stop() async {
        await client?.close()
        client = nil
    }
}

@Suite("Sample app")
@MainActor
struct SampleAppTests {
    @Test func aScreenCanListLockAndRemoveACredential() async throws {
        let storage = DictionaryStorage()
        try await storage.storePushCredential(.sample("a"))
        let model = PushViewModel()
        await model.start(storage)
        let credential = try #require(model.credentials.first)
        try await model.toggleLock(of: credential)
        #expect(model.credentials.map(\.isLocked) == [true])
        #expect(try await model.remove(credential))
        #expect((model.credentials, model.pending, model.errorMessage) == ([], [], nil))
        await model.stop()
    }
}
