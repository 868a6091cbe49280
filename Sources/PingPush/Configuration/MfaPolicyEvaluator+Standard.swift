extension MfaPolicyEvaluator {
    /// What a client evaluates unless told otherwise: the policies whose probes this platform has.
    ///
    /// The lock of a policy that is not among them stays as it is stored.
    public static let standard = MfaPolicyEvaluator(policies: [])
}
