import AuthenticatorCore

extension CredentialReading {
    /// What becomes of an account: its credentials carry it, and without any it is kept.
    func accountOutcome(_ key: AccountKey, survey: Survey) throws -> MigrationOutcome {
        let carried = try legacyAccounts(of: key)
        if carried.contains(nil) { return .migrated }
        if !carried.isEmpty { return .alreadyPresent }
        return survey.accountsWithCredentials.contains(key) ? .migrated : .kept
    }

    /// Whether a push credential is in the destination, or in the source and will be.
    func isExpected(_ credentialId: String, survey: Survey) throws -> Bool {
        try survey.credentialIds.contains(credentialId) || pushCredential(id: credentialId) != nil
    }

    /// The stored notification that is the same push: by id, else by the server's message id.
    func stored(_ notification: PushNotification) throws -> PushNotification? {
        if let same = try self.notification(id: notification.id) { return same }
        guard let same = try self.notification(messageId: notification.messageId) else { return nil }
        return same.credentialId == notification.credentialId ? same : nil
    }
}

extension AccountBound {
    /// Whether the credential came from a mechanism whose account record had not been read.
    var lacksAccount: Bool {
        guard let legacy else { return false }
        return legacy.accountAddedAt == nil
    }
}

extension MigrationResult {
    /// The destination has something under this id and cannot tell what; it is not overwritten.
    static func unreadableDestination(credentialId: String?) -> MigrationResult {
        MigrationResult(
            .conflict,
            credentialId: credentialId,
            reason: "The destination's record with this id cannot be read."
        )
    }
}
