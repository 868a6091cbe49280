import PushBridgeCore

extension KeychainView {
    func forEachPushCredential(_ body: (PushCredential) throws -> Void) throws {
        try all(PushCredentialForm.self).sorted(by: isOlder).forEach(body)
    }

    func pushCredentialIDs() throws -> [String] { try ids(PushCredentialForm.self) }

    func pushCredential(id: String) throws -> PushCredential? { try value(PushCredentialForm.self, id) }

    func pushCredentials(account: AccountKey) throws -> [PushCredential] {
        try all(PushCredentialForm.self).filter { $0.account.key == account }.sorted(by: isOlder)
    }

    func forEachOathCredential(_ body: (OathCredential) throws -> Void) throws {
        try all(OathCredentialForm.self).sorted(by: isOlder).forEach(body)
    }

    func oathCredentialIDs() throws -> [String] { try ids(OathCredentialForm.self) }

    func oathCredential(id: String) throws -> OathCredential? { try value(OathCredentialForm.self, id) }

    func oathCredentials(account: AccountKey) throws -> [OathCredential] {
        try all(OathCredentialForm.self).filter { $0.account.key == account }.sorted(by: isOlder)
    }

    func legacyAccounts(of account: AccountKey) throws -> [LegacyAccount?] {
        try pushCredentials(account: account).map(\.legacyAccount)
            + oathCredentials(account: account).map(\.legacyAccount)
    }

    /// The ids by age; those of damaged items, whose age nobody knows, come last.
    private func ids<Form: KeychainForm>(
        _ form: Form.Type
    ) throws -> [String] where Form.Value: AccountBound & Identifiable, Form.Value.ID == String {
        var readable: [Form.Value] = []
        var damaged: [String] = []
        for account in try accounts(form) {
            do {
                try value(form, account).map { readable.append($0) }
            } catch let error as StoreError where error.code == .damaged {
                damaged.append(account)
            }
        }
        return readable.sorted(by: isOlder).map(\.id) + damaged
    }

    private func isOlder<Credential: AccountBound & Identifiable>(
        _ one: Credential,
        _ other: Credential
    ) -> Bool where Credential.ID == String {
        (one.createdAt, one.id) < (other.createdAt, other.id)
    }
}
