public import PushBridgeCore

/// A store that can drop changes.
///
/// The parity tests use this store to check that parity detects a missing change on one side.
public struct ForgetfulStore: CredentialStore {
    /// A change that the store can drop.
    ///
    /// All other changes are always performed.
    public enum Change: Sendable {
        /// Stores an account.
        case account(AccountProfile)
        /// Stores a push credential.
        case credential(PushCredential)
        /// Stores a notification.
        case notification(PushNotification)
        /// Stores the device token.
        case token(PushDeviceToken)
        /// Removes notifications.
        case removalOfNotifications
    }

    /// The backing of this store, which drops changes.
    public let backing: StoreBacking

    /// Creates a store.
    /// - Parameters:
    ///   - store: The store that contains the records.
    ///   - keeps: Returns whether a change is performed.
    public init(_ store: any CredentialStore, keeps: @escaping @Sendable (Change) -> Bool) {
        backing = StoreBacking(ForgetfulRecords(records: store.backing.records, keeps: keeps))
    }
}

private struct ForgetfulRecords: RecordStore {
    let records: any RecordStore
    let keeps: @Sendable (ForgetfulStore.Change) -> Bool

    func read<Value>(_ body: (any CredentialReading) throws -> Value) throws -> Value {
        try records.read(body)
    }

    func write<Value>(_ body: (any CredentialWriting) throws -> Value) throws -> Value {
        try records.write { try $0.collecting(admitting: admits, body) }
    }

    var changes: AsyncStream<Void> { records.changes }

    private func admits(_ verb: RecordVerb) -> Bool {
        switch verb {
        case .put(let account as AccountProfile): keeps(.account(account))
        case .put(let credential as PushCredential): keeps(.credential(credential))
        case .put(let notification as PushNotification): keeps(.notification(notification))
        case .put(let token as PushDeviceToken): keeps(.token(token))
        case .remove(.notification): keeps(.removalOfNotifications)
        case .read, .put, .remove: true
        }
    }
}
