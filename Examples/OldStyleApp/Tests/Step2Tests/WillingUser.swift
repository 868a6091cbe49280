import FRAuthenticator

/// A user who always looks into the camera.
struct WillingUser: LocalAuthenticating {
    let isAvailable = true

    func authenticate(_ prompt: AuthenticationPrompt, completion: @escaping @Sendable (Error?) -> Void) {
        completion(nil)
    }
}
