package import Foundation

extension CredentialReading {
    /// Whether an account has any credential, one that cannot be read included.
    package func hasCredentials(_ key: AccountKey) throws -> Bool {
        let query = RecordQuery(owner: key.recordID, limit: 1)
        return try count(of: PushCredential.self, where: query) > 0
            || count(of: OathCredential.self, where: query) > 0
    }
}

extension CredentialWriting {
    /// The account of a new credential: what it is already called and under which lock it stands, with whatever image,
    /// colour and policies the registration brought; as old as its first credential.
    package func settledAccount(for registered: AccountProfile, at now: Date) throws -> AccountProfile {
        guard var account = try account(registered.key) else {
            var account = registered
            account.addedAt = account.addedAt ?? now
            return account
        }
        account.imageURL = registered.imageURL ?? account.imageURL
        account.backgroundColor = registered.backgroundColor ?? account.backgroundColor
        account.policies = registered.policies ?? account.policies
        account.addedAt = account.addedAt ?? now
        return account
    }

    /// Stores a new push credential that the server registered under a device token.
    ///
    /// Should the token have changed while the registration was on its way, the new one is owed to the server.
    /// - Returns: The credential as stored, with the account that it shares.
    package func enrol(
        _ credential: PushCredential,
        registeredWith token: PushDeviceToken
    ) throws -> PushCredential {
        var enrolled = credential
        enrolled.account = try settledAccount(for: credential.account, at: credential.createdAt)
        try save(enrolled)
        if var current = try deviceToken(), !current.isSameDevice(as: token) {
            current.unconfirmedCredentialIds.insert(credential.id)
            try save(current)
        }
        return enrolled
    }

    /// Stores a new one-time-password credential.
    /// - Returns: The credential as stored, with the account that it shares.
    package func enrol(_ credential: OathCredential) throws -> OathCredential {
        var enrolled = credential
        enrolled.account = try settledAccount(for: credential.account, at: credential.createdAt)
        try save(enrolled)
        return enrolled
    }

    /// Removes a push credential with its notifications and what is owed to its server; its account stays.
    /// - Returns: Whether there was one.
    @discardableResult
    package func dismissPushCredential(id: String) throws -> Bool {
        try removeCompanions(ofPushCredential: id)
        return try removePushCredential(id: id)
    }

    /// Removes a push credential as ``dismissPushCredential(id:)`` does, and its account with its last credential.
    /// - Returns: Whether there was one.
    package func deletePushCredential(id: String) throws -> Bool {
        try removeCompanions(ofPushCredential: id)
        return try deleteCredential(PushCredential.self, id: id)
    }

    /// Removes a credential, and its account with its last credential; notifications stay.
    /// - Returns: Whether there was one.
    @discardableResult
    package func deleteCredential<Credential: StoredCredential>(
        _ type: Credential.Type,
        id: String
    ) throws -> Bool {
        let account = try fetch(type, where: RecordQuery(id: id)).first?.account.key
        guard try remove(type, where: RecordQuery(id: id)) > 0 else { return false }
        if let account { try forgetAccountWithoutCredentials(account) }
        return true
    }

    /// Removes an account that has no credential any more.
    package func forgetAccountWithoutCredentials(_ key: AccountKey) throws {
        guard try keepsAccounts && !hasCredentials(key) else { return }
        try remove(AccountProfile.self, where: RecordQuery(id: key.recordID))
    }

    /// Removes an account with its credentials and their notifications.
    /// - Returns: Whether there was anything.
    package func removeAccount(_ key: AccountKey) throws -> Bool {
        let owned = RecordQuery(owner: key.recordID)
        var removed = 0
        for id in try ids(of: PushCredential.self, where: owned) {
            removed += try dismissPushCredential(id: id) ? 1 : 0
        }
        removed += try remove(OathCredential.self, where: owned)
        removed += try remove(AccountProfile.self, where: RecordQuery(id: key.recordID))
        return removed > 0
    }

    private func removeCompanions(ofPushCredential id: String) throws {
        try removeNotifications(NotificationQuery(credentialId: id))
        if var token = try deviceToken(), token.unconfirmedCredentialIds.remove(id) != nil { try save(token) }
    }
}
