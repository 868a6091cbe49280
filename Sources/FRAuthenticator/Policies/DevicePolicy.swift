/// A policy about which only some devices can tell.
protocol DevicePolicy {
    /// Whether this device can tell now.
    ///
    /// Where it cannot, the policy is as good as one that nobody knows: it violates nothing and unlocks nothing.
    var isKnown: Bool { get }
}
