public import Foundation

/// A one-time-password credential as a QR code carries it.
public struct OathRegistration: Equatable, Sendable {
    /// The account, with image, colour and policies.
    public var account: AccountProfile
    /// How codes are made: key, hash function and length.
    public let password: OneTimePassword
    /// What moves the code on: time or a counter.
    public let movingFactor: OathMovingFactor
    /// The user's id at the server.
    public var userId: String?
    /// The device profile's id at the server.
    public var resourceId: String?

    /// Creates a registration; everything optional is set afterwards.
    public init(account: AccountProfile, password: OneTimePassword, movingFactor: OathMovingFactor) {
        self.account = account
        self.password = password
        self.movingFactor = movingFactor
    }

    /// The credential to store.
    public func credential(id: String, createdAt: Date) -> OathCredential {
        var credential = OathCredential(
            id: id,
            account: account,
            password: password,
            movingFactor: movingFactor,
            createdAt: createdAt
        )
        credential.userId = userId
        credential.resourceId = resourceId
        // The legacy projection needs an account with a date, and the account's other credentials take its names.
        credential.legacy = LegacyDetails(accountAddedAt: createdAt)
        return credential
    }
}
