import FRAuthenticator
import FRCore
import Foundation
import LocalAuthentication
import PushBridgeCore
import Testing

/// A push of the type `biometric` is accepted after the system's local authentication.
@Suite("Biometric accept")
struct BiometricAcceptTests {
    private let process = AppProcess()

    /// Starts PushBridge's client, registers, and receives a biometric push.
    private func push() async throws -> FRAuthenticator.PushNotification {
        await Application.didFinishLaunching()
        let mechanism = try await process.enrol()
        return try await process.deliver("biometric", to: mechanism)
    }

    private func accept(
        _ push: FRAuthenticator.PushNotification,
        passcode: Bool
    ) async -> (any Error)? {
        await outcome {
            push.accept(title: "Login", allowDeviceCredentials: passcode, onSuccess: $0, onError: $1)
        }.error
    }

    /// Accepts a push; returns the system's error if the local authentication fails, else `nil`.
    ///
    /// The API reports an error that contains the system's error, and has the same number as the legacy SDK's error.
    private func refusal(_ push: FRAuthenticator.PushNotification, passcode: Bool) async -> LAError? {
        guard let error = await accept(push, passcode: passcode),
            case .invalidInformation(let reason)? = error as? MechanismError
        else { return nil }
        #expect((error as NSError).code == 6_000_003)
        let cause = (error as NSError).userInfo[NSUnderlyingErrorKey] as? LAError
        #expect(reason == "The local authentication failed: \(cause?.localizedDescription ?? "none")")
        return cause
    }

    @Test func anAuthenticatedOwnerApproves() async throws {
        let push = try await push()
        #expect(await accept(push, passcode: false) == nil)
        #expect(push.isApproved)
        let question = StandInOwner.Question(.deviceOwnerAuthenticationWithBiometrics, "Login")
        #expect(StandInOwner.with(\.questions) == [question])
        #expect(process.server.requests.map(\.action) == [.register, .authenticate])
    }

    @Test func aCancelledAuthenticationSendsNothingAndCanBeRetried() async throws {
        let push = try await push()
        StandInOwner.with { $0.passes = false }
        #expect(await refusal(push, passcode: true) == LAError(.userCancel))
        #expect(push.isPending)
        #expect(process.server.requests.map(\.action) == [.register])
        StandInOwner.with { $0.passes = true }
        #expect(await accept(push, passcode: true) == nil)
        #expect(push.isApproved)
    }

    @Test func withoutBiometricsOnlyAPasscodeApproves() async throws {
        let push = try await push()
        StandInOwner.with { $0.hasBiometrics = false }
        #expect(await refusal(push, passcode: false) == LAError(.biometryNotAvailable))
        #expect(push.isPending)
        #expect(process.server.requests.map(\.action) == [.register])
        #expect(await accept(push, passcode: true) == nil)
        #expect(push.isApproved)
    }

    @Test func theBiometricAcceptOfADefaultPushFailsWithoutAPrompt() async throws {
        await Application.didFinishLaunching()
        let push = try await process.deliver("default", to: process.enrol())
        let error = await accept(push, passcode: true)
        #expect((error as? any FRError & CustomNSError)?.errorCode == 6_000_003)
        #expect(StandInOwner.with(\.questions) == [])
    }
}
