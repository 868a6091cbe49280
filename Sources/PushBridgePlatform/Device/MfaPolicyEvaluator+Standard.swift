public import PushBridgeCore

extension MfaPolicyEvaluator {
    /// What a client of any API evaluates unless told otherwise: the policies about which this device can tell.
    ///
    /// These are `biometricAvailable` where there is local authentication, and `deviceTampering` where something
    /// looks for signs of it. Others do not count, and the lock of one stays as it is stored.
    public static var standard: MfaPolicyEvaluator {
        var policies: [any MfaPolicy] = []
        if OwnerAuthentication.isKnown { policies.append(BiometricAvailablePolicy.ofDevice) }
        if TamperingScore.shared.isKnown { policies.append(DeviceTamperingPolicy.ofDevice) }
        return MfaPolicyEvaluator(policies: policies)
    }
}

extension BiometricAvailablePolicy {
    /// Asks this device.
    package static var ofDevice: BiometricAvailablePolicy {
        BiometricAvailablePolicy { OwnerAuthentication.current.isAvailable }
    }
}

extension DeviceTamperingPolicy {
    /// Asks this device.
    package static var ofDevice: DeviceTamperingPolicy {
        DeviceTamperingPolicy { TamperingScore.shared.current() }
    }
}
