public import PushBridgeCore

/// The accounts, credentials, notifications and device token of a store at one moment.
///
/// The command line, parity and the benchmarks use this type to read and fill stores.
public struct StoreContents: Sendable {
    /// The accounts that have their own records.
    public var accounts: [AccountProfile] = []
    /// The push credentials, each with the data of its account's record.
    public var pushCredentials: [PushCredential] = []
    /// The one-time-password credentials, each with the data of its account's record.
    public var oathCredentials: [OathCredential] = []
    /// The notifications.
    public var notifications: [PushNotification] = []
    /// The device token; `nil` if the store contains none.
    public var deviceToken: PushDeviceToken?
    /// The number of source records that the store keeps verbatim.
    public private(set) var keptRecords = 0
    /// The ids of the records that could not be read.
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

extension CredentialStore {
    /// Reads the store's accounts, credentials, notifications and device token, oldest first.
    ///
    /// - Throws: ``StoreError`` if the store cannot be read. An unreadable record is not an error; see
    ///   ``StoreContents/unreadable``.
    public func contents() throws -> StoreContents {
        try read(StoreContents.init)
    }

    /// Reads the store's accounts, credentials, notifications and device token, oldest first.
    ///
    /// - Parameter progress: Called after every thousand records, on the caller's thread. The first argument
    ///   is the number of records that have been read; the second argument is the number of all records.
    /// - Returns: The contents.
    /// - Throws: ``StoreError`` if the store cannot be read. An unreadable record is not an error; see
    ///   ``StoreContents/unreadable``.
    public func contents(
        progress: @escaping (_ completed: Int, _ total: Int) -> Void
    ) throws -> StoreContents {
        try read { try StoreContents(try $0.reporting(progress)) }
    }

    /// Adds `contents` to the stored records.
    ///
    /// - Parameter contents: The records to store; unreadable and kept records in `contents` are ignored.
    /// - Throws: ``StoreError`` if the store cannot be written; no record is then stored.
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
