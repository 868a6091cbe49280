import PushBridgeCore

extension CredentialReading {
    /// What becomes of an account record: credentials carry it, or it is kept.
    func outcome(
        of account: LegacyAccount,
        record: RecordFingerprint,
        survey: Survey
    ) throws -> MigrationOutcome {
        let key = account.profile.key
        let carried = try legacyAccounts(of: key)
        if carried.isEmpty { return survey.willCarry(account) ? .migrated : .kept }
        if carried.contains(nil) { return .migrated }
        return try carried.contains(account) || hasTakenOver(record) ? .alreadyPresent : .kept
    }

    /// Whether an account record was carried over before, so that what differs now was changed in the destination.
    func hasTakenOver(_ record: RecordFingerprint) throws -> Bool {
        guard let known = try ledgerEntry(for: record)?.result else { return false }
        return known.isVerified && (known.outcome == .migrated || known.outcome == .alreadyPresent)
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

    /// An earlier record of the source has this id and says something else.
    static func repeatedId(credentialId: String?) -> MigrationResult {
        MigrationResult(
            .conflict,
            credentialId: credentialId,
            reason: "An earlier record of the source has this id and another content."
        )
    }
}
