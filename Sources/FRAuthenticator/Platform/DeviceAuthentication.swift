#if canImport(LocalAuthentication)
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
        LAContext().evaluatePolicy(policy, localizedReason: prompt.title) { passed, error in
            completion(passed ? nil : error ?? LocalAuthenticationUnavailable())
        }
    }
}
#endif
