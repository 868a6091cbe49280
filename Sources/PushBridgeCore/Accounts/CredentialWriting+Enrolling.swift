extension CredentialWriting {
    /// Stores a new push credential that the server registered under a device token; answers it as stored.
    ///
    /// It shares the profile of its account. Should the token have changed while the registration was on its way,
    /// the new one is owed to the server.
    package func enrol(
        _ credential: PushCredential,
        registeredWith token: PushDeviceToken,
        known: AccountProfile? = nil
    ) throws -> PushCredential {
        var enrolled = credential
        enrolled.account = try settledProfile(for: credential.account, known: known)
        try date(&enrolled)
        try save(enrolled)
        try share(enrolled.account)
        if var current = try deviceToken(), !current.isSameDevice(as: token) {
            current.unconfirmedCredentialIds.insert(credential.id)
            try save(current)
        }
        return enrolled
    }

    /// Stores a new one-time-password credential; it shares the profile of its account.
    package func enrol(_ credential: OathCredential, known: AccountProfile? = nil) throws -> OathCredential {
        var enrolled = credential
        enrolled.account = try settledProfile(for: credential.account, known: known)
        try date(&enrolled)
        try save(enrolled)
        try share(enrolled.account)
        return enrolled
    }

    /// Removes a push credential with its notifications and what is owed to its server; answers whether there was
    /// one.
    @discardableResult
    package func dismissPushCredential(id: String) throws -> Bool {
        try removeNotifications(NotificationQuery(credentialId: id))
        if var token = try deviceToken(), token.unconfirmedCredentialIds.remove(id) != nil { try save(token) }
        return try removePushCredential(id: id)
    }

    /// Gives a new credential the date of its account, which stays as old as its first credential.
    private func date(_ credential: inout some AccountBound) throws {
        let known = try legacyAccounts(of: credential.account.key).lazy.compactMap(\.self)
        guard let oldest = known.map(\.timeAdded).min() else { return }
        credential.legacy?.accountAddedAt = oldest
    }
}
