import FRAuthenticator

/// Local authentication that always succeeds.
struct WillingUser: FRAClient.LocalAuthenticating {
    let isAvailable = true

    func authenticate(
        _ prompt: FRAClient.AuthenticationPrompt,
        completion: @escaping @Sendable (Error?) -> Void
    ) {
        completion(nil)
    }
}
