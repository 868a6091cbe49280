public import Foundation

/// The local authentication of a platform that has none: nobody ever passes.
struct NoLocalAuthentication: LocalAuthenticating {
    var isAvailable: Bool { false }

    func authenticate(
        _ prompt: AuthenticationPrompt,
        completion: @escaping @Sendable ((any Error)?) -> Void
    ) {
        completion(LocalAuthenticationUnavailable())
    }
}

/// The platform offers no local authentication.
public struct LocalAuthenticationUnavailable: LocalizedError, Equatable {
    /// One sentence for a human.
    public var errorDescription: String? { "Local authentication is not available on this device." }
}
