package import Foundation
package import PushBridgeCore
package import PushBridgeStore

/// The legacy SDK's keychain items, which are read and written individually as by that SDK.
///
/// The SDK can read the written items: archives of its classes, sealed if they were sealed, with their previous
/// accessibility. If several groups have an item with the same key, this uses the one that the SDK's own queries find. All
/// calls block and may be made from any thread.
package struct LegacyKeychain: Sendable {
    /// The keychain.
    package let keychain: any Keychain
    /// The group of apps that share the items; `nil` is the app's own.
    package let accessGroup: String?
    /// Opens and seals items; `nil` where none is sealed.
    package let key: (any LegacyItemKey)?

    /// Uses a keychain; reads nothing yet.
    package init(_ keychain: any Keychain, accessGroup: String? = nil, key: (any LegacyItemKey)? = nil) {
        self.keychain = keychain
        self.accessGroup = accessGroup
        self.key = key
    }

    /// An item of the keychain, with its record or the reason why there is none.
    package struct Entry {
        /// The key of the item.
        package let key: String
        /// The stored bytes; `nil` if the keychain does not return them.
        package let data: Data?
        /// Their meaning.
        package let record: Result<LegacyRecord, LegacyRecordError>

        /// The record; `nil` if it cannot be read.
        package var value: LegacyRecord? { if case .success(let value) = record { value } else { nil } }
        /// Why it cannot be read; `nil` if it can.
        package var error: LegacyRecordError? {
            if case .failure(let error) = record { error } else { nil }
        }
    }

    /// Calls `body` while no other transaction runs on the keychain.
    ///
    /// - Throws: What `body` throws, and ``StoreError`` if the other transactions cannot be excluded.
    package func exclusively<Value>(_ body: () throws -> Value) throws -> Value {
        try keychain.exclusively(body)
    }

    // MARK: - Reading

    /// The items of a service, one for each key; one that cannot be read hides no other.
    /// - Parameters:
    ///   - service: The service.
    ///   - known: The record of bytes that were read before, so that they are neither opened nor decoded again.
    /// - Returns: The items, in no order.
    /// - Throws: ``StoreError`` if the keychain refuses as a whole; the code is `locked` before the device is unlocked, and
    ///   also where every single item is locked.
    package func items(
        of service: LegacyService,
        known: (String, Data) -> LegacyRecord? = { _, _ in nil }
    ) throws(StoreError) -> [Entry] {
        let all: [KeychainItem]
        do throws(KeychainError) {
            all = try keychain.items(service: service.rawValue, accessGroup: accessGroup)
        } catch {
            // One item may fail the question for all; asked one by one, it fails alone.
            return try itemsOneByOne(of: service, known)
        }
        var held: [Entry] = []
        var places: [String: Int] = [:]
        for item in all {
            let key = item.name.account
            if let place = places[key] {
                // Of copies in several groups, the one that a query by key finds.
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
        // A keychain that opens nothing at all is not one whose items are damaged.
        if let lock = held.first?.error, held.allSatisfy({ $0.error?.isLock == true }) {
            throw StoreError(.locked, reason: lock.reason)
        }
        return held
    }

    /// One item, readable or not; `nil` if there is none.
    ///
    /// - Parameters:
    ///   - key: Its key within the service.
    ///   - service: The service.
    ///   - known: As for all.
    /// - Returns: The item.
    package func item(
        _ key: String,
        of service: LegacyService,
        known: (String, Data) -> LegacyRecord? = { _, _ in nil }
    ) -> Entry? {
        do throws(KeychainError) {
            return try keychain.data(name(key, of: service)).map { held(key, $0, service, known) }
        } catch {
            return Entry(key: key, data: nil, record: .failure(LegacyRecordError(error)))
        }
    }

    /// The readable items of a key, one for each group.
    ///
    /// - Throws: ``StoreError`` if the keychain refuses.
    func copies(of key: String, of service: LegacyService) throws(StoreError) -> [LegacyRecord] {
        let places = try names(of: service).filter { $0.account == key }
        return try asking("Reading an item", record: key) { () throws(KeychainError) in
            var copies: [LegacyRecord] = []
            for place in places {
                guard let data = try keychain.data(place) else { continue }
                if let value = held(key, data, service, { _, _ in nil }).value { copies.append(value) }
            }
            return copies
        }
    }

    /// The names of a service's items, each with its group; opens none.
    ///
    /// - Throws: ``StoreError`` if the keychain refuses; the code is `locked` before the device is unlocked.
    package func names(of service: LegacyService) throws(StoreError) -> [KeychainItem.Name] {
        try asking("Listing \(service.rawValue)") { () throws(KeychainError) in
            try keychain.names(service: service.rawValue, accessGroup: accessGroup)
        }
    }

    /// The keys of the items of a service with a look-up key, which only our items have; opens none.
    ///
    /// - Returns: The keys; `nil` if the keychain keeps no look-up keys.
    /// - Throws: ``StoreError`` if the keychain refuses; the code is `locked` before the device is unlocked.
    func keys(of service: LegacyService, lookUpKey: Data) throws(StoreError) -> [String]? {
        try asking("Looking an item up") { () throws(KeychainError) in
            try keychain.accounts(
                service: service.rawValue,
                accessGroup: accessGroup,
                lookUpKey: lookUpKey
            )
        }
    }

    /// The names of all items, each with its group; opens none.
    ///
    /// - Throws: ``StoreError`` if the keychain refuses; the code is `locked` before the device is unlocked.
    package func names() throws(StoreError) -> [KeychainItem.Name] {
        var names: [KeychainItem.Name] = []
        for service in LegacyService.allCases { names += try self.names(of: service) }
        return names
    }

    /// The ids of the mechanisms that can be read and whose items have a selected accessibility.
    ///
    /// - Throws: ``StoreError`` if the keychain refuses; the code is `locked` before the device is unlocked.
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

    /// The bytes to store for an archive: sealed where the item was, or, for a new one, where the device has the SDK's key.
    ///
    /// - Throws: ``StoreError`` if the key refuses.
    package func sealed(_ archive: Data, over before: Data?) throws(StoreError) -> Data {
        guard let key, before.map({ SealedItem($0) != nil }) ?? key.isPresent else { return archive }
        do {
            return try key.seal(archive)
        } catch  where error.code == .undecryptable {
            // The key stayed on another device, and the SDK would make a new item plain as well.
            return archive
        } catch {
            throw StoreError(error.code == .locked ? .locked : .notWritable, reason: error.reason)
        }
    }

    /// Stores bytes under a key: in place of every item that holds `before`, or as a new one.
    ///
    /// Of items of the key in several groups, one that holds something else keeps it.
    ///
    /// - Parameters:
    ///   - data: The bytes.
    ///   - key: The key within the service.
    ///   - service: The service.
    ///   - before: The bytes of the items to replace.
    ///   - lookUpKey: A look-up key for the item; `nil` leaves it as it is.
    /// - Throws: ``StoreError`` if the keychain refuses.
    package func put(
        _ data: Data,
        _ key: String,
        of service: LegacyService,
        over before: Data?,
        lookUpKey: Data? = nil
    ) throws(StoreError) {
        let name = name(key, of: service)
        try asking("Writing an item", record: key) { () throws(KeychainError) in
            if before == nil {
                // The SDK's items are readable after the first unlock and travel with a backup.
                var item = KeychainItem(name, data: data, accessibility: .afterFirstUnlock)
                item.lookUpKey = lookUpKey
                do throws(KeychainError) {
                    return try keychain.add(item)
                } catch  where error.code == .duplicate {
                    // Another process has added it, or the keychain hides it.
                }
            }
            let places = try keychain.names(of: name)
            guard let first = places.first else {
                // Another process removed the item that was read before.
                throw before == nil ? .hidden : KeychainError(status: -25300)
            }
            let copies = places.count == 1 ? places : try copies(in: places, of: before)
            for place in copies.isEmpty ? [first] : copies {
                try replace(place, with: data, lookUpKey, wasReadable: before != nil)
            }
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
        _ lookUpKey: Data?,
        wasReadable: Bool
    ) throws(KeychainError) {
        var item = KeychainItem(place, data: data)
        item.lookUpKey = lookUpKey
        do throws(KeychainError) {
            if lookUpKey == nil { try keychain.update(place, data: data) } else { try keychain.update(item) }
        } catch  where error.code == .undecryptable && !wasReadable {
            // An item that can never be opened cannot be updated either. One that was read stays, because it would be lost if the
            // new one cannot be added.
            item.accessibility = try keychain.accessibility(of: place) ?? .afterFirstUnlock
            try keychain.remove(place)
            try keychain.add(item)
        }
    }

    /// Removes the items of a key in every group, whether there is one or not.
    ///
    /// - Throws: ``StoreError`` if the keychain refuses.
    package func remove(_ key: String, of service: LegacyService) throws(StoreError) {
        try asking("Removing an item", record: key) { () throws(KeychainError) in
            _ = try keychain.remove(name(key, of: service))
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

    /// The one path from the keychain's errors to a store's.
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
