public import PushBridgeCore

// What this repository's tools and benchmarks need of types that no app sees.

@_spi(PushBridgeTools) extension LegacyItem {
    /// What can be read of an item.
    public struct Contents {
        /// The record.
        public let record: LegacyRecord
        /// The account that the record repeats, if it does.
        public let embeddedAccount: LegacyAccount?
        /// Why the record cannot sign, in a sentence; `nil` if it can, and for records that sign nothing.
        public let problem: String?
    }

    /// Decodes the item.
    ///
    /// - Throws: ``LegacyRecordError`` if the item holds no record, a damaged one, or one that cannot be opened.
    public func contents() throws(LegacyRecordError) -> Contents {
        let decoded = try decoded()
        return Contents(
            record: decoded.record,
            embeddedAccount: decoded.embeddedAccount,
            problem: signingFault(decoded)?.reason
        )
    }
}
