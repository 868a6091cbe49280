import Crypto
package import Foundation
package import PushBridgeCore

/// The items of one store; converts the errors of the keychain into ``StoreError``.
package struct KeychainItems: Sendable {
    package let keychain: any Keychain
    let services: KeychainServices
    let accessGroup: String?
    let accessibility: KeychainAccessibility

    /// Creates the access to a store's items in a keychain.
    /// - Parameters:
    ///   - keychain: The keychain.
    ///   - services: The names of the services.
    ///   - accessGroup: The group of apps that share the items; `nil` means the app's first group for new
    ///     items, and all groups of the app in queries.
    ///   - accessibility: The accessibility of new items.
    package init(
        keychain: any Keychain,
        services: KeychainServices = KeychainServices(),
        accessGroup: String?,
        accessibility: KeychainAccessibility
    ) {
        self.keychain = keychain
        self.services = services
        self.accessGroup = accessGroup
        self.accessibility = accessibility
    }

    /// Returns the group of each item of a service; empty if the keychain provides no groups.
    func groups(of service: String) throws(StoreError) -> [String] {
        do {
            return try keychain.names(service: service, accessGroup: nil).compactMap(\.accessGroup)
        } catch {
            throw StoreError(error, "Listing \(service) in the keychain")
        }
    }

    /// Returns the group to which the keychain adds an item without a group; `nil` if it provides no groups.
    ///
    /// The method finds the group with a test item, which it adds and removes.
    func defaultGroup() throws(StoreError) -> String? {
        let service = "\(services.credentials).probe"
        let name = KeychainItem.Name(service: service, account: UUID().uuidString)
        do {
            try keychain.add(KeychainItem(name, data: Data(), accessibility: .afterFirstUnlock))
            let group = try keychain.names(service: service, accessGroup: nil)
                .first { $0.account == name.account }?.accessGroup
            try keychain.remove(name)
            return group
        } catch {
            throw StoreError(error, "Finding the default group of the keychain")
        }
    }

    package func accounts(_ service: String) throws(StoreError) -> [String] {
        do {
            return try keychain.accounts(service: service, accessGroup: accessGroup)
        } catch {
            throw StoreError(error, "Listing \(service) in the keychain")
        }
    }

    package func data(_ account: String, of service: String) throws(StoreError) -> Data? {
        do {
            return try keychain.data(name(account, of: service))
        } catch {
            throw StoreError(error, "Reading \(service) in the keychain", record: account)
        }
    }

    /// Returns all items of a service, each with its data or the reason why the keychain does not return it.
    /// - Throws: ``StoreError`` if the keychain is locked or does not list the items.
    package func all(
        of service: String
    ) throws(StoreError) -> [(account: String, data: Result<Data, StoreError>)] {
        do {
            return try keychain.items(service: service, accessGroup: accessGroup).map {
                ($0.name.account, .success($0.data))
            }
        } catch  where error.code == .locked {
            throw StoreError(error, "Reading \(service) in the keychain")
        } catch {
            // If the keychain refuses to return one item, the query for all may fail, so each item is read separately.
        }
        var items: [(account: String, data: Result<Data, StoreError>)] = []
        for account in try accounts(service) {
            if let data = try item(account, of: service) { items.append((account, data)) }
        }
        return items
    }

    /// Returns the look-up keys of a service's items; `nil` if the keychain stores no look-up keys.
    func lookUpKeys(_ service: String) throws(StoreError) -> [KeychainItem.LookUpKey]? {
        do {
            return try keychain.lookUpKeys(service: service, accessGroup: accessGroup)
        } catch {
            throw StoreError(error, "Listing \(service) in the keychain")
        }
    }

    /// Returns the data of an item, or the reason why the keychain does not return it; `nil` if the item does
    /// not exist.
    /// - Throws: ``StoreError`` with the code `locked`.
    package func item(
        _ account: String,
        of service: String
    ) throws(StoreError) -> Result<Data, StoreError>? {
        do {
            return try data(account, of: service).map { .success($0) }
        } catch {
            guard error.code != .locked else { throw error }
            return .failure(error)
        }
    }

    /// Performs a step.
    ///
    /// If the step has already been performed, the call has no effect.
    /// - Returns: `false` if the item exists although the transaction did not find it; the item is then not replaced.
    /// - Throws: ``StoreError`` if the keychain refuses the step.
    @discardableResult
    package func perform(_ step: KeychainStep) throws(StoreError) -> Bool {
        let name = name(step.account, of: step.service)
        do {
            guard let data = step.data else {
                try keychain.remove(name)
                return true
            }
            var item = KeychainItem(
                name,
                data: data,
                accessibility: step.accessibility ?? accessibility
            )
            item.lookUpKey = step.lookUpKey
            return try put(item, isNew: step.isNew)
        } catch {
            throw StoreError(error, "Writing \(step.service) in the keychain", record: step.account)
        }
    }

    /// Performs a step of an interrupted transaction.
    ///
    /// If the transaction has read the item and the item no longer has the same data, the item stays as it
    /// is: the step has already been performed, or another program has changed or removed the item.
    func complete(_ step: KeychainStep) throws(StoreError) {
        if let before = step.before {
            guard case .success(let data)? = try item(step.account, of: step.service),
                KeychainStep.digest(of: data) == before
            else { return }
        }
        try perform(step)
    }

    /// Adds an item that must not exist yet.
    ///
    /// If the item exists, another process has just added it. The error then has the code `locked`, like the
    /// error of a busy database.
    func add(_ data: Data, _ account: String, of service: String) throws(StoreError) {
        do {
            let name = name(account, of: service)
            try keychain.add(KeychainItem(name, data: data, accessibility: accessibility))
        } catch  where error.code == .duplicate {
            throw StoreError(.locked, reason: "Another process is writing to the keychain; try again.")
        } catch {
            throw StoreError(error, "Writing \(service) in the keychain", record: account)
        }
    }

    /// Returns the accessibility of an item; `nil` if there is no such item, or if the keychain provides none.
    package func accessibility(
        _ account: String,
        of service: String
    ) throws(StoreError) -> KeychainAccessibility? {
        do {
            return try keychain.accessibility(of: name(account, of: service))
        } catch {
            throw StoreError(error, "Reading \(service) in the keychain", record: account)
        }
    }

    /// Returns the keychain accounts of those items of a service whose accessibility class `isSelected` accepts.
    ///
    /// If the keychain does not provide the class of an item, the method assumes the class of new items.
    func accounts(
        _ service: String,
        where isSelected: (KeychainAccessibility) -> Bool
    ) throws(StoreError) -> [String] {
        var selected: [String] = []
        for account in try accounts(service) {
            var own: KeychainAccessibility?
            do {
                own = try accessibility(account, of: service)
            } catch  where error.code != .locked {
                // The keychain refuses to return this item, so its class is unknown.
            }
            if isSelected(own ?? accessibility) { selected.append(account) }
        }
        return selected
    }

    /// Adds an item, or replaces its data and look-up key; the accessibility applies only to a new item.
    ///
    /// Returns `false` if the item exists although the transaction did not find it; the item is then not replaced.
    private func put(_ item: KeychainItem, isNew: Bool) throws(KeychainError) -> Bool {
        if !isNew {
            do {
                try keychain.update(item)
                return true
            } catch  where error.code == .notFound {
            } catch  where error.code == .undecryptable {
                // An item that can never be decrypted cannot be updated, so it is removed and added again.
                try keychain.remove(item.name)
            }
        }
        do {
            try keychain.add(item)
        } catch  where error.code == .duplicate {
            // Another process has added the item, or the keychain hid the item while the transaction read it.
            if isNew { return false }
            do {
                try keychain.update(item)
            } catch  where error.code == .notFound {
                throw .hidden
            }
        }
        return true
    }

    private func name(_ account: String, of service: String) -> KeychainItem.Name {
        KeychainItem.Name(service: service, account: account, accessGroup: accessGroup)
    }
}

extension KeychainError {
    /// The error to throw if the keychain reports that an existing item does not exist, as it does before the
    /// first unlock.
    package static let hidden = KeychainError(status: -25308)
}

extension StoreError {
    /// Converts an error of the keychain.
    package init(_ error: KeychainError, _ operation: String, record: String? = nil) {
        let code: Code =
            switch error.code {
            case .locked: .locked
            case .undecryptable: .damaged
            case .notEntitled: .notEntitled
            case .duplicate, .notFound, .failed: .failed
            }
        let reason = "\(operation) failed (\(error.status)): \(error.localizedDescription)"
        self.init(code, record: record, reason: reason)
    }
}

/// A step of a transaction: the new state of one item.
///
/// Performing a step again has no effect.
package struct KeychainStep: Codable, Equatable {
    let service: String
    let account: String
    let data: Data?
    /// The accessibility of a new item; `nil` means the store's default.
    var accessibility: KeychainAccessibility?
    /// The look-up key of the item; `nil` if the item has none.
    var lookUpKey: Data?
    /// Whether the transaction has already looked for the item and found none.
    ///
    /// The step then does not query the item again, and does not replace an item that exists nevertheless.
    var isNew = false
    /// The ``digest(of:)`` of the data that the transaction read before it replaced the item; `nil` if the
    /// transaction did not read the item.
    var before: Data?

    /// Creates a step that sets the data of an item; without data, the step removes the item.
    package init(
        service: String,
        account: String,
        data: Data?,
        accessibility: KeychainAccessibility? = nil,
        lookUpKey: Data? = nil,
        isNew: Bool = false,
        before: Data? = nil
    ) {
        self.service = service
        self.account = account
        self.data = data
        self.accessibility = accessibility
        self.lookUpKey = lookUpKey
        self.isNew = isNew
        self.before = before
    }

    /// Returns the first 8 bytes of the data's SHA-256 hash.
    static func digest(of data: Data) -> Data { Data(SHA256.hash(data: data).prefix(8)) }

    private enum CodingKeys: CodingKey {
        case service, account, data, accessibility, lookUpKey, isNew, before
    }

    /// Reads a step of a journal.
    package init(from decoder: any Decoder) throws {
        let values = try decoder.container(keyedBy: CodingKeys.self)
        service = try values.decode(String.self, forKey: .service)
        account = try values.decode(String.self, forKey: .account)
        data = try values.decodeIfPresent(Data.self, forKey: .data)
        accessibility = try values.decodeIfPresent(KeychainAccessibility.self, forKey: .accessibility)
        lookUpKey = try values.decodeIfPresent(Data.self, forKey: .lookUpKey)
        isNew = try values.decodeIfPresent(Bool.self, forKey: .isNew) ?? false
        before = try values.decodeIfPresent(Data.self, forKey: .before)
    }
}

/// Hashes of a record's owner and alias, for look-ups without reading the items' data.
///
/// The hashes use SHA-256 without a key. A key would hide nothing, because the names of the accounts' items contain the
/// accounts' names.
package struct LookUpHashes {
    /// The version of the format, followed by 8-byte hashes of the record's owner and alias; `nil` if it has neither.
    package let data: Data?

    private static let version: UInt8 = 1
    private static let hashLength = MemoryLayout<UInt64>.size

    init(_ index: RecordIndex) {
        self.init(owner: index.owner, alias: index.alias)
    }

    init(_ query: RecordQuery) {
        self.init(owner: query.owner, alias: query.alias)
    }

    package init(owner: String?, alias: String?) {
        guard owner != nil || alias != nil else {
            data = nil
            return
        }
        data = Data([Self.version]) + Self.hash(owner) + Self.hash(alias)
    }

    /// Returns whether an item with the look-up key `key` can match the query.
    ///
    /// The result is `true` if `key` is `nil` or has another version, or if the query has no owner and no alias.
    func canBe(_ key: Data?) -> Bool {
        guard let wanted = data.flatMap(Self.hashes), let own = key.flatMap(Self.hashes) else { return true }
        return (wanted.owner == 0 || wanted.owner == own.owner)
            && (wanted.alias == 0 || wanted.alias == own.alias)
    }

    /// Returns the two hashes of a look-up key as numbers; `nil` if the key has another format.
    private static func hashes(of key: Data) -> (owner: UInt64, alias: UInt64)? {
        guard key.count == 1 + 2 * hashLength, key.first == version else { return nil }
        return key.withUnsafeBytes { bytes in
            (
                bytes.loadUnaligned(fromByteOffset: 1, as: UInt64.self),
                bytes.loadUnaligned(fromByteOffset: 1 + hashLength, as: UInt64.self)
            )
        }
    }

    /// Returns the hash of a string.
    ///
    /// Canonically equivalent strings have the same hash, and the hash of `nil` consists of zeros.
    private static func hash(_ text: String?) -> Data {
        guard let text else { return Data(count: hashLength) }
        let bytes = Data(text.precomposedStringWithCanonicalMapping.utf8)
        return Data(SHA256.hash(data: bytes).prefix(hashLength))
    }
}

/// The services in which a ``KeychainCredentialStore`` stores its items.
public struct KeychainServices: Hashable, Sendable {
    /// The service of push credentials; each item is stored under the credential's id.
    public let credentials: String
    /// The service of notifications; each item is stored under the notification's id.
    public let notifications: String
    /// The service of the device token.
    public let tokens: String
    /// The service of one-time-password credentials without their secrets; each item is stored under the credential's
    /// id.
    public let oathCredentials: String
    /// The service of the secrets of one-time-password credentials; each item is stored under the credential's id.
    public let oathSecrets: String

    /// Creates services; the defaults are those of the successor SDK.
    /// - Parameters:
    ///   - credentials: The service of push credentials.
    ///   - notifications: The service of notifications.
    ///   - tokens: The service of the device token.
    ///   - oathCredentials: The service of one-time-password credentials, which are stored without their secrets.
    ///   - oathSecrets: The service of the credentials' secrets; `nil` means the service of the credentials
    ///     with the suffix `.secrets`.
    public init(
        credentials: String = "com.pingidentity.push.credentials",
        notifications: String = "com.pingidentity.push.notifications",
        tokens: String = "com.pingidentity.push.tokens",
        oathCredentials: String = "com.pingidentity.oath",
        oathSecrets: String? = nil
    ) {
        self.credentials = credentials
        self.notifications = notifications
        self.tokens = tokens
        self.oathCredentials = oathCredentials
        self.oathSecrets = oathSecrets ?? oathCredentials + ".secrets"
    }

    /// The service of accounts; each item is stored under the account's issuer and name.
    public var accounts: String { credentials + ".accounts" }
    /// The service of the migration ledger; each item is stored under the entry's position and fingerprint.
    public var ledger: String { credentials + ".ledger" }
    /// The service of the marks of completed imports and of moves between stores.
    public var imports: String { credentials + ".imports" }
    /// The service of the state of a move from or to the legacy SDK's items.
    public var move: String { credentials + ".move" }
    /// The service of the tombstones.
    ///
    /// A tombstone marks a record that the user removed after a move began: a move from or to the legacy SDK's items,
    /// or a move to another store.
    public var tombstones: String { credentials + ".tombstones" }
    /// The service of the journal of an unfinished transaction.
    public var journal: String { credentials + ".journal" }

    /// Returns the services that contain records of a kind.
    func all(_ kind: RecordKind) -> [String] {
        kind == .oath ? [oathCredentials, oathSecrets] : [self[kind]]
    }

    /// Returns the service of the records of a kind; the secrets of one-time passwords have their own service.
    subscript(kind: RecordKind) -> String {
        switch kind {
        case .account: accounts
        case .push: credentials
        case .oath: oathCredentials
        case .notification: notifications
        case .deviceToken: tokens
        case .ledger: ledger
        case .importMark: imports
        case .move: move
        case .tombstone: tombstones
        }
    }
}
