import AuthenticatorCore

extension FRAClient {
    /// What asks the user before a biometric push is approved: the platform's, unless an app brings its own.
    public static var localAuthentication: any LocalAuthenticating {
        get { authentication.withValue { $0 } }
        set { authentication.withValue { $0 = newValue } }
    }

    #if canImport(LocalAuthentication)
    private static let authentication = Lock<any LocalAuthenticating>(DeviceAuthentication())
    #else
    private static let authentication = Lock<any LocalAuthenticating>(NoLocalAuthentication())
    #endif
}
