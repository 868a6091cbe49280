extension MfaPolicyEvaluator {
    /// What a client evaluates unless told otherwise: no policy, because the probes are the app's.
    ///
    /// Policies that a server attaches are kept and not enforced; a lock that is stored stays.
    public static let standard = MfaPolicyEvaluator(policies: [])
}
