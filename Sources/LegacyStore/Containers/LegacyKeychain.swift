package import Foundation
package import PushBridgeCore
package import PushBridgeStore

/// Gives access to the legacy SDK's keychain items.
///
/// Like the SDK, this type writes each item individually, and the SDK can read the items. If several groups have an
/// item with the same key, ``item(_:of:known:)`` returns the item that the SDK's own queries find. All calls block and
/// may be made from any thread.
package struct LegacyKeychain: Sendable {
    /// The keychain that contains the items.
    package let keychain: any Keychain
    /// The access group of the items; `nil` for all access groups of the app.
    package let accessGroup: String?
    /// The key that opens and seals items; without a key, sealed items cannot be read.
    package let key: (any LegacyItemKey)?

    /// Creates access to the items of a keychain; reads no item.
    package init(_ keychain: any Keychain, accessGroup: String? = nil, key: (any LegacyItemKey)? = nil) {
        self.keychain = keychain
        self.accessGroup = accessGroup
        self.key = key
    }

    /// An item of the keychain, with its record or the reason why the record cannot be read.
    package struct Entry {
        /// The key of the item.
        package let key: String
        /// The stored bytes; `nil` if the keychain does not return them.
        package let data: Data?
        /// The decoded record, or the reason why it cannot be read.
        package let record: Result<LegacyRecord, LegacyRecordError>

        /// The record; `nil` if it cannot be read.
        package var value: LegacyRecord? { if case .success(let value) = record { value } else { nil } }
        /// The reason why the record cannot be read; `nil` if it can be read.
        package var error: LegacyRecordError? {
            if case .failure(let error) = record { error } else { nil }
        }
    }

    /// Calls `body` while no other transaction runs on the keychain.
    ///
    /// - Throws: The error of `body`, or ``StoreError`` if the other transactions cannot be excluded.
    package func exclusively<Value>(_ body: () throws -> Value) throws -> Value {
        try keychain.exclusively(body)
    }

    // MARK: - Reading

    /// Returns the items of a service, one for each key.
    ///
    /// If one item is unreadable, the other items are still returned.
    /// - Parameters:
    ///   - service: The service.
    ///   - known: Returns the record for bytes that were decoded earlier, so that the bytes are not opened
    ///     and decoded again.
    /// - Returns: The items, in no particular order.
    /// - Throws: ``StoreError`` if the whole keychain fails. The code is `locked` if the device has not been
    ///   unlocked yet, or if every item is locked.
    package func items(
        of service: LegacyService,
        known: (String, Data) -> LegacyRecord? = { _, _ in nil }
    ) throws(StoreError) -> [Entry] {
        let all: [KeychainItem]
        do throws(KeychainError) {
            all = try keychain.items(service: service.rawValue, accessGroup: accessGroup)
        } catch {
            // One item can make the query for all items fail. If the items are read one by one, only the read
            // of that item fails.
            return try itemsOneByOne(of: service, known)
        }
        var held: [Entry] = []
        var places: [String: Int] = [:]
        for item in all {
            let key = item.name.account
            if let place = places[key] {
                // If several groups contain an item with this key, the result contains the item that a query
                // by key finds.
                if let item = self.item(key, of: service, known: known) { held[place] = item }
            } else {
                places[key] = held.count
                held.append(self.held(key, item.data, service, known))
            }
        }
        return held
    }

    private func itemsOneByOne(
        of service: LegacyService,
        _ known: (String, Data) -> LegacyRecord?
    ) throws(StoreError) -> [Entry] {
        let keys = Set(try names(of: service).map(\.account)).sorted()
        var held: [Entry] = []
        for key in keys {
            if let item = item(key, of: service, known: known) { held.append(item) }
        }
        // If every item is locked, the whole keychain is locked.
        if let lock = held.first?.error, held.allSatisfy({ $0.error?.isLock == true }) {
            throw StoreError(.locked, reason: lock.reason)
        }
        return held
    }

    /// Returns one item, which may be unreadable.
    ///
    /// - Parameters:
    ///   - key: The key within the service.
    ///   - service: The service.
    ///   - known: Returns the record for bytes that were decoded earlier, as in ``items(of:known:)``.
    /// - Returns: The item; `nil` if it does not exist.
    package func item(
        _ key: String,
        of service: LegacyService,
        known: (String, Data) -> LegacyRecord? = { _, _ in nil }
    ) -> Entry? {
        item(at: name(key, of: service), of: service, known)
    }

    private func item(
        at place: KeychainItem.Name,
        of service: LegacyService,
        _ known: (String, Data) -> LegacyRecord? = { _, _ in nil }
    ) -> Entry? {
        do throws(KeychainError) {
            return try keychain.data(place).map { held(place.account, $0, service, known) }
        } catch {
            return Entry(key: place.account, data: nil, record: .failure(LegacyRecordError(error)))
        }
    }

    /// Whether the device's key exists but cannot decrypt a test value now.
    ///
    /// The Secure Enclave can fail for a short time. Then a sealed item counts as undecryptable although the key may
    /// decrypt it later.
    package var hasFailingKey: Bool {
        guard let key, key.isPresent else { return false }
        let value = Data("test".utf8)
        do {
            return try key.open(key.seal(value)) != value
        } catch {
            // If the key cannot seal a test value, it cannot be tested.
            return error.code != .unsupported
        }
    }

    /// Returns whether the device's key may later decrypt a sealed item that it could not decrypt.
    ///
    /// If the key decrypts a test value but not the item, the item was sealed with a different key, or its bytes were
    /// changed.
    package func mayBeDecryptedLater(_ held: Entry, of service: LegacyService) -> Bool {
        guard held.data != nil, held.error?.code == .undecryptable, key?.isPresent == true else {
            return false
        }
        return hasFailingKey || item(held.key, of: service)?.error?.code != .undecryptable
    }

    /// Returns how many groups have an item with the given key that cannot be decrypted now.
    package func countUndecryptable(_ key: String, of service: LegacyService) -> Int {
        do throws(KeychainError) {
            return try keychain.names(of: name(key, of: service)).count { place in
                item(at: place, of: service)?.error?.code == .undecryptable
            }
        } catch {
            return 0
        }
    }

    /// Returns the readable records with the given key; each group can contain one of them.
    ///
    /// - Throws: ``StoreError`` if the keychain fails.
    func records(of key: String, of service: LegacyService) throws(StoreError) -> [LegacyRecord] {
        try asking("Reading an item", record: key) { () throws(KeychainError) in
            var records: [LegacyRecord] = []
            for place in try keychain.names(of: name(key, of: service)) {
                guard let data = try keychain.data(place) else { continue }
                if let value = held(key, data, service, { _, _ in nil }).value { records.append(value) }
            }
            return records
        }
    }

    /// Returns the items with a key, one for each group, with their data and accessibility classes.
    ///
    /// The result does not contain items that the keychain cannot decrypt, because they could not be restored.
    ///
    /// - Parameters:
    ///   - key: The key within the service.
    ///   - service: The service.
    ///   - first: The data that a query by the key finds. If there is only one item, this data is used, and the
    ///     item is not read again.
    /// - Returns: The items, in the order of the keychain.
    /// - Throws: ``StoreError`` if the keychain fails.
    func copies(
        of key: String,
        of service: LegacyService,
        first: Data?
    ) throws(StoreError) -> [KeychainItem] {
        try asking("Reading an item", record: key) { () throws(KeychainError) in
            let places = try keychain.names(of: name(key, of: service))
            var copies: [KeychainItem] = []
            for place in places {
                let found: Data?
                do throws(KeychainError) {
                    found = places.count == 1 ? first : try keychain.data(place)
                } catch  where error.code == .undecryptable {
                    continue
                }
                guard let found else { continue }
                let accessibility = try keychain.accessibility(of: place) ?? .afterFirstUnlock
                copies.append(KeychainItem(place, data: found, accessibility: accessibility))
            }
            return copies
        }
    }

    /// Adds removed items again, each in its group and with its accessibility class.
    ///
    /// An item that another process has stored in the meantime is not replaced.
    ///
    /// - Throws: ``StoreError`` if the keychain fails.
    func restore(_ items: [KeychainItem]) throws(StoreError) {
        for item in items {
            try asking("Restoring an item", record: item.name.account) { () throws(KeychainError) in
                do throws(KeychainError) {
                    try keychain.add(item)
                } catch  where error.code == .duplicate {
                }
            }
        }
    }

    /// Returns the names and groups of a service's items; opens no item.
    ///
    /// - Throws: ``StoreError`` if the keychain fails; the code is `locked` if the device has not been
    ///   unlocked yet.
    package func names(of service: LegacyService) throws(StoreError) -> [KeychainItem.Name] {
        try asking("Listing \(service.rawValue)") { () throws(KeychainError) in
            try keychain.names(service: service.rawValue, accessGroup: accessGroup)
        }
    }

    /// Returns the keys of those items of a service that have the given look-up key; opens no item.
    ///
    /// Only items that PushBridge wrote have a look-up key.
    ///
    /// - Returns: The keys; `nil` if the keychain stores no look-up keys.
    /// - Throws: ``StoreError`` if the keychain fails; the code is `locked` if the device has not been
    ///   unlocked yet.
    func keys(of service: LegacyService, lookUpKey: Data) throws(StoreError) -> [String]? {
        try asking("Looking up an item") { () throws(KeychainError) in
            try keychain.accounts(
                service: service.rawValue,
                accessGroup: accessGroup,
                lookUpKey: lookUpKey
            )
        }
    }

    /// Returns the names and groups of all items; opens no item.
    ///
    /// - Throws: ``StoreError`` if the keychain fails; the code is `locked` if the device has not been
    ///   unlocked yet.
    package func names() throws(StoreError) -> [KeychainItem.Name] {
        var names: [KeychainItem.Name] = []
        for service in LegacyService.allCases { names += try self.names(of: service) }
        return names
    }

    /// Whether any item exists; opens no item.
    ///
    /// The services after the first one with an item are not listed, so their errors are not reported.
    ///
    /// - Throws: ``StoreError`` if the keychain fails; the code is `locked` if the device has not been
    ///   unlocked yet.
    package var hasItems: Bool {
        get throws(StoreError) {
            for service in LegacyService.allCases where try !names(of: service).isEmpty { return true }
            return false
        }
    }

    /// Returns the ids of the readable mechanisms of the given kinds for which `isSelected` accepts the accessibility
    /// class of the item.
    ///
    /// - Throws: ``StoreError`` if the keychain fails; the code is `locked` if the device has not been
    ///   unlocked yet.
    package func mechanisms(
        of kinds: Set<LegacyRecordKind>,
        where isSelected: (KeychainAccessibility) -> Bool
    ) throws(StoreError) -> Set<String> {
        var ids: Set<String> = []
        for held in try items(of: .mechanism) {
            guard case .mechanism(let mechanism)? = held.value, kinds.contains(mechanism.kind) else {
                continue
            }
            let own = try asking("Reading an item") { () throws(KeychainError) in
                try keychain.accessibility(of: name(held.key, of: .mechanism))
            }
            if isSelected(own ?? .afterFirstUnlock) { ids.insert(mechanism.mechanismUUID) }
        }
        return ids
    }

    // MARK: - Writing

    /// Returns the bytes that an item must contain to store an archive.
    ///
    /// The bytes are sealed if `before`, the data of the previous item, is sealed. The bytes of a new item are sealed
    /// if the device has the SDK's key. Without a usable key, the bytes are not sealed.
    ///
    /// - Throws: ``StoreError`` if the key fails.
    package func sealed(_ archive: Data, over before: Data?) throws(StoreError) -> Data {
        guard let key, before.map({ SealedItem($0) != nil }) ?? key.isPresent else { return archive }
        do {
            return try key.seal(archive)
        } catch  where error.code == .undecryptable {
            // The key exists only on another device, so the item is stored unsealed. Without the key, the SDK would
            // not seal a new item either.
            return archive
        } catch {
            throw StoreError(error.code == .locked ? .locked : .notWritable, reason: error.reason)
        }
    }

    /// Stores bytes under a key: replaces existing items, or adds a new item if `before` is `nil`.
    ///
    /// If several groups have an item with this key, the items with the data `before` are replaced; if there are none,
    /// the first item is replaced. If `before` is `nil`, an existing item is replaced only if the keychain cannot
    /// decrypt it and `replacesUndecryptable` is `true`. A replaced item keeps its accessibility class.
    ///
    /// - Parameters:
    ///   - data: The bytes.
    ///   - key: The key within the service.
    ///   - service: The service.
    ///   - before: The bytes of the items to replace; `nil` for a new item.
    ///   - lookUpKey: The look-up key of the item; `nil` leaves the look-up key unchanged.
    ///   - replacesUndecryptable: Whether a new item may replace an item that the keychain cannot decrypt.
    /// - Throws: ``StoreError`` if the keychain fails; the code is `locked` if `before` is `nil` and an item exists
    ///   that must not be replaced.
    package func put(
        _ data: Data,
        _ key: String,
        of service: LegacyService,
        over before: Data?,
        lookUpKey: Data? = nil,
        replacesUndecryptable: Bool = false
    ) throws(StoreError) {
        let name = name(key, of: service)
        try asking("Writing an item", record: key) { () throws(KeychainError) in
            guard let before else {
                // Like the SDK's items, the item can be read after the first unlock, and backups of the phone contain
                // it.
                var item = KeychainItem(name, data: data, accessibility: .afterFirstUnlock)
                item.lookUpKey = lookUpKey
                return try add(item, replacesUndecryptable: replacesUndecryptable)
            }
            let places = try keychain.names(of: name)
            guard let first = places.first else {
                // Another process has removed the item since it was read.
                throw KeychainError(status: -25300)
            }
            let copies = places.count == 1 ? places : try copies(in: places, of: before)
            for place in copies.isEmpty ? [first] : copies { try replace(place, with: data, lookUpKey) }
        }
    }

    /// Adds an item that was not found.
    ///
    /// If the item exists after all, either the keychain hid it before, or another process has added it. The
    /// existing item may contain a credential, so it is replaced only if it can never be decrypted and the caller
    /// knows of it.
    private func add(_ item: KeychainItem, replacesUndecryptable: Bool) throws(KeychainError) {
        do throws(KeychainError) {
            return try keychain.add(item)
        } catch  where error.code == .duplicate {
        }
        guard replacesUndecryptable, let place = try keychain.names(of: item.name).first,
            try isUndecryptable(place)
        else {
            throw .hidden
        }
        // An undecryptable item cannot be updated, so it is removed and added again.
        let accessibility = try keychain.accessibility(of: place) ?? .afterFirstUnlock
        var new = KeychainItem(place, data: item.data, accessibility: accessibility)
        new.lookUpKey = item.lookUpKey
        try keychain.remove(place)
        try keychain.add(new)
    }

    private func isUndecryptable(_ place: KeychainItem.Name) throws(KeychainError) -> Bool {
        do throws(KeychainError) {
            _ = try keychain.data(place)
            return false
        } catch  where error.code == .undecryptable {
            return true
        }
    }

    private func copies(
        in places: [KeychainItem.Name],
        of data: Data?
    ) throws(KeychainError) -> [KeychainItem.Name] {
        var copies: [KeychainItem.Name] = []
        for place in places {
            let held = try keychain.data(place)
            if held == data { copies.append(place) }
        }
        return copies
    }

    private func replace(
        _ place: KeychainItem.Name,
        with data: Data,
        _ lookUpKey: Data?
    ) throws(KeychainError) {
        var item = KeychainItem(place, data: data)
        item.lookUpKey = lookUpKey
        if lookUpKey == nil { try keychain.update(place, data: data) } else { try keychain.update(item) }
    }

    /// Removes all items with a key, in every group; succeeds even if there is no such item.
    ///
    /// - Throws: ``StoreError`` if the keychain fails.
    package func remove(_ key: String, of service: LegacyService) throws(StoreError) {
        try asking("Removing an item", record: key) { () throws(KeychainError) in
            _ = try keychain.remove(name(key, of: service))
        }
    }

    /// Removes the items with a key and the given data from all groups.
    ///
    /// If only one group has an item with the key, the item is removed without a comparison.
    ///
    /// - Throws: ``StoreError`` if the keychain fails.
    func remove(_ key: String, of service: LegacyService, containing data: Data) throws(StoreError) {
        try asking("Removing an item", record: key) { () throws(KeychainError) in
            let places = try keychain.names(of: name(key, of: service))
            let copies = places.count == 1 ? places : try copies(in: places, of: data)
            for place in copies { try keychain.remove(place) }
        }
    }

    private func name(_ key: String, of service: LegacyService) -> KeychainItem.Name {
        KeychainItem.Name(service: service.rawValue, account: key, accessGroup: accessGroup)
    }

    private func held(
        _ key: String,
        _ bytes: Data,
        _ service: LegacyService,
        _ known: (String, Data) -> LegacyRecord?
    ) -> Entry {
        if let record = known(key, bytes) { return Entry(key: key, data: bytes, record: .success(record)) }
        let item = LegacyItem(
            position: .key(service: service.rawValue, account: key),
            service: service,
            key: key,
            payload: RecordService.legacy(service).payload(bytes)
        )
        let opened = self.key.map(item.unsealed) ?? item
        return Entry(
            key: key,
            data: bytes,
            record: Result { () throws(LegacyRecordError) in try opened.decoded().record }
        )
    }

    /// Calls `body`, and converts errors of the keychain into errors of a store.
    func asking<Value>(
        _ operation: String,
        record: String? = nil,
        _ body: () throws(KeychainError) -> Value
    ) throws(StoreError) -> Value {
        do throws(KeychainError) {
            return try body()
        } catch {
            throw StoreError(error, "\(operation) in the keychain", record: record)
        }
    }
}
