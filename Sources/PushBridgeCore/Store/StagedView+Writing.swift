extension StagedView: CredentialWriting {
    package func save(_ credential: PushCredential) {
        changes.pushCredentials.save(credential, id: credential.id)
    }

    package func removePushCredential(id: String) throws -> Bool {
        guard try isThere({ try pushCredential(id: id) }) else { return false }
        changes.pushCredentials.remove(id)
        return true
    }

    package func save(_ credential: OathCredential) {
        changes.oathCredentials.save(credential, id: credential.id)
    }

    package func removeOathCredential(id: String) throws -> Bool {
        guard try isThere({ try oathCredential(id: id) }) else { return false }
        changes.oathCredentials.remove(id)
        return true
    }

    package func save(_ notification: PushNotification) {
        changes.notifications.save(notification, id: notification.id)
    }

    package func removeNotification(id: String) throws -> Bool {
        guard try isThere({ try notification(id: id) }) else { return false }
        changes.notifications.remove(id)
        return true
    }

    package func removeNotifications(_ query: NotificationQuery) throws -> Int {
        let doomed = try idsToRemove(query)
        for id in doomed { changes.notifications.remove(id) }
        return doomed.count
    }

    package func save(_ token: PushDeviceToken) {
        changes.deviceToken.save(token, id: .current)
    }

    package func removeDeviceToken() throws -> Bool {
        guard try isThere({ try deviceToken() }) else { return false }
        changes.deviceToken.remove(.current)
        return true
    }

    package func record(_ entry: LedgerEntry) {
        changes.ledger.save(entry, id: entry.record)
    }

    package func preserve(_ record: PreservedRecord) {
        changes.preserved.save(record, id: record.record)
    }

    package func removePreservedRecord(for record: RecordFingerprint) throws -> Bool {
        guard try isThere({ try preservedRecord(for: record) }) else { return false }
        changes.preserved.remove(record)
        return true
    }
}
