extension Divergence {
    /// Every difference between the APIs that is meant; the only place where one is.
    ///
    /// The first that explains a difference is the one that counts.
    public static let register: [Divergence] =
        ofForm + ofRequests + ofErrors + ofTokens + ofEnrolments + ofAnswers + ofAccounts
}
