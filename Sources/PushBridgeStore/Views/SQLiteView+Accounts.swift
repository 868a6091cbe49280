import PushBridgeCore

extension SQLiteView {
    func legacyAccounts(of account: AccountKey) throws -> [LegacyAccount?] {
        let queries = [PushCredential.queries.carriedAccounts, OathCredential.queries.carriedAccounts]
        return try queries.flatMap { query in
            try all(query) {
                try $0.write(account.issuer)
                try $0.write(account.accountName)
            } read: {
                try LegacyAccount.carried(in: &$0)
            }
        }
    }
}

extension LegacyAccount {
    /// The columns that say what a credential tells of its account; none of them is sealed.
    static let carriedColumns =
        AccountProfile.columns + ["created_at", "is_legacy", "legacy_account_added_at"]

    /// The account as a credential's row carries it, by the rule of ``AccountBound/legacyAccount``.
    fileprivate static func carried(in row: inout RowReader) throws(StoreError) -> LegacyAccount? {
        let profile = try AccountProfile(from: &row)
        let createdAt = try row.date()
        let isLegacy = try row.bool()
        let addedAt = isLegacy ? try row.optionalDate() : createdAt
        return addedAt.map { LegacyAccount(profile: profile, timeAdded: $0) }
    }
}
