import FRAuthenticator
import FRCore
import LocalAuthentication
import PingOath
import PingPush
import PushBridgeCore
import Testing

/// The policies that clients evaluate by default.
///
/// The legacy API, `PushClient` and `OathClient` work on one store and report the same lock.
@Suite("Standard policies of all APIs")
struct StandardPolicyTests {
    private static let biometric = #"{"biometricAvailable":{}}"#
    private static let totp = "otpauth://totp/Example:babs?secret=JBSWY3DPEHPK3PXP&issuer=Example"

    private let process = AppProcess()

    /// Returns the locking policies of all push credentials, one-time-password credentials and accounts.
    ///
    /// `PushClient`, `OathClient` and the legacy API read the store separately.
    private func locks() async throws -> [String?] {
        let push = try await PushClient.createClient().getCredentials()
        let oath = try await OathClient.createClient().getCredentials()
        let accounts = FRAClient.shared?.getAllAccounts() ?? []
        return push.map(\.lockingPolicy) + oath.map(\.lockingPolicy) + accounts.map(\.lockingPolicy)
    }

    @Test func allApisLockAndUnlockTogether() async throws {
        await Application.didFinishLaunching()
        _ = try await process.enrol(policies: Self.biometric)
        try await OathClient.createClient().addCredentialFromUri(Self.totp)
        #expect(try await locks() == [nil, nil, nil])
        StandInOwner.with { $0.hasBiometrics = false }
        #expect(try await locks() == Array(repeating: "biometricAvailable", count: 3))
        StandInOwner.with { $0.hasBiometrics = true }
        #expect(try await locks() == [nil, nil, nil])
    }

    @Test func aCodeThatRequiresBiometricsIsRefusedWithoutBiometrics() async throws {
        StandInOwner.with { $0.hasBiometrics = false }
        let server = process.server
        let client = try await PushClient.createClient { $0.transport = server }
        try await client.setDeviceToken("00ff")
        await #expect(throws: PushError.policyViolation("biometricAvailable")) {
            try await client.addCredentialFromUri(AppProcess.code(policies: Self.biometric))
        }
        #expect(server.requests.isEmpty)
    }

    @Test func customDetectorsApplyToAllApisAndTheirLockPersists() async throws {
        let platform = FRJailbreakDetector.shared.detectors
        defer { FRJailbreakDetector.shared.detectors = platform }
        await Application.didFinishLaunching()
        _ = try await process.enrol(policies: #"{"deviceTampering":{"score":0.8}}"#)
        #expect(try await locks() == [nil, nil])
        FRJailbreakDetector.shared.detectors = [Score(value: 0.8)]
        #expect(try await locks() == ["deviceTampering", "deviceTampering"])
        FRJailbreakDetector.shared.detectors = []
        #expect(try await locks() == ["deviceTampering", "deviceTampering"])
        FRJailbreakDetector.shared.detectors = [Score(value: 0.7)]
        #expect(try await locks() == [nil, nil])
    }

    @Test func customAuthenticationAppliesToAllApis() async throws {
        let platform = FRAClient.localAuthentication
        defer { FRAClient.localAuthentication = platform }
        await Application.didFinishLaunching()
        _ = try await process.enrol(policies: Self.biometric)
        FRAClient.localAuthentication = UnavailableAuthentication()
        #expect(try await locks() == ["biometricAvailable", "biometricAvailable"])
    }
}

/// A detector that an app supplies.
private final class Score: JailbreakDetector {
    private let value: Double

    init(value: Double) { self.value = value }

    func analyze() -> Double { value }
}

/// Local authentication that an app supplies, and that is never available.
private struct UnavailableAuthentication: FRAClient.LocalAuthenticating {
    let isAvailable = false

    func authenticate(
        _ prompt: FRAClient.AuthenticationPrompt,
        completion: @escaping @Sendable ((any Error)?) -> Void
    ) {
        completion(CancellationError())
    }
}
