extension Divergence {
    /// Every difference between the APIs that is meant; the only place where one is.
    public static let register: [Divergence] = []
}
