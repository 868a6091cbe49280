extension LegacyMechanism {
    /// The profile of a mechanism whose account has no record.
    var bareProfile: AccountProfile {
        AccountProfile(issuer: account.issuer, accountName: account.accountName)
    }
}

extension LegacyRegistration {
    /// The registration of a credential that the legacy SDK never saw.
    static let none = LegacyRegistration(messageId: nil, challenge: nil, loadBalancer: nil)
}

extension SharedSecret {
    /// This spelling, or `nil` if it is the canonical one, which needs no keeping.
    func unless(spelled canonical: SharedSecret) -> SharedSecret? {
        self == canonical ? nil : self
    }
}
