import PushBridgeCore

extension LegacyDetails {
    /// The columns of legacy details, in every table of credentials.
    ///
    /// Two of them are flags, because details without any value differ from no details.
    static let columns = [
        "is_legacy", "legacy_version", "legacy_account_added_at", "legacy_secret_spelling",
        "has_registration", "registration_message_id", "registration_challenge", "registration_load_balancer",
    ]

    static func write(_ details: LegacyDetails?, to row: inout RowWriter) throws(StoreError) {
        try row.write(details != nil)
        try row.write(details?.version)
        try row.write(details?.accountAddedAt)
        try row.write(sealing: details?.secretSpelling, as: "legacy_secret_spelling")
        let registration = details?.registration
        try row.write(registration != nil)
        try row.write(registration?.messageId)
        try row.write(sealing: registration?.challenge, as: "registration_challenge")
        try row.write(registration?.loadBalancer)
    }

    static func read(from row: inout RowReader) throws(StoreError) -> LegacyDetails? {
        let isLegacy = try row.bool()
        var details = LegacyDetails(
            version: try row.optionalInt(),
            accountAddedAt: try row.optionalDate(),
            secretSpelling: try row.optionalSecret("legacy_secret_spelling")
        )
        let hasRegistration = try row.bool()
        let registration = LegacyRegistration(
            messageId: try row.optionalText(),
            challenge: try row.optionalSecret("registration_challenge"),
            loadBalancer: try row.optionalText()
        )
        if hasRegistration { details.registration = registration }
        return isLegacy ? details : nil
    }
}
