public import Foundation

/// What the legacy model knows of a credential and the new one has no field for.
///
/// Kept beside the credential, so that a legacy object can be made from it again without loss.
public struct LegacyDetails: Equatable, Sendable {
    /// The mechanism's format version; `nil` if the legacy record had none.
    public var version: Int?
    /// When the legacy account was added; `nil` if the mechanism had no account record.
    public var accountAddedAt: Date?
    /// The secret as the legacy record spelled it, where re-encoding would spell it otherwise.
    public var secretSpelling: SharedSecret?
    /// What was left of the registration; push only.
    ///
    /// `nil` where the source knew nothing but the server's address, from which the others were made.
    public var registration: LegacyRegistration?

    /// Creates details.
    public init(
        version: Int? = nil,
        accountAddedAt: Date? = nil,
        secretSpelling: SharedSecret? = nil,
        registration: LegacyRegistration? = nil
    ) {
        self.version = version
        self.accountAddedAt = accountAddedAt
        self.secretSpelling = secretSpelling
        self.registration = registration
    }
}

/// The registration that made a push mechanism.
public struct LegacyRegistration: Equatable, Sendable {
    /// The registration's message id.
    public var messageId: String?
    /// The registration's challenge, as text.
    public var challenge: SharedSecret?
    /// The load balancer's cookie pair `name=value`; empty and absent are different.
    public var loadBalancer: String?

    /// Creates a registration.
    public init(messageId: String?, challenge: SharedSecret?, loadBalancer: String?) {
        self.messageId = messageId
        self.challenge = challenge
        self.loadBalancer = loadBalancer
    }
}
