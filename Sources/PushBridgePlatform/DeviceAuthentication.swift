#if canImport(LocalAuthentication)
import PushBridgeCore
import Foundation
import LocalAuthentication

/// Face ID, Touch ID and, where allowed, the device's passcode.
struct DeviceAuthentication: LocalAuthenticating {
    var isAvailable: Bool {
        LAContext().canEvaluatePolicy(.deviceOwnerAuthenticationWithBiometrics, error: nil)
    }

    func authenticate(
        _ prompt: AuthenticationPrompt,
        completion: @escaping @Sendable ((any Error)?) -> Void
    ) {
        let policy: LAPolicy =
            prompt.allowsDeviceCredentials
            ? .deviceOwnerAuthentication : .deviceOwnerAuthenticationWithBiometrics
        let held = Lock(LAContext())
        held.withValue { context in
            context.evaluatePolicy(policy, localizedReason: Self.reason(prompt)) { passed, error in
                // A context that is released gives up.
                withExtendedLifetime(held) {
                    completion(passed ? nil : error ?? LocalAuthenticationUnavailable())
                }
            }
        }
    }

    /// The reason shown; never empty, because the system raises an exception for that.
    private static func reason(_ prompt: AuthenticationPrompt) -> String {
        prompt.title.isEmpty ? ProcessInfo.processInfo.processName : prompt.title
    }
}
#else
typealias DeviceAuthentication = NoLocalAuthentication
#endif
