import PushBridgeCore

/// What each kind of value needs to get in; nothing here is verified yet.
extension Importer {
    /// Gives the account to those of its credentials that lack it; what no credential carries is kept.
    func place(_ account: LegacyAccount, of record: PreparedRecord) throws -> MigrationResult {
        if survey.isVariant(account) { return MigrationResult(.kept) }
        let fingerprint = record.source.fingerprint
        let carried = try view.legacyAccounts(of: account.profile.key)
        if carried.contains(nil) {
            try view.adopt(account)
            return MigrationResult(.migrated)
        }
        if carried.contains(account) {
            return MigrationResult(record.planned.outcome == .migrated ? .migrated : .alreadyPresent)
        }
        let isKnown = try !carried.isEmpty && view.hasTakenOver(fingerprint)
        return MigrationResult(isKnown ? .alreadyPresent : .kept)
    }

    /// Stores a push credential, unless the destination has it or something else.
    func place(_ credential: PushCredential) throws -> MigrationResult {
        let existing = try view.pushCredential(id: credential.id)
        let disposition = Disposition(credential, existing: existing, policy: options.conflictPolicy)
        if let value = disposition.toStore { try view.save(completed(value)) }
        if existing == nil { try oweDeviceToken(to: credential) }
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
        if var value = disposition.toStore {
            // The servers of the source's credentials know the token; those of others know an older one.
            value.unconfirmedCredentialIds = Set(try view.pushCredentialIDs()).subtracting(
                survey.credentialIds
            )
            try view.save(value)
        }
        return disposition.result(credentialId: nil)
    }

    /// Notes that the server of a new credential has to be told the destination's token, unless it is the source's.
    private func oweDeviceToken(to credential: PushCredential) throws {
        guard var stored = try view.deviceToken() else { return }
        if let known = survey.deviceToken, known.isSameDevice(as: stored) { return }
        guard stored.unconfirmedCredentialIds.insert(credential.id).inserted else { return }
        try view.save(stored)
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
