import Foundation
import PushBridgeCore
import Testing

@Suite struct AccountPolicyTests {
    private func evaluator(isAvailable: Bool = true, score: Double = 0) -> AccountPolicies {
        AccountPolicies(policies: [
            BiometricAvailablePolicy { isAvailable }, DeviceTamperingPolicy { score },
        ])
    }

    @Test(
        arguments: [
            (true, .comply), (false, .violation(policy: "biometricAvailable")),
        ] as [(Bool, PolicyOutcome)]
    )
    func theBiometricPolicyIsViolatedIfBiometricsAreUnavailable(_ isAvailable: Bool, _ outcome: PolicyOutcome)
    {
        for parameters in ["{}", "null", "7"] {
            let attached = #"{"biometricAvailable":\#(parameters)}"#
            #expect(evaluator(isAvailable: isAvailable).evaluate(attached) == outcome)
        }
    }

    @Test(
        arguments: [
            (#"{"score":0.8}"#, 0.79, true), (#"{"score":0.8}"#, 0.8, false), (#"{"score":0.8}"#, 1, false),
            (#"{"score":"0.8"}"#, 0.8, false), (#"{"score":0}"#, 0, false), (#"{"score":0}"#, -1, true),
            (#"{"score":1}"#, 0.99, true), ("{}", 0.99, true), ("{}", 1, false), ("null", 1, false),
            (#"{"score":true}"#, 0.99, true), (#"{"score":"high"}"#, 1, false), ("{}", .nan, false),
        ] as [(String, Double, Bool)]
    )
    func theTamperingPolicyIsViolatedAtOrAboveItsThreshold(
        _ parameters: String,
        _ score: Double,
        _ complies: Bool
    ) {
        let outcome = evaluator(score: score).evaluate(#"{"deviceTampering":\#(parameters)}"#)
        #expect(outcome == (complies ? .comply : .violation(policy: "deviceTampering")))
    }

    @Test func theFirstViolationIsNamed() {
        let attached = #"{"deviceTampering":{"score":0.8},"biometricAvailable":{}}"#
        let outcome = evaluator(isAvailable: false, score: 1).evaluate(attached)
        #expect(outcome == .violation(policy: "biometricAvailable"))
    }

    @Test(arguments: [nil, "", "{}", "{", "[]", "null", "7", #"{"passkeys":{}}"#, #"["biometricAvailable"]"#])
    func unknownOrInvalidPoliciesAreNotViolated(_ attached: String?) {
        #expect(evaluator(isAvailable: false, score: 1).evaluate(attached) == .comply)
    }

    @Test func aCredentialIsLockedWhileItsPolicyIsViolated() throws {
        var credential = try #require(PushCredential.sample(secret: PushCredential.recordedSecret))
        credential.policies = #"{"deviceTampering":{}}"#
        let before = credential
        #expect(!evaluator().apply(to: &credential))
        #expect(credential == before)
        #expect(evaluator(score: 1).apply(to: &credential))
        #expect(credential.isLocked)
        #expect(credential.lockingPolicy == "deviceTampering")
        #expect(!evaluator(score: 1).apply(to: &credential))
        #expect(evaluator().apply(to: &credential))
        #expect(credential == before)
    }

    @Test(arguments: [nil, "no JSON"])
    func theLockOfAnAccountWithoutPoliciesStays(_ policies: String?) throws {
        var credential = try #require(PushCredential.sample(secret: PushCredential.recordedSecret))
        credential.policies = policies
        credential.isLocked = true
        #expect(!evaluator().apply(to: &credential))
        credential.lockCredential(policyName: "deviceTampering")
        #expect(!evaluator().apply(to: &credential))
        #expect((credential.isLocked, credential.lockingPolicy) == (true, "deviceTampering"))
    }

    @Test func theLockOfAnUnknownPolicyStays() throws {
        var credential = try #require(PushCredential.sample(secret: PushCredential.recordedSecret))
        credential.lock(policy: "deviceTampering")
        #expect(!AccountPolicies(policies: []).apply(to: &credential))
        #expect(credential.isLocked)
    }

    /// In both APIs, as in the successor SDK, a lock stays if its policy is not attached to the account.
    @Test func theLockOfAPolicyThatIsNotAttachedStays() throws {
        var credential = try #require(PushCredential.sample(secret: PushCredential.recordedSecret))
        credential.policies = #"{"biometricAvailable":{}}"#
        credential.lockCredential(policyName: "deviceTampering")
        #expect(!evaluator().apply(to: &credential))
        #expect((credential.isLocked, credential.lockingPolicy) == (true, "deviceTampering"))
        credential.policies = #"{"biometricAvailable":{},"deviceTampering":{}}"#
        #expect(evaluator().apply(to: &credential))
        #expect((credential.isLocked, credential.lockingPolicy) == (false, nil))
    }
}
