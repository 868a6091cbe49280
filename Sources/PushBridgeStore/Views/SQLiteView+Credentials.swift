import PushBridgeCore

extension SQLiteView {
    func forEachPushCredential(_ body: (PushCredential) throws -> Void) throws {
        try forEach(PushCredential.queries.list, body)
    }

    func pushCredential(id: String) throws -> PushCredential? {
        try first(PushCredential.queries.find) { try $0.write(id) }
    }

    func pushCredentials(account: AccountKey) throws -> [PushCredential] {
        try credentials(of: account)
    }

    func forEachOathCredential(_ body: (OathCredential) throws -> Void) throws {
        try forEach(OathCredential.queries.list, body)
    }

    func oathCredential(id: String) throws -> OathCredential? {
        try first(OathCredential.queries.find) { try $0.write(id) }
    }

    func oathCredentials(account: AccountKey) throws -> [OathCredential] {
        try credentials(of: account)
    }

    func save(_ credential: PushCredential) throws { try save(row: credential) }

    func removePushCredential(id: String) throws -> Bool {
        try execute(PushCredential.queries.removal) { try $0.write(id) } > 0
    }

    func save(_ credential: OathCredential) throws { try save(row: credential) }

    func removeOathCredential(id: String) throws -> Bool {
        try execute(OathCredential.queries.removal) { try $0.write(id) } > 0
    }

    private func credentials<Credential: StoredCredential>(of account: AccountKey) throws -> [Credential] {
        try all(Credential.queries.ofAccount) {
            try $0.write(account.issuer)
            try $0.write(account.accountName)
        }
    }
}
