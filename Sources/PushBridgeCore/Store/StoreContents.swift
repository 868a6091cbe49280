/// What a store holds at one moment: how the command line, parity and the benchmarks see stores, and fill them.
@_spi(PushBridgeTools) public struct StoreContents: Sendable {
    /// The accounts that have records of their own.
    public var accounts: [AccountProfile] = []
    /// The push credentials, each as its account's record has it.
    public var pushCredentials: [PushCredential] = []
    /// The one-time-password credentials, each as its account's record has it.
    public var oathCredentials: [OathCredential] = []
    /// The notifications.
    public var notifications: [PushNotification] = []
    /// The device token.
    public var deviceToken: PushDeviceToken?
    /// How many legacy records are kept verbatim.
    public private(set) var keptRecords = 0
    /// The ids of the records that cannot be read.
    public private(set) var unreadable: [String] = []

    /// Creates the contents of an empty store.
    public init() {}

    fileprivate init(_ view: any CredentialReading) throws {
        accounts = collect(try view.accounts())
        pushCredentials = collect(try view.pushCredentials())
        oathCredentials = collect(try view.oathCredentials())
        notifications = collect(try view.notifications())
        deviceToken = collect(try view.fetch(PushDeviceToken.self)).first
        keptRecords = collect(try view.keptRecords()).count
    }

    private mutating func collect<Value>(_ fetched: Fetched<Value>) -> [Value] {
        unreadable += fetched.unreadable.compactMap(\.record)
        return fetched.values
    }
}

@_spi(PushBridgeTools) extension CredentialStore {
    /// Everything in the store, oldest first.
    ///
    /// - Throws: ``StoreError`` if the store cannot be read; a record that cannot is listed in the contents.
    public func contents() throws -> StoreContents {
        try read(StoreContents.init)
    }

    /// Stores what is in `contents`, beside what is there.
    ///
    /// - Parameter contents: What to store; what it says of unreadable and kept records does not count.
    /// - Throws: ``StoreError`` if the store cannot be written; then nothing is stored.
    public func add(_ contents: StoreContents) throws {
        try write { view in
            for account in contents.accounts { try view.save(account) }
            for credential in contents.pushCredentials { try view.save(credential) }
            for credential in contents.oathCredentials { try view.save(credential) }
            for notification in contents.notifications { try view.save(notification) }
            if let token = contents.deviceToken { try view.save(token) }
        }
    }
}

/// A store that does only what it is let, with which the tests of parity see that a side's fault is noticed.
@_spi(PushBridgeTools) public struct ForgetfulStore: CredentialStore {
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
