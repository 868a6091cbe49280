import AuthenticatorCore

extension SQLiteView {
    func legacyAccounts(of account: AccountKey) throws -> [LegacyAccount?] {
        try pushCredentials(account: account).map(\.legacyAccount)
            + oathCredentials(account: account).map(\.legacyAccount)
    }
}

extension SQLiteView {
    func pushCredentialIDs() throws -> [String] { try pushCredentials().map(\.id) }
    func oathCredentialIDs() throws -> [String] { try oathCredentials().map(\.id) }
    func preservedFingerprints() throws -> [RecordFingerprint] { try preservedRecords().map(\.record) }
}
