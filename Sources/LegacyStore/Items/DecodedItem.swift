public import AuthenticatorCore

/// What a legacy item says.
public struct DecodedItem: Equatable, Sendable {
    /// The record.
    public let record: LegacyRecord
    /// The account that a migration export nests in its mechanisms; `nil` in every other container.
    public let embeddedAccount: LegacyAccount?

    /// Creates a decoded item.
    public init(record: LegacyRecord, embeddedAccount: LegacyAccount? = nil) {
        self.record = record
        self.embeddedAccount = embeddedAccount
    }
}
