extension StoreBackedStorage {
    /// Stores a new credential; one with the same id is a duplicate.
    public func storePushCredential(_ credential: PushCredential) async throws {
        try write { view in
            guard try view.pushCredential(id: credential.id) == nil else {
                throw PushStorageError.duplicateCredential(credential.id)
            }
            try view.save(credential)
        }
    }

    /// All credentials, oldest first.
    public func getAllPushCredentials() async throws -> [PushCredential] {
        try read { try $0.pushCredentials() }
    }

    /// The credential with an id.
    public func retrievePushCredential(credentialId: String) async throws -> PushCredential? {
        try read { try $0.pushCredential(id: credentialId) }
    }

    /// Removes a credential; answers whether there was one.
    public func removePushCredential(credentialId: String) async throws -> Bool {
        try write { try $0.removePushCredential(id: credentialId) }
    }

    /// Removes all credentials.
    public func clearPushCredentials() async throws {
        try write { view in
            for id in try view.pushCredentialIDs() { try view.removePushCredential(id: id) }
        }
    }

    /// The oldest credential of an account.
    public func getCredentialByIssuerAndAccount(
        issuer: String,
        accountName: String
    ) async throws -> PushCredential? {
        let account = AccountKey(issuer: issuer, accountName: accountName)
        return try read { try $0.pushCredentials(account: account).first }
    }

    /// Stores the device token; there is only one.
    public func storePushDeviceToken(_ token: PushDeviceToken) async throws {
        try write { try $0.save(token) }
    }

    /// The device token.
    public func getCurrentPushDeviceToken() async throws -> PushDeviceToken? {
        try read { try $0.deviceToken() }
    }

    /// Removes the device token.
    public func clearPushDeviceTokens() async throws {
        try write { view in _ = try view.removeDeviceToken() }
    }
}
