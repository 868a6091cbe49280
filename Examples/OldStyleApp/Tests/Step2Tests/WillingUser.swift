import FRAuthenticator

/// Local authentication that always succeeds.
struct WillingUser: LocalAuthenticating {
    let isAvailable = true

    func authenticate(_ prompt: AuthenticationPrompt, completion: @escaping @Sendable (Error?) -> Void) {
        completion(nil)
    }
}
