import Foundation
import PingCommons
import PingLogger
import PingOath
import PingPush
import PushBridgePlatform
import PushBridgeStore
import PushBridgeTestSupport
import Testing

/// The differences from the successor SDK that the register lists and no other test covers.
@Suite("Register of divergences")
struct RegisterTests {
    private static let tests = URL(fileURLWithPath: #filePath).deletingLastPathComponent()

    @Test func everyEntryHasAUniqueIdAndATest() throws {
        let lines = try String(contentsOf: Guide.url, encoding: .utf8).components(separatedBy: "\n")
        let head = "| id | the successor SDK | here | why | tested by |"
        let start = try #require(lines.firstIndex(of: head))
        let frame = CharacterSet(charactersIn: "| `")
        let rows = lines[(start + 2)...].prefix { $0.hasPrefix("|") }.map { line in
            line.components(separatedBy: " | ").map { $0.trimmingCharacters(in: frame) }
        }
        #expect(rows.count > 20)
        #expect(Set(rows.map { $0[0] }).count == rows.count)
        let folders = ["SuccessorAPITests", "CredentialMigrationTests", "FRAuthenticatorTests"].map {
            Self.tests.deletingLastPathComponent().appendingPathComponent($0)
        }
        let sources = try folders.flatMap { folder in
            try FileManager.default.contentsOfDirectory(atPath: folder.path)
                .filter { $0.hasSuffix(".swift") }
                .map { try String(contentsOf: folder.appendingPathComponent($0), encoding: .utf8) }
        }.joined()
        for row in rows {
            #expect(row.count == 5, "\(row)")
            for test in row[4].components(separatedBy: "`, `") {
                #expect(sources.contains("func \(test)("), "\(row[0]): \(test)")
            }
        }
    }

    /// Each module exports exactly the names in its list in addition to its own declarations.
    ///
    /// Further exports could have the same names as types of apps.
    @Test(arguments: [
        (
            "PingPush",
            [
                "LogManager", "DeviceTokenState", "PushCredential", "PushDeviceToken", "PushEndpoints",
                "PushNotification", "PushPlatform", "PushRequest", "PushResponse", "PushResponseError",
                "PushServerSession", "PushType", "RemovalObstacle", "RemovalOutcome", "UnconfirmedRemoval",
                "PushTransport", "PushTransportError", "URLSessionTransport",
            ]
        ),
        ("PingOath", ["LogManager", "OathAlgorithm", "OathCredential", "OathType"]),
        (
            "PingCommons",
            [
                "KeychainStorage", "SQLiteStorage", "StoreStorage", "AccountProfile",
                "BiometricAvailablePolicy", "CredentialStore", "DeviceTamperingPolicy",
                "KeychainAccessibility", "StoreError", "InMemoryKeychain", "InMemorySealingKey", "KeyFile",
                "KeychainCredentialStore", "KeychainSealingKey", "MemoryCredentialStore",
                "SQLiteCredentialStore", "SQLiteStoreMode", "SealingKeyProvider", "StandardStore",
                "StoreMove", "StoreMoveProgress", "StoreMoveReceipt",
                "SystemKeychain",
            ]
        ),
    ])
    func oneImportBringsWhatAnAppNames(_ module: String, _ names: [String]) throws {
        let file = Self.tests.appendingPathComponent("../../Sources/\(module)/Exports.swift")
        let exported = try String(contentsOf: file, encoding: .utf8)
            .matches(of: #/@_exported public import \w+ \w+\.(\w+)/#).map { String($0.1) }
        #expect(exported == names)
    }

    @Test func aFailingHandlerThrowsANetworkFailure() async throws {
        let phone = try await EnrolledClient { $0.customPushHandlers = ["PING_AM": Failing()] }
        await #expect(throws: PushError.networkFailure("The handler could not deliver the device token.")) {
            try await phone.client.setDeviceToken("0a0b")
        }
        #expect(try await phone.client.getDeviceToken() == "0a0b")
    }

    /// The handler's name is stored with its pushes, so it must be the same at the next launch.
    @Test func aPrivateHandlerIsKnownByANameWithoutAnAddress() {
        let module = String(reflecting: Failing.self).prefix { $0 != "." }
        #expect(PushHandlers([Failing()])["\(module).Failing"] is Failing)
    }

    @Test(arguments: ["officeHours", "deviceTampering"])
    func aLockUnderAnotherPolicyStaysUntilTheAppEndsIt(_ policy: String) async throws {
        let client = try await OathClient.createClient { config in
            config.storage = CredentialStoreOathStorage(MemoryCredentialStore())
            config.policyEvaluator = MfaPolicyEvaluator.create {
                $0.policies = [
                    BiometricAvailablePolicy(isAvailable: { true }), DeviceTamperingPolicy(score: { 0 }),
                ]
            }
            config.logger = LogManager.none
        }
        let policies = Data(#"{"biometricAvailable":{}}"#.utf8).base64EncodedString()
        let uri = "otpauth://totp/A:b?secret=GEZDGNBVGY3TQOJQGEZDGNBVGY3TQOJQ&policies=\(policies)"
        var credential = try await client.addCredentialFromUri(uri)
        credential.lockCredential(policyName: policy)
        try await client.saveCredential(credential)
        #expect(try await client.getCredentials().map(\.lockingPolicy) == [policy])
        credential.isLocked = false
        credential.lockingPolicy = nil
        try await client.saveCredential(credential)
        #expect(try await client.getCredentials().map(\.isLocked) == [false])
    }

    /// Invalid parameters must not make an enforced policy succeed.
    @Test func aPolicyWithParametersThatAreNotJSONIsEvaluated() async {
        let evaluator = MfaPolicyEvaluator.create {
            $0.policies = [BiometricAvailablePolicy(isAvailable: { false })]
        }
        let results = [
            await evaluator.evaluate(policiesJson: ["biometricAvailable": Date()]),
            await evaluator.evaluate(policiesJson: ["biometricAvailable": ["at": Date()]]),
            await evaluator.evaluate(policiesJson: ["biometricAvailable": [Date()]]),
            await evaluator.evaluate(policiesJson: ["biometricAvailable": NSNull()]),
        ]
        #expect(results.map(\.nonCompliancePolicyName) == Array(repeating: "biometricAvailable", count: 4))
        #expect(await evaluator.evaluate(policiesJson: ["officeHours": Date()]).isSuccess)
    }

    @Test func aPolicyThatThrowsIsViolatedAndOneThatIsNotKnownDoesNotCount() async {
        struct Throwing: MfaPolicy {
            let name = "throwing"
            func evaluate(data: [String: Any]?) async throws -> Bool { throw OathError.cleanupFailed("x") }
        }
        let evaluator = MfaPolicyEvaluator.create { $0.policies = [Throwing()] }
        #expect(await evaluator.evaluate(credentialPolicies: #"{"throwing":{}}"#).isFailure)
        #expect(await evaluator.evaluate(credentialPolicies: #"{"unknown":{}}"#).isSuccess)
    }

    /// A policy can read its numbers as any type of number, and `null` as `NSNull`.
    @Test func aPolicyCanReadItsNumbersAsAnyType() async {
        struct Reader: MfaPolicy {
            let name = "reader"
            func evaluate(data: [String: Any]?) async throws -> Bool {
                guard let data else { return false }
                return data["one"] as? Double == 1 && data["one"] as? Int == 1
                    && data["half"] as? Double == 0.5 && data["flag"] as? Bool == true
                    && data["none"] is NSNull
                    && data["levels"] as? [String: Double] == ["low": 1, "high": 2.5]
            }
        }
        let evaluator = MfaPolicyEvaluator.create { $0.policies = [Reader()] }
        let policies =
            #"{"reader":{"one":1,"half":0.5,"flag":true,"none":null,"levels":{"low":1,"high":2.5}}}"#
        #expect(await evaluator.evaluate(credentialPolicies: policies).isSuccess)
    }

    @Test func savingNeverDecreasesACounter() async throws {
        let client = try await OathClient.createClient { config in
            config.storage = CredentialStoreOathStorage(MemoryCredentialStore())
            config.logger = LogManager.none
        }
        let uri = "otpauth://hotp/A:b?secret=GEZDGNBVGY3TQOJQGEZDGNBVGY3TQOJQ&counter=0"
        var credential = try await client.addCredentialFromUri(uri)
        #expect(try await client.generateCode(credential.id) == "755224")
        credential.counter = 0
        credential.displayIssuer = "Renamed"
        try await client.saveCredential(credential)
        let saved = try await client.getCredential(credential.id)
        #expect((saved?.displayIssuer, saved?.counter) == ("Renamed", 1))
        #expect(try await client.generateCode(credential.id) == "287082")
    }

    @Test func switchingOffEncryptionIsLogged() async throws {
        final class Log: Logger {
            let lines = Lock<[String]>([])
            func d(_ message: String) {}
            func i(_ message: String) {}
            func w(_ message: String, error: (any Error)?) { lines.withValue { $0.append(message) } }
            func e(_ message: String, error: (any Error)?) {}
        }
        let log = Log()
        _ = try await EnrolledClient {
            $0.logger = log
            $0.encryptionEnabled = false
        }
        #expect(log.lines.withValue { $0 }.contains { $0.contains("encryption was switched off") })
    }

    @Test(arguments: ["MD5", "SHA224", "SHA384"])
    func codesWithAdditionalAlgorithmsAreAccepted(_ name: String) async throws {
        let uri = "otpauth://totp/A:b?secret=JBSWY3DPEHPK3PXP&algorithm=\(name)"
        #expect(try await OathCredential.fromUri(uri).algorithm.uppercased() == name)
    }
}

/// A handler that handles no push; each of its methods returns `false` or an empty value.
private final class Failing: PushHandler {
    func canHandle(messageData: [String: Any]) -> Bool { false }
    func canHandle(message: String) -> Bool { false }
    func parseMessage(messageData: [String: Any]) throws -> [String: Any] { [:] }
    func parseMessage(message: String) throws -> [String: Any] { [:] }
    func sendApproval(
        credential: PushCredential,
        notification: PushNotification,
        params: [String: Any]
    ) async throws -> Bool { false }
    func sendDenial(
        credential: PushCredential,
        notification: PushNotification,
        params: [String: Any]
    ) async throws -> Bool { false }
    func setDeviceToken(
        credential: PushCredential,
        deviceToken: String,
        params: [String: Any]
    ) async throws -> Bool { false }
    func register(credential: PushCredential, params: [String: Any]) async throws -> Bool { true }
}
