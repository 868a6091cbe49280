import FRCore
import Foundation
import PushBridgeCore
import PushBridgePlatform
import PushBridgeTestSupport
import Testing

@testable import FRAuthenticator

/// Behaviour of the legacy SDK on which call sites rely.
///
/// Each test checks one fact.
@Suite("Behaviour equal to the legacy SDK's")
struct SDKBehaviourTests {
    private static let totp = "otpauth://totp/Example:babs?secret=JBSWY3DPEHPK3PXP&issuer=Example"
    private static let attached = #"{"switch":{}}"#

    private func failure(_ uri: String, _ fixture: ClientFixture) async throws -> Int? {
        let url = try #require(URL(string: uri))
        return await outcome { _, fail in
            fixture.client.createMechanismFromUri(uri: url, onSuccess: { _ in }, onError: fail)
        }.code
    }

    private func code(_ body: () throws -> Void) -> Int? {
        do {
            try body()
            return nil
        } catch {
            return (error as NSError).code
        }
    }

    /// Returns a push that was decoded from JSON.
    ///
    /// The push uses the client of the process.
    private func decoded(_ push: FRAuthenticator.PushNotification) throws
        -> FRAuthenticator.PushNotification
    {
        let json = Data(try #require(push.toJson()).utf8)
        return try JSONDecoder().decode(FRAuthenticator.PushNotification.self, from: json)
    }

    private func decoded<Object: Mechanism>(_ mechanism: Object) throws -> Object {
        try JSONDecoder().decode(Object.self, from: Data(try #require(mechanism.toJson()).utf8))
    }

    // MARK: Objects

    @Test(.processState, arguments: StoreKind.allCases, [true, false])
    func aPushThatIsNotStoredIsAnsweredAndThenStored(_ kind: StoreKind, _ accepts: Bool) async throws {
        let fixture = try ClientFixture(kind)
        FRAClient.shared = fixture.client
        defer { FRAClient.reset() }
        let original = try #require(try fixture.deliver(to: await fixture.enrol()))
        let push = try decoded(original)
        #expect(fixture.client.removeNotification(notification: original))
        fixture.server.willAnswer { _ in .refusal }
        let refused = await outcome { push.accept(onSuccess: $0, onError: $1) }
        #expect(refused.code == 5_000_010)
        #expect(push.isPending)
        #expect(fixture.client.getAllNotifications() == [])
        fixture.server.willAnswer { _ in .ok }
        let report = await outcome {
            accepts ? push.accept(onSuccess: $0, onError: $1) : push.deny(onSuccess: $0, onError: $1)
        }
        #expect(report.error == nil)
        #expect(push.isApproved == accepts && push.isDenied != accepts)
        #expect(fixture.client.getAllNotifications().map { $0.toJson() } == [push.toJson()])
    }

    @Test(.processState, arguments: StoreKind.allCases)
    func aPushWhoseMechanismIsNotStoredIsNotAnswered(_ kind: StoreKind) async throws {
        let fixture = try ClientFixture(kind)
        FRAClient.shared = fixture.client
        defer { FRAClient.reset() }
        let mechanism = try await fixture.enrol()
        let push = try decoded(try #require(try fixture.deliver(to: mechanism)))
        #expect(fixture.client.removeMechanism(mechanism: mechanism))
        #expect(await outcome { push.accept(onSuccess: $0, onError: $1) }.code == 1_100_002)
        #expect(fixture.client.getAllNotifications() == [])
        #expect(fixture.server.requests.map(\.action) == [.register])
    }

    @Test(.processState, arguments: StoreKind.allCases)
    func mechanismsThatAreNotStoredMakeCodes(_ kind: StoreKind) async throws {
        let fixture = try ClientFixture(kind)
        FRAClient.shared = fixture.client
        defer { FRAClient.reset() }
        // RFC 4226, appendix D.
        let uri = "otpauth://hotp/Example:babs?secret=GEZDGNBVGY3TQOJQGEZDGNBVGY3TQOJQ&counter=0"
        let hotp = try #require(try await fixture.create(uri) as? HOTPMechanism)
        let totp = try #require(try await fixture.create(Self.totp) as? TOTPMechanism)
        let account = try #require(fixture.client.getAccount(mechanism: hotp))
        let (counting, timed) = (try decoded(hotp), try decoded(totp))
        #expect(fixture.client.removeAccount(account: account))
        #expect(try timed.generateCode().code.count == 6)
        #expect(try counting.generateCode().code == "755224")
        #expect(try counting.generateCode().code == "287082")
        #expect(counting.counter == 2)
        let stored =
            fixture.storage == nil
            ? fixture.client.getAllAccounts().flatMap(\.mechanisms).first
            : fixture.storage?.getMechanismForUUID(uuid: hotp.mechanismUUID)
        #expect((stored as? HOTPMechanism)?.counter == 2)
    }

    @Test(.processState, arguments: StoreKind.allCases)
    func removingAMechanismThatIsNotStoredRemovesItsNotifications(_ kind: StoreKind) async throws {
        let fixture = try ClientFixture(kind)
        FRAClient.shared = fixture.client
        defer { FRAClient.reset() }
        let mechanism = try await fixture.enrol()
        let push = try decoded(try #require(try fixture.deliver(to: mechanism)))
        #expect(fixture.client.removeMechanism(mechanism: mechanism))
        // An app's own storage may contain pushes of a removed mechanism, for example if an answer ends after the
        // removal.
        guard let storage = fixture.storage else {
            return #expect(fixture.client.getAllNotifications() == [])
        }
        storage.setNotification(notification: push)
        #expect(!storage.getAllNotifications().isEmpty)
        #expect(!fixture.client.removeMechanism(mechanism: mechanism))
        #expect(storage.getAllNotifications().isEmpty)
    }

    @Test func notificationsAreRemovedEvenIfTheStorageKeepsTheMechanism() async throws {
        let storage = CountingStorage()
        let fixture = try ClientFixture(storage: storage)
        let mechanism = try await fixture.enrol()
        _ = try fixture.deliver(to: mechanism)
        // The first change of the removal removes the notification, and the second change removes the
        // mechanism.
        storage.refuse([2])
        #expect(!fixture.client.removeMechanism(mechanism: mechanism))
        #expect(storage.getAllNotifications().isEmpty)
        #expect(storage.getMechanismForUUID(uuid: mechanism.mechanismUUID) != nil)
    }

    @Test func secretsAreReturnedAsTheyWereScanned() async throws {
        let fixture = try ClientFixture()
        for (secret, uri) in [
            ("jbswy3dp ehpk3pxp", "otpauth://totp/A:one?secret=jbswy3dp%20ehpk3pxp"),
            ("JBSWY3DPEHPK3PXPJQ======", "otpauth://totp/A:two?secret=JBSWY3DPEHPK3PXPJQ%3D%3D%3D%3D%3D%3D"),
            ("jbswy3dp", "otpauth://hotp/A:three?secret=jbswy3dp"),
        ] {
            let mechanism = try await fixture.create(uri)
            let json = try #require(mechanism.toJson().flatMap { JSONValue(json: Data($0.utf8)) })
            #expect(json["secret"] == .string(secret), "\(uri)")
            let stored = fixture.client.getAllAccounts().flatMap(\.mechanisms).compactMap { $0.toJson() }
            #expect(stored.contains { $0.contains(#""secret":"\#(secret)""#) }, "\(uri)")
        }
    }

    @Test(.processState) func twoObjectsOfAMechanismMakeNoCodeTwice() async throws {
        let fixture = try ClientFixture(.storageClient)
        FRAClient.shared = fixture.client
        defer { FRAClient.reset() }
        let uri = "otpauth://hotp/Example:babs?secret=GEZDGNBVGY3TQOJQGEZDGNBVGY3TQOJQ&counter=0"
        let one = try #require(try await fixture.create(uri) as? HOTPMechanism)
        let other = try decoded(one)
        #expect(try one.generateCode().code == "755224")
        #expect(try other.generateCode().code == "287082")
    }

    @Test(arguments: StoreKind.allCases)
    func aMechanismThatIsNotStoredMakesNoCodeForALockedAccount(_ kind: StoreKind) async throws {
        let fixture = try ClientFixture(kind)
        try await fixture.enrol(policies: Self.attached)
        let totp = try #require(try await fixture.create(Self.totp) as? TOTPMechanism)
        let hotp = try #require(
            try await fixture.create("otpauth://hotp/Example:babs?secret=JBSWY3DPEHPK3PXP") as? HOTPMechanism
        )
        #expect(fixture.client.removeMechanism(mechanism: totp))
        #expect(fixture.client.removeMechanism(mechanism: hotp))
        let account = try #require(fixture.client.getAllAccounts().first)
        try fixture.client.lockAccount(account: account, policy: SwitchPolicy(fixture.complies))
        #expect(code { _ = try totp.generateCode() } == 6_100_000)
        #expect(code { _ = try hotp.generateCode() } == 6_100_000)
        #expect(hotp.counter == 0)
    }

    /// A removed mechanism makes no one-time password, and is not stored again.
    ///
    /// An app's own storage is excluded, because the client does not check whether the storage still has the mechanism.
    @Test(arguments: StoreKind.allCases.filter { $0 != .storageClient })
    func aCodeOfARemovedMechanismDoesNotStoreItAgain(_ kind: StoreKind) async throws {
        let fixture = try ClientFixture(kind)
        _ = try await fixture.create(Self.totp)
        let uri = "otpauth://hotp/Example:babs?secret=JBSWY3DPEHPK3PXP"
        let hotp = try #require(try await fixture.create(uri) as? HOTPMechanism)
        #expect(fixture.client.removeMechanism(mechanism: hotp))
        #expect(throws: MechanismError.self) { try hotp.generateCode() }
        #expect(hotp.counter == 0)
        let account = try #require(fixture.client.getAllAccounts().first)
        #expect(account.mechanisms.map(\.type) == ["totp"])
    }

    @Test(arguments: StoreKind.allCases)
    func aLockedAccountIsNotUpdated(_ kind: StoreKind) async throws {
        let fixture = try ClientFixture(kind)
        try await fixture.enrol(policies: Self.attached)
        let account = try #require(fixture.client.getAllAccounts().first)
        try fixture.client.lockAccount(account: account, policy: SwitchPolicy(fixture.complies))
        account.displayIssuer = "Renamed"
        #expect(code { try fixture.client.updateAccount(account: account) } == 6_100_000)
        try fixture.client.unlockAccount(account: account)
        #expect(try fixture.client.updateAccount(account: account))
        #expect(fixture.client.getAllAccounts().map(\.displayIssuer) == ["Renamed"])
    }

    @Test func theLockIsReportedBeforeAnEmptyPolicyName() async throws {
        final class Nameless: FRAPolicy {
            let name = ""
            var data: Any?
            func evaluate() -> Bool { true }
        }
        let fixture = try ClientFixture()
        try await fixture.enrol(policies: Self.attached)
        let account = try #require(fixture.client.getAllAccounts().first)
        try fixture.client.lockAccount(account: account, policy: SwitchPolicy(fixture.complies))
        #expect(code { try fixture.client.lockAccount(account: account, policy: Nameless()) } == 6_100_003)
    }

    @Test(arguments: StoreKind.allCases)
    func aCombinedCodeListsTheOneTimePasswordFirst(_ kind: StoreKind) async throws {
        let fixture = try ClientFixture(kind)
        fixture.setToken()
        let push = try PushRegistration(uri: ClientFixture.uri())
        let uri = RegistrationURI.combined(push, try OathRegistration(uri: Self.totp)).text
        let calls = Lock<[String]>([])
        fixture.storage?.willStore.withValue { willStore in
            willStore = { object in
                guard let mechanism = object as? Mechanism else { return }
                calls.withValue { $0.append(mechanism.type) }
            }
        }
        _ = try await fixture.create(uri)
        if kind == .storageClient {
            // This storage lists its mechanisms in no particular order, so the test compares the order in which
            // the client stored the mechanisms.
            #expect(calls.withValue { $0 } == ["totp", "push"])
        } else {
            #expect(fixture.client.getAllAccounts().map { $0.mechanisms.map(\.type) } == [["totp", "push"]])
        }
    }

    // MARK: Codes

    @Test(arguments: StoreKind.allCases)
    func missingNamesAreReplacedAsInTheLegacySDK(_ kind: StoreKind) async throws {
        let fixture = try ClientFixture(kind)
        _ = try await fixture.create("otpauth://totp/demo?secret=JBSWY3DPEHPK3PXP")
        _ = try await fixture.create("otpauth://totp/Example:?secret=JBSWY3DPEHPK3PXP")
        let identifiers = fixture.client.getAllAccounts().map(\.identifier)
        #expect(Set(identifiers) == ["demo-demo", "Example-Untitled"])
        #expect(try await failure("otpauth://totp/demo?secret=JBSWY3DPEHPK3PXP", fixture) == 6_000_004)
    }

    @Test(arguments: StoreKind.allCases)
    func aCodeIsRecognisedByTheNameThatTheSDKGaveItsAccount(_ kind: StoreKind) async throws {
        let fixture = try ClientFixture(kind)
        _ = try await fixture.create("otpauth://totp/Forgerock:demo?secret=JBSWY3DPEHPK3PXP")
        #expect(
            try await failure("otpauth://totp/Forgerock:demo:1?secret=JBSWY3DPEHPK3PXP", fixture) == 6_000_004
        )
        let other = try await fixture.create("otpauth://hotp/Forgerock:demo:1?secret=JBSWY3DPEHPK3PXP")
        #expect(other.accountName == "demo:1")
    }

    @Test func anUndecodableParameterIsIgnored() async throws {
        let fixture = try ClientFixture()
        fixture.setToken()
        let uri = try ClientFixture.uri() + "&l=%3F&uid=A&pid=%21"
        let push = try await fixture.create(uri)
        #expect((push.uid, push.resourceId) == (nil, nil))
        #expect(fixture.server.requests[0].headers.contains { $0.name == "Cookie" } == false)
    }

    @Test func aMechanismWithSHA224MakesOneTimePasswords() async throws {
        let fixture = try ClientFixture()
        let uri = "otpauth://hotp/Example:babs?secret=GEZDGNBVGY3TQOJQGEZDGNBVGY3TQOJQ&algorithm=SHA224"
        let hotp = try #require(try await fixture.create(uri) as? HOTPMechanism)
        #expect(hotp.algorithm == "sha224")
        #expect(try (0..<3).map { _ in try hotp.generateCode().code } == ["893239", "812810", "291286"])
    }

    @Test(arguments: [
        ("pushauth://push/A:b?s=%21&c=AA&m=1&r=aHR0cHM6Ly9h&a=aHR0cHM6Ly9h", 1_200_000),
        ("pushauth://push/A:b?s=AA&c=%21&m=1&r=aHR0cHM6Ly9h&a=aHR0cHM6Ly9h", 1_200_000),
        ("pushauth://push/A:b?s=AA&c=AA&m=1&r=bm93aGVyZQ&a=aHR0cHM6Ly9h", 5_000_005),
        ("pushauth://push/A:b?s=AA&c=AA&m=1&r=aHR0cHM6Ly9h&a=ZmlsZTovL2E", 5_000_005),
        ("pushauth://push/A:b?s=AA&c=AA&m=1&r=%21&a=aHR0cHM6Ly9h", 6_000_003),
        ("pushauth://push/A:b?s=AA&c=AA&m=1&r=aHR0cHM6Ly9h&a=%21", 6_000_003),
        ("otpauth://push/A:b?secret=AA", 6_000_000), ("pushauth://totp/A:b?s=AA", 6_000_000),
        ("otpauth:totp/A:b?secret=AA", 6_000_001), ("pushauth:push", 6_000_001),
        ("otpauth://totp/A:b?secret=JBSWY3DP&digits=six", 6_000_003),
        ("otpauth://hotp/A:b?secret=JBSWY3DP&counter=x", 6_000_003),
        ("otpauth://totp/A:b?secret=JBSWY3DP&period=1.5", 6_000_003),
        ("otpauth://totp/A:b?secret=JBSWY3DP&policies=%21", 6_000_003),
        ("otpauth://totp/A:%3Cb%3E?secret=JBSWY3DP", 6_000_003),
    ])
    func refusedCodesHaveTheLegacyNumbers(_ uri: String, _ expected: Int) async throws {
        let fixture = try ClientFixture()
        fixture.setToken()
        #expect(try await failure(uri, fixture) == expected)
        #expect(fixture.server.requests == [])
    }

    @Test func anUnusableSecretHasTheLegacyNumber() async throws {
        let fixture = try ClientFixture()
        let totp = try #require(try await fixture.create(Self.totp) as? TOTPMechanism)
        let json = try #require(totp.toJson()).replacingOccurrences(of: "JBSWY3DPEHPK3PXP", with: "!!!")
        let unusable = try JSONDecoder().decode(TOTPMechanism.self, from: Data(json.utf8))
        let mechanism = TOTPMechanism(unusable.value, origin: fixture.authenticator)
        #expect(code { _ = try mechanism.generateCode() } == 1_200_001)
    }

    @Test(arguments: [true, false])
    func aCodeIsEvaluatedByItsPoliciesAlone(_ complies: Bool) throws {
        let evaluator = FRAPolicyEvaluator()
        try evaluator.registerPolicies(policies: [SwitchPolicy(Lock(complies))])
        let policies = Data(Self.attached.utf8).base64EncodedString()
        let url = try #require(URL(string: "mfauth://totp/Example:babs?policies=\(policies)"))
        #expect(evaluator.evaluate(uri: url).comply == complies)
        #expect(evaluator.evaluate(uri: url).nonCompliancePolicy?.name == (complies ? nil : "switch"))
    }

    // MARK: Server answers and pushes

    @Test(arguments: [200, 201, 204, 299, 300, 302, 400, 500])
    func everyStatusFrom200To299IsSuccess(_ status: Int) async throws {
        let isSuccess = status < 300
        let fixture = try ClientFixture()
        fixture.setToken()
        fixture.server.willAnswer { _ in PushResponse(status: status, body: Data()) }
        #expect(try await failure(try ClientFixture.uri("other"), fixture, succeeds: isSuccess) == isSuccess)
        fixture.server.willAnswer { _ in .ok }
        let push = try #require(try fixture.deliver(to: await fixture.enrol()))
        fixture.server.willAnswer { _ in PushResponse(status: status, body: Data()) }
        #expect((await outcome { push.accept(onSuccess: $0, onError: $1) }.error == nil) == isSuccess)
        #expect(push.isApproved == isSuccess)
        let updated = await outcome {
            fixture.handler.updateDeviceToken(deviceToken: "AB", onSuccess: $0, onFailure: $1)
        }
        #expect((updated.error == nil) == isSuccess)
    }

    private func failure(_ uri: String, _ fixture: ClientFixture, succeeds: Bool) async throws -> Bool {
        do {
            _ = try await fixture.create(uri)
            return true
        } catch {
            return false
        }
    }

    @Test(arguments: StoreKind.allCases)
    func anInvalidOptionalClaimCountsAsAbsent(_ kind: StoreKind) async throws {
        let fixture = try ClientFixture(kind)
        let claims: JSONValue = [
            "t": "soon", "i": "now", "l": 1, "m": true, "k": 7, "n": 1, "d": [:], "p": 1, "x": false,
        ]
        let push = try #require(try fixture.deliver(claims, to: await fixture.enrol()))
        #expect((push.ttl, push.pushType, push.message) == (120, .default, nil))
        #expect((push.numbersChallenge, push.customPayload, push.contextInfo) == (nil, nil, nil))
        #expect(abs(push.timeAdded.timeIntervalSinceNow) < 60)
    }
}

/// Behaviour that differs from the SDK on purpose; `docs/divergences.md` states the reasons.
@Suite("Behaviour different from the legacy SDK's")
struct SDKDivergenceTests {
    @Test(arguments: StoreKind.allCases)
    func theLockOfAnUnknownPolicyStays(_ kind: StoreKind) async throws {
        final class Unknown: FRAPolicy {
            let name = "unknown"
            var data: Any?
            func evaluate() -> Bool { true }
        }
        let fixture = try ClientFixture(kind)
        try await fixture.enrol(policies: #"{"unknown":{}}"#)
        let account = try #require(fixture.client.getAllAccounts().first)
        try fixture.client.lockAccount(account: account, policy: Unknown())
        #expect(fixture.client.getAllAccounts().map(\.lock) == [true])
        #expect(fixture.client.getAllAccounts().map(\.lockingPolicy) == ["unknown"])
    }

    @Test(arguments: StoreKind.allCases)
    func removingADecodedAccountRemovesItsMechanisms(_ kind: StoreKind) async throws {
        let fixture = try ClientFixture(kind)
        _ = try fixture.deliver(to: await fixture.enrol())
        let json = try #require(fixture.client.getAllAccounts().first?.toJson())
        let account = try JSONDecoder().decode(Account.self, from: Data(json.utf8))
        #expect(fixture.client.removeAccount(account: account))
        #expect(try fixture.store.read { try $0.pushCredentials().count } == 0)
        #expect(fixture.client.getAllNotifications() == [])
    }

    // MARK: Inputs that the SDK reads differently

    @Test(arguments: [
        (#"{"tokenType":"hotp","code":"1","start":0}"#, true),
        (#"{"tokenType":"hotp","code":"1","start":0,"until":1}"#, true),
        (#"{"tokenType":"totp","code":"1","start":0,"until":1}"#, false),
        (#"{"tokenType":"totp","code":"1","start":4102444800,"until":4102444830}"#, false),
        (#"{"tokenType":"totp","code":"1","start":0,"until":4102444830}"#, true),
    ])
    func aDecodedCodeIsValidUntilItsEnd(_ json: String, _ isValid: Bool) throws {
        #expect(try JSONDecoder().decode(OathTokenCode.self, from: Data(json.utf8)).isValid == isValid)
    }

    @Test(arguments: [
        ("otpauth://totp?secret=JBSWY3DP&issuer=A", "A-Untitled"),
        ("otpauth://totp/?secret=JBSWY3DP", "Untitled-Untitled"),
        ("OTPAUTH://TOTP/A:b?secret=JBSWY3DP", "A-b"),
        ("otpauth://totp/A:b?secret=jbsw%20y3dp%3D%3D", "A-b"),
        ("otpauth://totp/A:b?secret=JBSWY3DP&policies=%7B%22switch%22%3A%7B%7D%7D", "A-b"),
    ])
    func codesWithUnusualSpellingsAreAccepted(_ uri: String, _ account: String) async throws {
        let fixture = try ClientFixture()
        _ = try await fixture.create(uri)
        #expect(fixture.client.getAllAccounts().map(\.identifier) == [account])
        let policies = fixture.client.getAllAccounts().first?.policies
        #expect(policies == (uri.contains("policies") ? #"{"switch":{}}"# : nil))
    }

    @Test func aPushWithoutLoadBalancerAndTimeToLiveIsAccepted() async throws {
        let fixture = try ClientFixture()
        let mechanism = try await fixture.enrol()
        // By default, the push has only the claims `u` and `c`, which are sufficient.
        let push = try #require(try fixture.deliver(to: mechanism))
        #expect(push.ttl == 120 && !push.isExpired)
    }

    /// Values that are not base64 (ids and an image) and an empty issuer are treated as absent.
    @Test(arguments: [
        "issuer=", "image=%21", "image=not%20an%20address", "uid=%21%21", "oid=%21%21", "pid=%21%21",
    ])
    func parametersThatCannotBeReadAreLeftOut(_ parameter: String) async throws {
        let fixture = try ClientFixture()
        fixture.setToken()
        let uri = try ClientFixture.uri().replacing(/&issuer=[^&]*/, with: "") + "&" + parameter
        let push = try #require(try await fixture.create(uri) as? PushMechanism)
        #expect(push.accountIdentifier == "Example-babs")
        #expect(push.uid == nil && push.resourceId == nil)
        #expect(fixture.client.getAllAccounts().map(\.imageUrl) == [nil])
    }

    @Test(arguments: [
        ("junk", "https://example.com/register", nil),
        ("a=1", "https://user:word@example.com/register", "a=1"),
        ("a=1;b=2", "https://example.com:8443/register", "a=1;b=2"),
    ])
    func serversAreAskedAtTheAddressOfTheCode(_ cookie: String, _ address: String, _ sent: String?)
        async throws
    {
        let fixture = try ClientFixture()
        fixture.setToken()
        let values = [cookie, address, address].map { Data($0.utf8).base64EncodedString() }
        let uri =
            "pushauth://push/Example:babs?s=c2VjcmV0&c=Y2hhbGxlbmdl&m=REGISTER:1"
            + "&l=\(values[0])&r=\(values[1])&a=\(values[2])"
        _ = try await fixture.create(uri)
        let request = try #require(fixture.server.requests.last)
        #expect(request.url == address)
        #expect(request.headers.first { $0.name == "Cookie" }?.value == sent)
    }

    @Test func aCodeWhoseChallengeIsNotBase64IsRefused() async throws {
        let fixture = try ClientFixture()
        fixture.setToken()
        let uri = try ClientFixture.uri().replacing(/([?&])c=[^&]*/, with: { "\($0.1)c=%21" })
        await #expect(throws: (any Error).self) { _ = try await fixture.create(uri) }
        #expect(fixture.client.getAllAccounts() == [])
        #expect(fixture.server.requests.isEmpty)
    }

    @Test(
        arguments: [
            ["t": "120.5"], ["t": "-1"], ["t": "1e3"], ["t": .number(-1)], ["t": true], ["m": 7], ["n": 34],
            ["l": "bm8gZXF1YWxz"], ["k": 7], ["i": "now"],
        ] as [JSONValue]
    )
    func claimsThatCannotBeReadAreLeftOut(_ claims: JSONValue) async throws {
        let fixture = try ClientFixture()
        let push = try #require(try fixture.deliver(claims, to: await fixture.enrol()))
        #expect(push.ttl == 120)
        #expect(push.pushType == .default)
        #expect(push.message == nil && push.numbersChallengeArray == nil)
        #expect(await outcome { push.accept(onSuccess: $0, onError: $1) }.error == nil)
        #expect(fixture.server.requests.last?.headers.allSatisfy { $0.value != "no equals" } == true)
    }

    /// The type of a push is read in any spelling; in the SDK, only `challenge` in lower case shows the numbers.
    @Test(arguments: ["challenge", "Challenge", "CHALLENGE"])
    func theTypeOfAPushIsReadInAnySpelling(_ type: String) async throws {
        let fixture = try ClientFixture()
        let claims: JSONValue = ["k": .string(type), "n": "34,43,57"]
        let push = try #require(try fixture.deliver(claims, to: await fixture.enrol()))
        #expect(push.pushType == .challenge && push.numbersChallengeArray == [34, 43, 57])
    }

    @Test(.processState) func jsonWithMembersOfAnotherTypeIsNotDecoded() async throws {
        let fixture = try ClientFixture()
        FRAClient.shared = fixture.client
        defer { FRAClient.reset() }
        let mechanism = try await fixture.enrol()
        let push = try #require(try fixture.deliver(to: mechanism))
        let account = try #require(fixture.client.getAllAccounts().first)
        let uri = "otpauth://totp/A:b?secret=JBSWY3DP&issuer=A"
        let code = try #require(try await fixture.create(uri) as? TOTPMechanism)
        let decoder = JSONDecoder()
        for member in ["imageURL", "backgroundColor", "displayIssuer", "policies", "lock", "timeAdded"] {
            let json = try Self.json(account.toJson(), member, [1])
            #expect(throws: (any Error).self, "\(member)") { try decoder.decode(Account.self, from: json) }
        }
        for member in ["message", "customPayload", "numbersChallenge", "contextInfo", "ttl"] {
            let json = try Self.json(push.toJson(), member, [1])
            #expect(throws: (any Error).self, "\(member)") {
                try decoder.decode(FRAuthenticator.PushNotification.self, from: json)
            }
        }
        let unknown = try Self.json(mechanism.toJson(), "type", "smoke")
        #expect(throws: (any Error).self) { try decoder.decode(PushMechanism.self, from: unknown) }
        let unknownCode = try Self.json(code.toJson(), "type", "smoke")
        #expect(throws: (any Error).self) { try decoder.decode(TOTPMechanism.self, from: unknownCode) }
        let locked = try decoder.decode(Account.self, from: Self.json(account.toJson(), "lock", true))
        #expect(locked.lock && locked.lockingPolicy == nil)
        let other = try Self.json(push.toJson(), "pushType", "smoke")
        #expect(try decoder.decode(FRAuthenticator.PushNotification.self, from: other).pushType == .default)
        let algorithm = try Self.json(code.toJson(), "algorithm", "smoke")
        let mute = try decoder.decode(TOTPMechanism.self, from: algorithm)
        #expect(throws: OathError.self) { try mute.generateCode() }
    }

    private static func json(_ text: String?, _ member: String, _ value: Any) throws -> Data {
        let json = try JSONSerialization.jsonObject(with: Data((text ?? "").utf8))
        var object = try #require(json as? [String: Any])
        object[member] = value
        return try JSONSerialization.data(withJSONObject: object)
    }

    @Test func aPushWhoseChallengeIsNotBase64IsNil() async throws {
        let fixture = try ClientFixture()
        #expect(try fixture.deliver(["c": "%"], to: await fixture.enrol()) == nil)
        #expect(fixture.client.getAllNotifications() == [])
    }

    @Test(arguments: StoreKind.allCases)
    func aSecondCodeDoesNotChangeTheDetailsOfItsAccount(_ kind: StoreKind) async throws {
        let fixture = try ClientFixture(kind)
        let policies = Data(#"{"switch":{}}"#.utf8).base64EncodedString()
        _ = try await fixture.create(
            "otpauth://totp/Example:babs?secret=JBSWY3DP&image=aHR0cHM6Ly9hLmIvYw&b=ff0000&policies=\(policies)"
        )
        let account = try #require(fixture.client.getAllAccounts().first)
        account.displayAccountName = "Barbara"
        #expect(try fixture.client.updateAccount(account: account))
        _ = try await fixture.create("otpauth://hotp/Example:babs?secret=JBSWY3DP")
        let after = try #require(fixture.client.getAllAccounts().first)
        #expect(after.mechanisms.count == 2)
        #expect(after.displayAccountName == "Barbara")
        #expect(after.imageUrl == account.imageUrl && after.imageUrl != nil)
        #expect(after.backgroundColor == account.backgroundColor && after.backgroundColor != nil)
        #expect(after.policies == #"{"switch":{}}"#)
    }

    @Test func policiesThatCannotBeReadAreRefused() async throws {
        let fixture = try ClientFixture()
        fixture.setToken()
        let url = try #require(URL(string: try ClientFixture.uri() + "&policies=%21"))
        let report = await outcome { _, fail in
            fixture.client.createMechanismFromUri(uri: url, onSuccess: { _ in }, onError: fail)
        }
        #expect(report.code == 6_000_003)
        #expect(fixture.client.getAllAccounts() == [])
    }

    @Test(arguments: ["biometricAvailable", "[]", "null", "7", #"{"biometricAvailable":"#])
    func policiesThatAreNoObjectAreRefused(_ policies: String) async throws {
        let fixture = try ClientFixture()
        fixture.setToken()
        let text = Data(policies.utf8).base64EncodedString()
        for uri in [
            try ClientFixture.uri(policies: policies),
            "otpauth://totp/Example:babs?secret=JBSWY3DPEHPK3PXP&policies=\(text)",
        ] {
            let error = await #expect(throws: MechanismError.self) { try await fixture.create(uri) }
            let reason = "Something is invalid: The value of policies cannot be read."
            #expect(error?.localizedDescription == reason)
        }
        #expect(fixture.client.getAllAccounts() == [])
        #expect(fixture.server.requests.isEmpty)
    }

    @Test(arguments: [("digits", "six"), ("period", "soon"), ("digits", "9"), ("period", "0")])
    func aRegistrationURIWithAnInvalidNumberIsRejected(_ parameter: String, _ value: String) async throws {
        let fixture = try ClientFixture()
        let uri = "otpauth://totp/Example:babs?secret=JBSWY3DPEHPK3PXP&\(parameter)=\(value)"
        let error = await #expect(throws: MechanismError.self) { try await fixture.create(uri) }
        let reason = "Something is invalid: The value of \(parameter) cannot be read."
        #expect(error?.localizedDescription == reason)
        #expect(fixture.client.getAllAccounts() == [])
    }

    @Test func whenMD5CannotMakeACodeTheCounterStillAdvances() async throws {
        let fixture = try ClientFixture()
        let uri = "otpauth://hotp/Example:babs?secret=GEZDGNBVGY3TQOJQGEZDGNBVGY3TQOJQ&algorithm=MD5"
        let hotp = try #require(try await fixture.create(uri) as? HOTPMechanism)
        var codes: [String?] = []
        for _ in 0..<64 {
            do {
                codes.append(try hotp.generateCode().code)
            } catch {
                #expect((error as NSError).code == 9_000_000)
                codes.append(nil)
            }
        }
        #expect(codes.contains(nil) && codes.contains { $0?.count == 6 })
        #expect(hotp.counter == 64)
    }

    @Test(arguments: StoreKind.allCases)
    func aCombinedCodeStoresBothMechanismsOrNone(_ kind: StoreKind) async throws {
        let fixture = try ClientFixture(kind)
        fixture.setToken()
        let push = try PushRegistration(uri: ClientFixture.uri())
        let totp = "otpauth://totp/Example:babs?secret=JBSWY3DPEHPK3PXP"
        let uri = RegistrationURI.combined(push, try OathRegistration(uri: totp)).text
        fixture.server.willAnswer { _ in .refusal }
        let refusal = await #expect(throws: NetworkError.self) { try await fixture.create(uri) }
        #expect(refusal?.localizedDescription.hasSuffix("The server refused (HTTP 400): Too late") == true)
        #expect(fixture.client.getAllAccounts() == [])
        fixture.server.willAnswer { _ in .ok }
        _ = try await fixture.create(uri)
        #expect(fixture.client.getAllAccounts().flatMap(\.mechanisms).count == 2)
        let error = await #expect(throws: MechanismError.self) {
            try await ClientFixture(kind).create(
                uri.replacingOccurrences(of: "JBSWY3DPEHPK3PXP", with: "%21")
            )
        }
        #expect(error?.localizedDescription == "Something is invalid: The value of secret cannot be read.")
    }

    @Test(arguments: StoreKind.allCases)
    func aRepeatedPushWithAWrongSignatureReturnsNil(_ kind: StoreKind) async throws {
        let fixture = try ClientFixture(kind)
        let mechanism = try await fixture.enrol()
        #expect(try fixture.deliver(to: mechanism) != nil)
        #expect(try fixture.deliver(to: mechanism, signedWith: .random()) == nil)
        #expect(fixture.client.getAllNotifications().count == 1)
    }

    @Test func requestsContainTheLoadBalancersCookieAndADenialContainsNoNumber() async throws {
        let fixture = try ClientFixture()
        let claims: JSONValue = ["k": "challenge", "n": "1,2", "l": "YW1sYmNvb2tpZT0wMQ=="]
        let push = try #require(try fixture.deliver(claims, to: await fixture.enrol()))
        #expect(await outcome { push.deny(onSuccess: $0, onError: $1) }.error == nil)
        #expect(fixture.server.requests.map(\.action) == [.register, .authenticate])
        for request in fixture.server.requests {
            #expect(request.headers.contains(PushRequest.Header("Cookie", "amlbcookie=01")))
            #expect(!request.headers.contains { $0.name == "Set-Cookie" })
        }
        guard case .object(let sent)? = fixture.server.requests.last?.claims else {
            Issue.record("The denial has no claims.")
            return
        }
        #expect(Set(sent.keys) == ["deny", "response"])
    }

    @Test func objectsOfTheAPIMayCrossThreads() async throws {
        let fixture = try ClientFixture()
        let (mechanism, client) = (try await fixture.enrol(), fixture.client)
        let push = try #require(try fixture.deliver(to: mechanism))
        let accounts = await Task.detached { push.isPending ? client.getAllAccounts() : [] }.value
        #expect(accounts.flatMap(\.mechanisms).map(\.mechanismUUID) == [mechanism.mechanismUUID])
    }

    @Test func recordsWithoutALoadBalancerAreDecoded() async throws {
        let fixture = try ClientFixture()
        let mechanism = try await fixture.enrol()
        let push = try #require(try fixture.deliver(to: mechanism))
        let texts = [try #require(mechanism.toJson()), try #require(push.toJson())].map {
            $0.replacing(#/"(loadBalancer|amlbCookie)":("[^"]*"|null)/#) { "\"\($0.1)\":null" }
        }
        #expect(texts.allSatisfy { $0.contains(":null") })
        let decoder = JSONDecoder()
        let decoded = try decoder.decode(PushMechanism.self, from: Data(texts[0].utf8))
        #expect(decoded.toJson() == texts[0])
        let answer = try decoder.decode(FRAuthenticator.PushNotification.self, from: Data(texts[1].utf8))
        #expect(answer.toJson() == texts[1])
    }
}
