import AuthenticatorCore

extension SQLiteView {
    func legacyAccounts(of account: AccountKey) throws -> [LegacyAccount?] {
        try pushCredentials(account: account).map(\.legacyAccount)
            + oathCredentials(account: account).map(\.legacyAccount)
    }
}
