import LocalAuthentication
import PushBridgeCore
import PushBridgePlatform
import Testing

/// The system's local authentication, which both APIs use.
@Suite("Local authentication of the system")
struct DeviceAuthenticationTests {
    init() { StandInOwner.reset() }

    private func authenticate(_ title: String = "Login", passcode: Bool = true) async throws -> (any Error)? {
        try await waitForCall("the result of the authentication") { answered in
            let prompt = AuthenticationPrompt(title: title, allowsDeviceCredentials: passcode)
            OwnerAuthentication.current.authenticate(prompt) { answered($0) }
        }
    }

    @Test(arguments: [
        (true, LAPolicy.deviceOwnerAuthentication), (false, .deviceOwnerAuthenticationWithBiometrics),
    ])
    func thePromptDeterminesThePolicyAndTheReason(_ passcode: Bool, _ policy: LAPolicy) async throws {
        #expect(try await authenticate(passcode: passcode) == nil)
        #expect(StandInOwner.with(\.questions) == [StandInOwner.Question(policy, "Login")])
    }

    @Test func aCancelledAuthenticationFails() async throws {
        StandInOwner.with { $0.passes = false }
        #expect(try await authenticate() as? LAError == LAError(.userCancel))
    }

    @Test func withoutBiometricsOnlyThePasscodeWorks() async throws {
        StandInOwner.with { $0.hasBiometrics = false }
        #expect(!OwnerAuthentication.current.isAvailable)
        #expect(try await authenticate(passcode: false) as? LAError == LAError(.biometryNotAvailable))
        #expect(StandInOwner.with(\.questions) == [])
        #expect(try await authenticate(passcode: true) == nil)
    }

    @Test func anEmptyReasonDoesNotReachTheSystem() async throws {
        #expect(try await authenticate("") == nil)
        #expect(StandInOwner.with { $0.questions.map(\.reason.isEmpty) } == [false])
    }

    @Test func theStandardPolicyIsViolatedWithoutBiometrics() {
        let attached = #"{"biometricAvailable":{}}"#
        #expect(AccountPolicies.standard.policies.map(\.name) == ["biometricAvailable"])
        #expect(AccountPolicies.standard.evaluate(attached) == .comply)
        StandInOwner.with { $0.hasBiometrics = false }
        #expect(AccountPolicies.standard.evaluate(attached) == .violation(policy: "biometricAvailable"))
    }
}
