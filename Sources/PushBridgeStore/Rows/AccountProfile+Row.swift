import PushBridgeCore

extension AccountProfile {
    /// The columns of a profile, in every table of credentials.
    static let columns = [
        "issuer", "account_name", "custom_issuer", "custom_account_name", "image_url", "background_color",
        "policies", "locking_policy", "is_locked",
    ]

    func write(to row: inout RowWriter) throws(StoreError) {
        try row.write(issuer)
        try row.write(accountName)
        try row.write(customDisplayIssuer)
        try row.write(customDisplayAccountName)
        try row.write(imageURL)
        try row.write(backgroundColor)
        try row.write(policies)
        try row.write(lockingPolicy)
        try row.write(isLocked)
    }

    init(from row: inout RowReader) throws(StoreError) {
        self.init(issuer: try row.text(), accountName: try row.text())
        customDisplayIssuer = try row.optionalText()
        customDisplayAccountName = try row.optionalText()
        imageURL = try row.optionalText()
        backgroundColor = try row.optionalText()
        policies = try row.optionalText()
        lockingPolicy = try row.optionalText()
        isLocked = try row.bool()
    }
}
