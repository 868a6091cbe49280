public import PushBridgeCore

/// A store that does only what it is let, with which the tests of parity see that a side's fault is noticed.
public struct ForgetfulStore: CredentialStore {
    /// What a store is told to do; more than this it always does.
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

    /// The records behind the store.
    public let backing: StoreBacking

    /// Creates a store.
    /// - Parameters:
    ///   - store: The store that keeps the records.
    ///   - keeps: Whether a change is made.
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
        try records.write { try body(ForgetfulView(view: $0, keeps: keeps)) }
    }

    var changes: AsyncStream<Void> { records.changes }
}

private struct ForgetfulView: CredentialWriting {
    let view: any CredentialWriting
    let keeps: @Sendable (ForgetfulStore.Change) -> Bool

    var repeatsAccounts: Bool { view.repeatsAccounts }
    var keepsAccounts: Bool { view.keepsAccounts }

    func forEach<Value: StoredRecord>(
        _ type: Value.Type,
        where query: RecordQuery,
        _ body: (Value) throws -> Void
    ) throws -> [StoreError] {
        try view.forEach(type, where: query, body)
    }

    func ids<Value: StoredRecord>(of type: Value.Type, where query: RecordQuery) throws -> [String] {
        try view.ids(of: type, where: query)
    }

    func count<Value: StoredRecord>(of type: Value.Type, where query: RecordQuery) throws -> Int {
        try view.count(of: type, where: query)
    }

    func put(_ value: some StoredRecord) throws {
        let change: ForgetfulStore.Change? =
            switch value {
            case let account as AccountProfile: .account(account)
            case let credential as PushCredential: .credential(credential)
            case let notification as PushNotification: .notification(notification)
            case let token as PushDeviceToken: .token(token)
            default: nil
            }
        if change.map(keeps) ?? true { try view.put(value) }
    }

    func remove<Value: StoredRecord>(_ type: Value.Type, where query: RecordQuery) throws -> Int {
        guard type.recordKind != .notification || keeps(.removalOfNotifications) else { return 0 }
        return try view.remove(type, where: query)
    }
}
