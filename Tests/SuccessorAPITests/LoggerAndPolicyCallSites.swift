import PingCommons
import PingLogger
import PushBridgePlatform
import PushBridgeTestSupport
import Testing

/// An app's own logger.
private final class Recorder: Logger {
    private let lines = Lock<[String]>([])

    var all: [String] { lines.withValue { $0 } }

    func d(_ message: String) { lines.withValue { $0.append("d \(message)") } }
    func i(_ message: String) { lines.withValue { $0.append("i \(message)") } }
    func w(_ message: String, error: (any Error)?) { lines.withValue { $0.append("w \(message)") } }
    func e(_ message: String, error: (any Error)?) { lines.withValue { $0.append("e \(message)") } }
}

/// An app's own policy.
private struct OfficeHours: MfaPolicy {
    struct Unknown: Error {}

    let name = "officeHours"

    func evaluate(data: [String: Any]?) async throws -> Bool {
        guard let open = data?["open"] as? Bool else { throw Unknown() }
        return open
    }
}

@Suite("Logger and policy call sites", .serialized)
struct LoggerAndPolicyCallSites {
    @Test func anAppCanSetItsOwnLogger() {
        let recorder = Recorder()
        let before = LogManager.logger
        defer { LogManager.logger = before }
        LogManager.logger = recorder
        LogManager.logger.d("one")
        LogManager.logger.i("two")
        LogManager.logger.w("three", error: nil)
        LogManager.logger.e("four", error: OfficeHours.Unknown())
        #expect(recorder.all == ["d one", "i two", "w three", "e four"])
        let others: [any Logger] = [
            LogManager.none, LogManager.standard, LogManager.warning, NoneLogger(), StandardLogger(),
            WarningLogger(), SwiftLogLogger(),
        ]
        for logger in others { logger.d("Nothing.") }
    }

    @Test func theDefaultLoggerIsTheSwiftLogLogger() {
        #expect(LogManager.logger is SwiftLogLogger)
    }

    // This test is serialised, because other tests enable local authentication for the process.
    @Test(.processState) func onlyPoliciesThatTheDeviceCanEvaluateAreStandard() async {
        let known = await MfaPolicyEvaluator.create().getPolicies().map(\.name)
        #expect(Set(known).isSubset(of: ["biometricAvailable", "deviceTampering"]))
        #if !canImport(LocalAuthentication)
        #expect(!known.contains("biometricAvailable"))
        #endif
    }

    @Test func theEvaluatorReportsTheViolatedPolicy() async throws {
        let evaluator = MfaPolicyEvaluator.create { config in
            config.policies = [OfficeHours(), BiometricAvailablePolicy { false }]
            config.logger = LogManager.none
        }
        #expect(await evaluator.getPolicies().count == 2)
        #expect(await evaluator.getPolicy(policyName: "officeHours") != nil)
        #expect(await evaluator.getPolicy(policyName: "none") == nil)
        let open = await evaluator.evaluate(credentialPolicies: #"{"officeHours":{"open":true}}"#)
        #expect((open.isSuccess, open.isFailure, open.nonCompliancePolicyName) == (true, false, nil))
        let closed = await evaluator.evaluate(policiesJson: ["officeHours": ["open": false]])
        #expect((closed.isFailure, closed.nonCompliancePolicyName) == (true, "officeHours"))
        #expect(closed.nonCompliancePolicy?.description.contains("officeHours") == true)
        let unknown = await evaluator.evaluate(credentialPolicies: #"{"officeHours":{}}"#)
        #expect(unknown.nonCompliancePolicyName == "officeHours")
        #expect(await evaluator.evaluate(credentialPolicies: nil).isSuccess)
        #expect(await evaluator.evaluate(credentialPolicies: #"{"other":{}}"#).isSuccess)
    }

    @Test func policyResultsAndTheBiometricPolicyAreCreated() async throws {
        let policy = BiometricAvailablePolicy()
        #expect(
            (policy.name, BiometricAvailablePolicy.policyName) == ("biometricAvailable", "biometricAvailable")
        )
        _ = try await policy.evaluate(data: nil)
        #expect(MfaPolicyResult.success().isSuccess)
        #expect(MfaPolicyResult.failure(policy: policy).nonCompliancePolicyName == "biometricAvailable")
    }
}
