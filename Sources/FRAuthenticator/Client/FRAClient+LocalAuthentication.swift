public import PushBridgePlatform

extension FRAClient {
    /// What asks the user before a biometric push is approved: the platform's, unless an app brings its own.
    public static var localAuthentication: any LocalAuthenticating {
        get { OwnerAuthentication.current }
        set { OwnerAuthentication.current = newValue }
    }
}
