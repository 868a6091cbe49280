/// Everything that a transaction changes, collected to be carried out later, and then as a whole.
package struct StoreChanges: Sendable {
    package var pushCredentials = ValueChanges<String, PushCredential>()
    package var oathCredentials = ValueChanges<String, OathCredential>()
    package var notifications = ValueChanges<String, PushNotification>()
    package var deviceToken = ValueChanges<DeviceTokenID, PushDeviceToken>()
    package var ledger = ValueChanges<RecordFingerprint, LedgerEntry>()
    package var preserved = ValueChanges<RecordFingerprint, PreservedRecord>()

    package init() {}

    package var isEmpty: Bool {
        pushCredentials.isEmpty && oathCredentials.isEmpty && notifications.isEmpty && deviceToken.isEmpty
            && ledger.isEmpty && preserved.isEmpty
    }

    /// Carries the changes out in another transaction.
    package func apply(to view: any CredentialWriting) throws {
        for id in pushCredentials.removed { try view.removePushCredential(id: id) }
        for id in oathCredentials.removed { try view.removeOathCredential(id: id) }
        for id in notifications.removed { try view.removeNotification(id: id) }
        if !deviceToken.removed.isEmpty { try view.removeDeviceToken() }
        for record in preserved.removed { try view.removePreservedRecord(for: record) }
        try pushCredentials.saved.forEach { try view.save($0.value) }
        try oathCredentials.saved.forEach { try view.save($0.value) }
        try notifications.saved.forEach { try view.save($0.value) }
        try deviceToken.saved.forEach { try view.save($0.value) }
        try ledger.saved.forEach { try view.record($0.value) }
        try preserved.saved.forEach { try view.preserve($0.value) }
    }
}

/// The id of the device token, of which there is only one.
package enum DeviceTokenID: Sendable {
    case current
}
