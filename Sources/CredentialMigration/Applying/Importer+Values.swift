import AuthenticatorCore

/// What each kind of value needs to get in; nothing here is verified yet.
extension Importer {
    /// Gives the account to those of its credentials that lack it; without any credential it is kept.
    func place(_ account: LegacyAccount, of record: PreparedRecord) throws -> MigrationResult {
        if survey.isVariant(account) { return MigrationResult(.kept) }
        let carried = try view.legacyAccounts(of: account.profile.key)
        guard !carried.isEmpty else { return MigrationResult(.kept) }
        let lacksAccount = carried.contains(nil)
        if lacksAccount { try view.adopt(account) }
        return MigrationResult(
            lacksAccount || record.planned.outcome == .migrated ? .migrated : .alreadyPresent
        )
    }

    /// Stores a push credential, unless the destination has it or something else.
    func place(_ credential: PushCredential) throws -> MigrationResult {
        let existing = try view.pushCredential(id: credential.id)
        let disposition = Disposition(credential, existing: existing, policy: options.conflictPolicy)
        if let value = disposition.toStore { try view.save(completed(value)) }
        return disposition.result(credentialId: credential.id)
    }

    /// Stores a one-time-password credential, unless the destination has it or something else.
    func place(_ credential: OathCredential) throws -> MigrationResult {
        let existing = try view.oathCredential(id: credential.id)
        let disposition = Disposition(credential, existing: existing, policy: options.conflictPolicy)
        if let value = disposition.toStore { try view.save(completed(value)) }
        return disposition.result(credentialId: credential.id)
    }

    /// Stores a notification; without a credential it is kept.
    func place(_ notification: PushNotification) throws -> MigrationResult {
        guard try view.isExpected(notification.credentialId, survey: survey) else {
            return MigrationResult(.kept)
        }
        let disposition = Disposition(notification, existing: try view.stored(notification))
        if let value = disposition.toStore { try view.save(value) }
        return disposition.result(credentialId: notification.credentialId)
    }

    /// Stores the device token, unless the destination has a newer one.
    func place(_ token: PushDeviceToken) throws -> MigrationResult {
        let existing = try view.deviceToken()
        let disposition = Disposition(token, existing: existing, policy: options.conflictPolicy)
        if let value = disposition.toStore { try view.save(value) }
        return disposition.result(credentialId: nil)
    }

    /// The credential with the account of its neighbours in the destination, if the source told none.
    private func completed<Credential: AccountBound>(_ credential: Credential) throws -> Credential {
        guard credential.lacksAccount else { return credential }
        let carried = try view.legacyAccounts(of: credential.account.key)
        guard let account = carried.lazy.compactMap(\.self).first else { return credential }
        var completed = credential
        completed.adopt(account)
        return completed
    }
}
