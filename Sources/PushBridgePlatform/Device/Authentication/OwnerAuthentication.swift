import PushBridgeCore

/// What asks the user in all APIs of this process: the platform's, unless an app brings its own.
package enum OwnerAuthentication {
    private static let held = Lock<any LocalAuthenticating>(DeviceAuthentication())

    package static var current: any LocalAuthenticating {
        get { held.withValue { $0 } }
        set { held.withValue { $0 = newValue } }
    }

    /// Whether there is anyone who could tell that biometric authentication is available.
    package static var isKnown: Bool { !(current is NoLocalAuthentication) }
}
