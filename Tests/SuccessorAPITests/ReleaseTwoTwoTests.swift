import Foundation
import PingOath
import PingPush
import PingTamperDetector
import PushBridgeCore
import PushBridgePlatform
import PushBridgeStore
import PushBridgeTestSupport
import Testing

#if canImport(Security)
import Security
#endif

/// The behaviour of the successor SDK 2.2, measured by running the same source with the SDK and with PushBridge.
@Suite("Release 2.2")
struct ReleaseTwoTwoTests {
    private static let totp = "otpauth://totp/Example:babs?secret=JBSWY3DPEHPK3PXP"

    private func oathClient(
        _ storage: any OathStorage = CredentialStoreOathStorage(MemoryCredentialStore()),
        configure: (OathConfiguration) -> Void = { _ in }
    ) async throws -> OathClient {
        try await OathClient.createClient { config in
            config.storage = storage
            config.logger = LogManager.none
            configure(config)
        }
    }

    // MARK: Lists

    /// The arrival of a push removes only old pushes of the same credential.
    @Test func theCleanupOfOneCredentialRemovesNoPushesOfAnotherCredential() async throws {
        for storage in [DictionaryStorage(), CredentialStoreStorage(MemoryCredentialStore())]
            as [any PushStorage]
        {
            let phone = try await EnrolledClient(storage) {
                $0.notificationCleanupConfig = .countBased(maxNotifications: 2)
            }
            let other = PushNotification.sample("other", of: "another credential", minutesAgo: 60)
            try await phone.storage.storePushNotification(other)
            for number in 1...4 { _ = try await phone.receive(messageId: "m\(number)") }
            let all = try await phone.client.getAllNotifications()
            #expect(Set(all.map(\.messageId)) == ["m3", "m4", other.messageId])
        }
    }

    /// A list starts with the newest push, and an expired push is not pending.
    @Test func listsBeginWithTheNewest() async throws {
        let now = Date(timeIntervalSince1970: 1_700_000_000)
        let storage = CredentialStoreStorage(MemoryCredentialStore())
        let phone = try await EnrolledClient(storage) { $0.now = { now } }
        for (id, age) in [("old", 300), ("older", 30), ("new", 10)] {
            let sent = JSONValue.integer((1_700_000_000 - age) * 1000)
            _ = try await phone.receive(["i": sent, "t": "120"], messageId: id)
        }
        #expect(try await phone.client.getAllNotifications().map(\.messageId) == ["new", "older", "old"])
        #expect(try await phone.client.getPendingNotifications().map(\.messageId) == ["new", "older"])
    }

    // MARK: Errors

    /// The storage throws `accessDenied` if access to the keychain was denied, or if an entitlement is missing
    /// (-34018).
    ///
    /// Apps treat `accessDenied` as a request to unlock the device.
    @Test(arguments: [-25_291, -25_293, -128, -25_308, -34_018] as [Int32])
    func aKeychainThatIsClosedDeniesAccess(_ status: Int32) async throws {
        let storage = OathKeychainStorage(keychain: RefusingKeychain(status: status))
        let error = await #expect(throws: OathStorageError.self) { try await storage.getAllOathCredentials() }
        guard case .accessDenied(let reason)? = error else {
            Issue.record("The error is \(String(describing: error)) instead of accessDenied.")
            return
        }
        #expect(reason.contains("(\(status))"))
    }

    /// The storage throws `storageFailure` for a status that does not mean that access was denied.
    @Test func aKeychainThatFailsOtherwiseIsAFailureOfTheStorage() async throws {
        let storage = OathKeychainStorage(keychain: RefusingKeychain(status: -50))
        let error = await #expect(throws: OathStorageError.self) { try await storage.getAllOathCredentials() }
        guard case .storageFailure? = error else {
            Issue.record("The error is \(String(describing: error)) instead of storageFailure.")
            return
        }
    }

    /// If a storage throws an error for which the API has no case, the client throws `storageFailure` with this error
    /// as its cause.
    @Test func unknownErrorsOfAStorageAreWrapped() async throws {
        let storage = DictionaryStorage()
        let phone = try await EnrolledClient(storage)
        await storage.fail(with: CocoaError(.fileReadNoSuchFile))
        let error = await #expect(throws: PushError.self) { try await phone.client.getAllNotifications() }
        guard case .storageFailure(_, let cause)? = error else {
            Issue.record("The error is \(String(describing: error)) instead of storageFailure.")
            return
        }
        #expect(cause is CocoaError)
    }

    /// A push code that lacks one of the parameters `s`, `c` and `m` is rejected.
    @Test(arguments: ["s", "c", "m"])
    func aPushCodeWithoutARequiredParameterIsRejected(_ name: String) async throws {
        let phone = try await EnrolledClient()
        let uri = try Sample.uri().replacing(try Regex("[?&]\(name)=[^&]*"), with: "&x=y")
        let error = await #expect(throws: PushError.self) { try await phone.client.addCredentialFromUri(uri) }
        guard case .invalidUri? = error else {
            Issue.record("The error is \(String(describing: error)) instead of invalidUri.")
            return
        }
    }

    @Test func theErrorForAViolatedPolicyContainsTheCredentialId() async throws {
        let client = try await oathClient {
            $0.policyEvaluator = MfaPolicyEvaluator(policies: [DeviceTamperingPolicy { 1 }])
        }
        let error = await #expect(throws: OathError.self) {
            try await client.addCredentialFromUri(Self.totp + "&policies=eyJkZXZpY2VUYW1wZXJpbmciOnt9fQ")
        }
        guard case .policyViolation("deviceTampering", let id)? = error else {
            Issue.record("The error is \(String(describing: error)) instead of policyViolation.")
            return
        }
        #expect(UUID(uuidString: id) != nil)
    }

    // MARK: Saving

    @Test func aSavedCredentialWhosePolicyFailsIsLocked() async throws {
        let evaluator = MfaPolicyEvaluator(policies: [DeviceTamperingPolicy { 1 }])
        let phone = try await EnrolledClient { $0.policyEvaluator = evaluator }
        var credential = phone.credential
        credential.policies = #"{"deviceTampering":{}}"#
        let saved = try await phone.client.saveCredential(credential)
        #expect((saved.isLocked, saved.lockingPolicy) == (true, "deviceTampering"))
        let stored = try await phone.storage.retrievePushCredential(credentialId: credential.id)
        #expect(stored?.isLocked == true)
        let client = try await oathClient { $0.policyEvaluator = evaluator }
        var code = try await client.addCredentialFromUri(Self.totp)
        code.policies = credential.policies
        #expect(try await client.saveCredential(code).isLocked)
    }

    @Test func anOathCredentialIsCheckedWhenItIsSaved() async throws {
        func credential(
            _ digits: Int = 6,
            _ period: Int = 30,
            _ secret: String = "JBSWY3DP",
            issuer: String = "A"
        )
            -> OathCredential
        {
            OathCredential(
                issuer: issuer,
                accountName: "b",
                oathType: .totp,
                digits: digits,
                period: period,
                secretKey: secret
            )
        }
        let client = try await oathClient()
        for wrong in [
            credential(3), credential(9), credential(6, 0), credential(6, 301), credential(issuer: ""),
        ] {
            let error = await #expect(throws: OathError.self) { try await client.saveCredential(wrong) }
            guard case .invalidParameterValue? = error else {
                Issue.record("The error is \(String(describing: error)) instead of invalidParameterValue.")
                return
            }
        }
        await #expect(throws: OathError.invalidSecret("The credential has no secret.")) {
            try await client.saveCredential(credential(6, 30, ""))
        }
        #expect(try await client.getCredentials() == [])
        try await client.saveCredential(credential(4, 300))
    }

    /// A migrated credential can be renamed even if it has values that would be rejected in a new credential.
    @Test func aStoredCredentialWithAnInvalidValueCanBeSaved() async throws {
        let storage = CredentialStoreOathStorage(MemoryCredentialStore())
        var odd = OathCredential(
            issuer: "",
            accountName: "b",
            oathType: .totp,
            digits: 9,
            period: 600,
            secretKey: "JBSWY3DP"
        )
        try await storage.storeOathCredential(odd)
        odd.displayAccountName = "Renamed"
        #expect(try await oathClient(storage).saveCredential(odd).displayAccountName == "Renamed")
    }

    /// A credential that is saved without its secret, as by the React Native bridge, keeps the stored secret.
    @Test func aCredentialWithoutASecretKeepsTheStoredOne() async throws {
        let phone = try await EnrolledClient()
        let known = phone.credential
        let bare = PushCredential(
            id: known.id,
            issuer: known.issuer,
            displayIssuer: "Renamed",
            accountName: known.accountName,
            serverEndpoint: known.serverEndpoint,
            sharedSecret: ""
        )
        #expect(try await phone.client.saveCredential(bare).sharedSecret == known.sharedSecret)
        let stored = try await phone.storage.retrievePushCredential(credentialId: known.id)
        #expect(stored?.sharedSecret == known.sharedSecret)
        #expect(stored?.displayIssuer == "Renamed")
        let client = try await oathClient()
        let code = try await client.addCredentialFromUri(Self.totp)
        let json = try JSONEncoder().encode(code)
        try await client.saveCredential(JSONDecoder().decode(OathCredential.self, from: json))
        #expect(try await client.getCredential(code.id) == code)
    }

    /// Storing a one-time-password credential does not change a push credential of the same account.
    @Test func storingAOneTimePasswordDoesNotChangeAPushCredential() async throws {
        let keychain = InMemoryKeychain()
        for store in [MemoryCredentialStore(), KeychainCredentialStore(keychain: keychain)]
            as [any CredentialStore]
        {
            let pushes = CredentialStoreStorage(store)
            let codes = CredentialStoreOathStorage(store)
            var push = PushCredential.sample("a")
            push.backgroundColor = "#032b75"
            push.policies = #"{"deviceTampering":{"score":0.8}}"#
            push.isLocked = true
            push.lockingPolicy = "deviceTampering"
            try await pushes.storePushCredential(push)
            let code = OathCredential(
                issuer: push.issuer,
                accountName: push.accountName,
                oathType: .totp,
                backgroundColor: "032b75",
                secretKey: "JBSWY3DP"
            )
            try await codes.storeOathCredential(code)
            #expect(try await pushes.retrievePushCredential(credentialId: "a") == push)
            #expect(try await pushes.getAllPushCredentials() == [push])
            let stored = try await codes.retrieveOathCredential(credentialId: code.id)
            #expect(stored?.backgroundColor == "032b75")
        }
    }

    /// A number that JSON cannot represent stays in memory, and saving does not fail.
    @Test func aNumberThatJSONCannotRepresentDoesNotPreventSaving() async throws {
        let folder = try TemporaryFolder()
        let file = try SQLiteCredentialStore(path: folder.path("a"), key: InMemorySealingKey(), mode: .create)
        for store in [
            MemoryCredentialStore(), KeychainCredentialStore(keychain: InMemoryKeychain()), file,
        ] as [any CredentialStore] {
            let storage = CredentialStoreStorage(store)
            var credential = PushCredential.sample("a")
            credential.additionalData = ["ratio": Double.nan, "team": "red"]
            #expect((credential.additionalData?["ratio"] as? Double)?.isNaN == true)
            try await storage.storePushCredential(credential)
            let stored = try #require(try await storage.retrievePushCredential(credentialId: "a"))
            #expect(stored.additionalData?["team"] as? String == "red")
        }
    }

    /// Additional data can have values of any type in memory; only the values that JSON can represent are stored.
    @Test func additionalDataHasAnyValueInMemory() async throws {
        final class Picture {}
        let picture = Picture()
        let storage = CredentialStoreStorage(MemoryCredentialStore())
        var credential = PushCredential.sample("a")
        credential.additionalData = ["picture": picture, "team": "red"]
        let copy = credential
        #expect(copy.additionalData?["picture"] as? Picture === picture)
        try await storage.storePushCredential(credential)
        let data = try JSONEncoder().encode(credential)
        let decoded = try JSONDecoder().decode(PushCredential.self, from: data)
        #expect(decoded.additionalData?.keys.sorted() == ["team"])
        #expect(decoded == credential)
        #expect(try await storage.retrievePushCredential(credentialId: "a") == credential)
    }

    @Test(arguments: [false, true])
    func listsOfAnOwnStorageKeepItsOrder(_ isNewestFirst: Bool) async throws {
        let storage = DictionaryStorage(isNewestFirst: isNewestFirst)
        for (minutes, id) in ["b", "a", "c"].enumerated() {
            try await storage.storePushCredential(.sample(id))
            try await storage.storePushNotification(
                PushNotification(
                    id: id,
                    credentialId: "a",
                    ttl: 1_000_000_000,
                    messageId: id,
                    pushType: .default,
                    createdAt: Date(timeIntervalSince1970: 1_700_000_000 + 60 * TimeInterval(minutes))
                )
            )
        }
        let client = try await PushClient.createClient { $0.storage = storage }
        let expected = isNewestFirst ? ["c", "a", "b"] : ["b", "a", "c"]
        let credentials = try await client.getCredentials().map(\.id)
        #expect(credentials == (isNewestFirst ? ["c", "b", "a"] : ["a", "b", "c"]))
        #expect(try await client.getAllNotifications().map(\.messageId) == expected)
        #expect(try await client.getPendingNotifications().map(\.messageId) == expected)
    }

    /// The client reads a message id beside `aps`, and stores claims that have no property of their own in
    /// `additionalData`.
    @Test func aMessageIdBesideApsIsReadAndFurtherClaimsAreKept() async throws {
        let enrolled = try await EnrolledClient()
        let token = Sample.token(of: enrolled.credential, ["branch": "north", "floor": 3])
        let payload: [String: Any] = ["messageId": "beside", "aps": ["data": token]]
        let push = try #require(try await enrolled.client.processNotification(userInfo: payload))
        #expect(push.messageId == "beside")
        #expect(push.additionalData?["branch"] as? String == "north")
        #expect(push.additionalData?["floor"] as? Int == 3)
        #expect(push.additionalData?.count == 2)
        let plain = try await enrolled.client.processNotification(
            userInfo: Sample.payload(of: enrolled.credential, messageId: "plain")
        )
        #expect(plain?.additionalData == nil)
    }

    /// A push whose token lacks the challenge or the credential's id is ignored, like a push from another sender.
    @Test(arguments: ["c", "u"])
    func aTokenWithoutAChallengeOrACredentialIsForeign(_ claim: String) async throws {
        let enrolled = try await EnrolledClient()
        let payload = Sample.payload(of: enrolled.credential, [claim: .null])
        #expect(try await enrolled.client.processNotification(userInfo: payload) == nil)
        #expect(try await enrolled.client.getAllNotifications().isEmpty)
    }

    /// Saving an unlocked push credential without policies does not unlock the one-time-password credential of the
    /// account.
    @Test func savingAnUnlockedPushCredentialDoesNotUnlockAOneTimePassword() async throws {
        let policies = #"{"deviceTampering":{"score":0.8}}"#
        for store in [MemoryCredentialStore(), KeychainCredentialStore(keychain: InMemoryKeychain())]
            as [any CredentialStore]
        {
            let pushes = CredentialStoreStorage(store)
            let codes = CredentialStoreOathStorage(store)
            var push = PushCredential.sample("a")
            push.policies = policies
            push.lockCredential(policyName: "deviceTampering")
            try await pushes.storePushCredential(push)
            var code = OathCredential(
                issuer: push.issuer,
                accountName: push.accountName,
                oathType: .totp,
                secretKey: "JBSWY3DP"
            )
            code.policies = policies
            code.lockCredential(policyName: "deviceTampering")
            try await codes.storeOathCredential(code)
            let client = try await PushClient.createClient { $0.storage = pushes }
            var opened = push
            opened.unlockCredential()
            opened.policies = nil
            opened.displayIssuer = "Renamed"
            #expect(try await client.saveCredential(opened).isLocked == false)
            let stored = try #require(try await client.getCredential(push.id))
            #expect(!stored.isLocked && stored.policies == nil && stored.displayIssuer == "Renamed")
            #expect(try await client.getCredentials() == [stored])
            var other = try #require(try await codes.retrieveOathCredential(credentialId: code.id))
            #expect(other.isLocked && other.lockingPolicy == "deviceTampering" && other.policies == policies)
            #expect(other.displayIssuer == "Renamed")
            // Renaming the one-time-password credential does not change the lock of either credential.
            other.displayIssuer = "Renamed again"
            try await codes.storeOathCredential(other)
            #expect(try await codes.retrieveOathCredential(credentialId: code.id) == other)
            let renamed = try #require(try await pushes.retrievePushCredential(credentialId: push.id))
            #expect(!renamed.isLocked && renamed.displayIssuer == "Renamed again")
            // Unlocking the one-time-password credential does not change the push credential.
            other.unlockCredential()
            other.policies = nil
            try await codes.storeOathCredential(other)
            #expect(try await codes.retrieveOathCredential(credentialId: code.id) == other)
            let last = try #require(try await pushes.retrievePushCredential(credentialId: push.id))
            #expect(!last.isLocked && last.policies == nil && last.displayIssuer == "Renamed again")
        }
    }

    /// Saving an unlocked one-time-password credential does not unlock the push credential of the same account.
    @Test func savingAnUnlockedOneTimePasswordDoesNotUnlockAPushCredential() async throws {
        let policies = #"{"deviceTampering":{"score":0.8}}"#
        let folder = try TemporaryFolder()
        let file = try SQLiteCredentialStore(path: folder.path("a"), key: InMemorySealingKey(), mode: .create)
        for store in [
            MemoryCredentialStore(), KeychainCredentialStore(keychain: InMemoryKeychain()), file,
        ] as [any CredentialStore] {
            let pushes = CredentialStoreStorage(store)
            let codes = CredentialStoreOathStorage(store)
            var push = PushCredential.sample("a")
            push.policies = policies
            push.lockCredential(policyName: "deviceTampering")
            try await pushes.storePushCredential(push)
            let client = try await OathClient.createClient { $0.storage = codes }
            var code = OathCredential(
                issuer: push.issuer,
                accountName: push.accountName,
                oathType: .totp,
                secretKey: "JBSWY3DP"
            )
            code.policies = policies
            code.lockCredential(policyName: "deviceTampering")
            try await codes.storeOathCredential(code)
            code.unlockCredential()
            code.policies = nil
            #expect(try await client.saveCredential(code).isLocked == false)
            let other = try #require(try await pushes.retrievePushCredential(credentialId: push.id))
            #expect(other.isLocked && other.lockingPolicy == "deviceTampering" && other.policies == policies)
        }
    }

    /// The JSON of a credential contains no secret, because the SDK's sample app copies this JSON to the pasteboard.
    @Test func theJSONOfACodeHasNoSecretInAnySpelling() async throws {
        let mechanism = LegacyMechanism(
            mechanismUUID: "a",
            account: AccountKey(issuer: "A", accountName: "b"),
            secret: try #require(SharedSecret(utf8: "mfrg gzdf mztw q2lk")),
            timeAdded: Date(timeIntervalSince1970: 1_700_000_000),
            factor: .totp(LegacyOathParameters(algorithm: "sha1", digits: 6), period: 30)
        )
        let credential = try OathCredential(mechanism: mechanism, account: nil)
        let json = String(decoding: try JSONEncoder().encode(credential), as: UTF8.self)
        #expect(!json.lowercased().contains("mfrg"))
        let stored = try JSONEncoder().encode(OathCredential.WithSecret(credential))
        #expect(String(decoding: stored, as: UTF8.self).contains("mfrg gzdf mztw q2lk"))
    }

    /// PushBridge keeps the accessibility class of an existing item when it writes the item again.
    ///
    /// The SDK writes every item with the class of the SDK's storage.
    @Test func anItemThatIsThereKeepsItsClass() async throws {
        let keychain = InMemoryKeychain()
        let travelling = KeychainCredentialStore(keychain: keychain, accessibility: .afterFirstUnlock)
        try await CredentialStoreStorage(travelling).storePushCredential(.sample("a"))
        let name = StandardStore.KeychainItem.Name(service: "com.pingidentity.push.credentials", account: "a")
        #expect(try keychain.accessibility(of: name) == .afterFirstUnlock)
        var credential = PushCredential.sample("a")
        credential.displayIssuer = "Renamed"
        try await PushKeychainStorage(keychain: keychain).storePushCredential(credential)
        #expect(try keychain.accessibility(of: name) == .afterFirstUnlock)
    }

    @Test func aClosedClientMakesNoCodes() async throws {
        let client = try await oathClient()
        let code = try await client.addCredentialFromUri(Self.totp)
        try await client.close()
        await #expect(throws: OathError.initializationFailed("The client is closed.")) {
            try await client.generateCode(code.id)
        }
    }

    // MARK: Codes

    /// A written code contains the user's id in `d` and the profile's id in `pid`, both in standard Base64, as the SDK
    /// reads them.
    @Test func writtenCodesContainTheIdsInTheFormOfTheSDK() async throws {
        var credential = PushCredential.sample("a")
        credential.userId = "id=démo?>,ou=user"
        credential.deviceResourceId = "profile~~~???"
        let uri = try await credential.toUri()
        let items = try #require(URLComponents(string: uri)?.queryItems)
        func text(_ name: String) -> String? {
            items.first { $0.name == name }?.value.flatMap { Data(base64Encoded: $0) }
                .map { String(decoding: $0, as: UTF8.self) }
        }
        #expect(text("d") == credential.userId)
        #expect(text("pid") == "profile~~~???")
        #expect(items.contains { $0.name == "uid" })
        #expect(try await PushCredential.fromUri(uri).userId == credential.userId)
        let theirs = uri.replacing(try Regex("&uid=[^&]*"), with: "")
        #expect(try await PushCredential.fromUri(theirs).userId == credential.userId)
    }

    /// An issuer that is valid base64 is read as plain text if the label contains the same text.
    @Test(arguments: ["ee", "a b", "Acme", "bank"])
    func anIssuerThatTheLabelRepeatsIsReadAsPlainText(_ issuer: String) async throws {
        let plain = try #require(issuer.addingPercentEncoding(withAllowedCharacters: .alphanumerics))
        let known = try Sample.uri().replacing(try Regex("&issuer=[^&]*"), with: "")
        let uri = known.replacing(try Regex("push/[^?]*"), with: "push/\(plain):bob") + "&issuer=\(plain)"
        #expect(try await PushCredential.fromUri(uri).issuer == issuer)
    }

    // MARK: Values

    /// Configurations, platforms and pushes have the SDK's values, and each log level has the SDK's logger.
    @Test func valuesAndLoggersMatchTheSDK() throws {
        #expect(OathConfiguration().timeoutMs == 15)
        #expect(try PushPlatform.fromString("ping-am") == .pingAM)
        var push = PushNotification.sample("1")
        push.approved = true
        #expect(!push.responded)
        push.pending = false
        #expect(push.responded)
        for (level, type) in [
            ("error", "WarningLogger"), ("WARN", "WarningLogger"), ("Info", "StandardLogger"),
            ("DEBUG", "StandardLogger"), ("verbose", "NoneLogger"), ("", "NoneLogger"),
        ] {
            #expect("\(Swift.type(of: LogManager.logger(forLevel: level)))" == type)
        }
    }

    /// The policy's own threshold applies if the server sends no threshold.
    @Test(arguments: [(0.79, true), (0.8, false)])
    func theDefaultTamperingThresholdIsFourFifths(_ score: Double, _ complies: Bool) async throws {
        #expect(DeviceTamperingPolicy().standardThreshold == 0.8)
        let policy = DeviceTamperingPolicy(standardThreshold: 0.8) { score }
        #expect(try await policy.evaluate(data: nil) == complies)
    }

    /// Call sites as in the vendor's React Native bridges, and call sites of the interface of 2.2.
    @Test func callSitesOfTheBridgesCompile() async throws {
        let phone = try await EnrolledClient()
        let remove: (String) async throws -> Bool = phone.client.deleteCredential
        let find: (String) async throws -> PushCredential? = phone.client.getCredential
        #expect(try await find(phone.credential.id) != nil)
        #expect(try await remove(phone.credential.id))
        let codes = OathKeychainStorage(
            service: "own",
            logger: LogManager.none,
            securityOptions: .shared(accessGroup: "group")
        )
        _ = OathKeychainStorage(service: "own", logger: nil, accessGroup: "group")
        _ = OathKeychainStorage()
        #expect(try await codes.getCredentialByIssuerAndAccount(issuer: "A", accountName: "b") == nil)
        _ = PushKeychainStorage(
            credentialService: "a",
            notificationService: "b",
            tokenService: "c",
            logger: LogManager.none,
            accessGroup: nil
        )
        let options = OathKeychainSecurityOptions.biometric
        #expect(options.requireBiometrics && options.requireDevicePasscode)
        #expect(!OathKeychainSecurityOptions.biometricOnly.requireDevicePasscode)
        var handlers = PushConfiguration().customPushHandlers
        handlers.merge(["PING_AM": "no handler"]) { _, new in new }
        #expect(handlers.count == 1)
        let step = MigrationStep(id: "a", description: "A step")
        #expect(step == MigrationStep(id: "a", description: "Another name"))
        let values: [MigrationProgress] = [
            .started, .inProgress(step: step, current: 1, total: 1), .stepCompleted(step: step),
            .success(message: "Done"), .error(step: step, underlyingError: CocoaError(.fileNoSuchFile)),
        ]
        for progress in values {
            switch progress {
            case .started, .inProgress, .stepCompleted, .success, .error: continue
            }
        }
    }
}

/// A keychain that throws the same status from every call.
private struct RefusingKeychain: StandardStore.Keychain {
    let status: Int32

    private var refusal: StandardStore.KeychainError { StandardStore.KeychainError(status: status) }

    func add(_ item: StandardStore.KeychainItem) throws(StandardStore.KeychainError) { throw refusal }

    func update(_ name: StandardStore.KeychainItem.Name, data: Data) throws(StandardStore.KeychainError) {
        throw refusal
    }

    func data(_ name: StandardStore.KeychainItem.Name) throws(StandardStore.KeychainError) -> Data? {
        throw refusal
    }

    func accounts(service: String, accessGroup: String?) throws(StandardStore.KeychainError) -> [String] {
        throw refusal
    }

    func remove(_ name: StandardStore.KeychainItem.Name) throws(StandardStore.KeychainError) -> Bool {
        throw refusal
    }
}
