public import PushBridgeCore

/// What a legacy item says.
public struct DecodedItem: Equatable, Sendable {
    /// The record.
    public let record: LegacyRecord
    /// The account that a migration export nests in its mechanisms, or a credential of the new SDK repeats.
    public let embeddedAccount: LegacyAccount?
    /// What only notifications of the new SDK say.
    public let receipt: NotificationReceipt?

    /// Creates a decoded item.
    public init(
        record: LegacyRecord,
        embeddedAccount: LegacyAccount? = nil,
        receipt: NotificationReceipt? = nil
    ) {
        self.record = record
        self.embeddedAccount = embeddedAccount
        self.receipt = receipt
    }
}
