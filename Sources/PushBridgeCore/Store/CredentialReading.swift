/// A consistent view of a store, valid only inside ``CredentialStore/read(_:)`` or
/// ``CredentialStore/write(_:)``, on the thread that called it.
///
/// Sequences come oldest first, one element at a time, so that memory does not grow with the store.
public protocol CredentialReading {
    /// Calls `body` with every push credential, oldest first.
    func forEachPushCredential(_ body: (PushCredential) throws -> Void) throws
    /// The ids of all push credentials, oldest first; opens no secret.
    func pushCredentialIDs() throws -> [String]
    /// The push credential with an id.
    func pushCredential(id: String) throws -> PushCredential?
    /// The push credentials of an account, oldest first.
    func pushCredentials(account: AccountKey) throws -> [PushCredential]

    /// Calls `body` with every one-time-password credential, oldest first.
    func forEachOathCredential(_ body: (OathCredential) throws -> Void) throws
    /// The ids of all one-time-password credentials, oldest first; opens no secret.
    func oathCredentialIDs() throws -> [String]
    /// The one-time-password credential with an id.
    func oathCredential(id: String) throws -> OathCredential?
    /// The one-time-password credentials of an account, oldest first.
    func oathCredentials(account: AccountKey) throws -> [OathCredential]

    /// The account as each of its credentials of either kind carries it, `nil` for one that came without any.
    ///
    /// Opens no secret, so it costs less than reading the credentials.
    func legacyAccounts(of account: AccountKey) throws -> [LegacyAccount?]

    /// Calls `body` with every notification that the query selects, oldest first.
    func forEachNotification(_ query: NotificationQuery, _ body: (PushNotification) throws -> Void) throws
    /// The notification with an id.
    func notification(id: String) throws -> PushNotification?
    /// The notification with a server's message id.
    func notification(messageId: String) throws -> PushNotification?
    /// How many notifications the query selects.
    func notificationCount(_ query: NotificationQuery) throws -> Int

    /// The current device token.
    func deviceToken() throws -> PushDeviceToken?

    /// What became of a legacy record, if it was ever migrated to this store.
    func ledgerEntry(for record: RecordFingerprint) throws -> LedgerEntry?
    /// Calls `body` with every ledger entry, in the order of their recording.
    func forEachLedgerEntry(_ body: (LedgerEntry) throws -> Void) throws
    /// The names of all legacy records kept verbatim, in the order of their recording; opens none.
    func preservedFingerprints() throws -> [RecordFingerprint]
    /// A legacy record kept verbatim.
    func preservedRecord(for record: RecordFingerprint) throws -> PreservedRecord?
    /// Calls `body` with every legacy record kept verbatim, in the order of their recording.
    func forEachPreservedRecord(_ body: (PreservedRecord) throws -> Void) throws
}
