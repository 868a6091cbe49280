/// A view of a store that can change it, valid only inside ``CredentialStore/write(_:)``.
///
/// Saving replaces what has the same id. Removing answers whether there was anything to remove. Sequences are read
/// before the first call of their body, which may therefore change what it walks along.
public protocol CredentialWriting: CredentialReading {
    /// Stores a push credential.
    func save(_ credential: PushCredential) throws
    /// Removes a push credential; its notifications stay.
    @discardableResult
    func removePushCredential(id: String) throws -> Bool

    /// Stores a one-time-password credential.
    func save(_ credential: OathCredential) throws
    /// Removes a one-time-password credential.
    @discardableResult
    func removeOathCredential(id: String) throws -> Bool

    /// Stores a notification.
    func save(_ notification: PushNotification) throws
    /// Removes a notification.
    @discardableResult
    func removeNotification(id: String) throws -> Bool
    /// Removes all notifications that the query selects, and answers how many.
    @discardableResult
    func removeNotifications(_ query: NotificationQuery) throws -> Int

    /// Stores the device token; there is only one.
    func save(_ token: PushDeviceToken) throws
    /// Removes the device token.
    @discardableResult
    func removeDeviceToken() throws -> Bool

    /// Records what became of a legacy record, replacing an earlier entry for it.
    func record(_ entry: LedgerEntry) throws
    /// Keeps a legacy record verbatim.
    func preserve(_ record: PreservedRecord) throws
    /// Removes a legacy record that was kept verbatim.
    @discardableResult
    func removePreservedRecord(for record: RecordFingerprint) throws -> Bool
}
