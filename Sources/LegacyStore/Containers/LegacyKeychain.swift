package import Foundation
package import PushBridgeCore
package import PushBridgeStore

/// The legacy SDK's keychain items, read and written one by one as that SDK does.
///
/// What is written, the SDK reads: archives of its classes, sealed where they were sealed, each item with the
/// accessibility that it had. All calls block and may be made from any thread.
package struct LegacyKeychain: Sendable {
    /// The keychain.
    package let keychain: any Keychain
    /// The group of apps that share the items; `nil` is the app's own.
    package let accessGroup: String?
    /// Opens and seals items; `nil` where none is sealed.
    package let key: (any LegacyItemKey)?
    private let items: KeychainItems

    /// Takes a keychain; reads nothing yet.
    package init(_ keychain: any Keychain, accessGroup: String? = nil, key: (any LegacyItemKey)? = nil) {
        self.keychain = keychain
        self.accessGroup = accessGroup
        self.key = key
        // The SDK's items are readable after the first unlock and travel with a backup.
        items = KeychainItems(
            keychain: keychain,
            accessGroup: accessGroup,
            accessibility: .afterFirstUnlock
        )
    }

    /// An item as it lies in the keychain, and the record that it holds or why it holds none.
    package struct Held {
        /// The key of the item.
        package let key: String
        /// The bytes as they lie there; `nil` if the keychain does not hand them out.
        package let data: Data?
        /// What they say.
        package let record: Result<LegacyRecord, LegacyRecordError>
    }

    /// All items of a service.
    /// - Parameters:
    ///   - service: The service.
    ///   - known: The record of bytes that were read before, so that they are neither opened nor decoded again.
    /// - Returns: The items, in no order.
    /// - Throws: ``StoreError`` if the keychain refuses; the code is `locked` before the device is unlocked.
    package func items(
        of service: LegacyService,
        known: (String, Data) -> LegacyRecord?
    ) throws(StoreError) -> [Held] {
        var held: [Held] = []
        for item in try items.all(of: service.rawValue) {
            held.append(self.held(item.account, item.data, service, known))
        }
        return held
    }

    /// One item; `nil` if there is none.
    /// - Parameters:
    ///   - key: Its key within the service.
    ///   - service: The service.
    ///   - known: As for all.
    /// - Returns: The item.
    /// - Throws: ``StoreError`` if the keychain refuses; the code is `locked` before the device is unlocked.
    package func item(
        _ key: String,
        of service: LegacyService,
        known: (String, Data) -> LegacyRecord? = { _, _ in nil }
    ) throws(StoreError) -> Held? {
        try items.item(key, of: service.rawValue).map { held(key, $0, service, known) }
    }

    /// Whether there is no item in any of the services; opens none.
    ///
    /// - Throws: ``StoreError`` if the keychain refuses; the code is `locked` before the device is unlocked.
    package var isEmpty: Bool {
        get throws(StoreError) {
            for service in LegacyService.allCases {
                if try !items.accounts(service.rawValue).isEmpty { return false }
            }
            return true
        }
    }

    /// The ids of the mechanisms that can be read, and the accounts that these or records of their own tell of.
    ///
    /// - Throws: ``StoreError`` if the keychain refuses; the code is `locked` before the device is unlocked.
    package func identities() throws(StoreError) -> (mechanisms: Set<String>, accounts: Set<AccountKey>) {
        var (mechanisms, accounts) = (Set<String>(), Set<AccountKey>())
        for service in [LegacyService.account, .mechanism] {
            for held in try items(of: service, known: { _, _ in nil }) {
                switch held.record {
                case .success(.account(let account)): accounts.insert(account.profile.key)
                case .success(.mechanism(let mechanism)):
                    mechanisms.insert(mechanism.mechanismUUID)
                    accounts.insert(mechanism.account)
                default: continue
                }
            }
        }
        return (mechanisms, accounts)
    }

    /// The ids of the mechanisms that can be read and whose items have an accessibility of some kind.
    ///
    /// - Throws: ``StoreError`` if the keychain refuses; the code is `locked` before the device is unlocked.
    package func mechanisms(
        of kinds: Set<LegacyRecordKind>,
        where isSelected: (KeychainAccessibility) -> Bool
    ) throws(StoreError) -> Set<String> {
        var ids: Set<String> = []
        for held in try items(of: .mechanism, known: { _, _ in nil }) {
            guard case .success(.mechanism(let mechanism)) = held.record, kinds.contains(mechanism.kind)
            else {
                continue
            }
            let own = try items.accessibility(held.key, of: LegacyService.mechanism.rawValue)
            if isSelected(own ?? .afterFirstUnlock) { ids.insert(mechanism.mechanismUUID) }
        }
        return ids
    }

    /// Stores a record in place of the item with its key.
    /// - Parameters:
    ///   - record: The record.
    ///   - before: The item that is there, which says whether it is sealed; `nil` if there is none.
    /// - Returns: The bytes that lie there now.
    /// - Throws: ``StoreError`` if the keychain or the key refuses.
    package func put(_ record: LegacyRecord, over before: Held?) throws(StoreError) -> Data {
        try put(record.archive, record.identifier, of: record.service, over: before)
    }

    /// Stores an archive in place of the item with its key; see above.
    ///
    /// - Throws: ``StoreError`` if the keychain or the key refuses.
    @discardableResult
    package func put(
        _ archive: Data,
        _ key: String,
        of service: LegacyService,
        over before: Held?
    ) throws(StoreError) -> Data {
        let data = try sealed(archive, over: before?.data)
        try items.carryOut(KeychainStep(service: service.rawValue, account: key, data: data))
        return data
    }

    /// Removes an item, whether there is one or not.
    ///
    /// - Throws: ``StoreError`` if the keychain refuses.
    package func remove(_ key: String, of service: LegacyService) throws(StoreError) {
        try items.carryOut(KeychainStep(service: service.rawValue, account: key, data: nil))
    }

    /// What is kept beside the items for this package alone; the SDK does not look there.
    package var beside: Data? {
        get throws(StoreError) { try items.data(Self.besideKey, of: Self.besideService) }
    }

    /// Keeps something beside the items; `nil` is nothing.
    ///
    /// - Throws: ``StoreError`` if the keychain refuses.
    package func keepBeside(_ data: Data?) throws(StoreError) {
        try items.carryOut(KeychainStep(service: Self.besideService, account: Self.besideKey, data: data))
    }

    /// A service of ours, which no legacy SDK asks for.
    package static let besideService = "\(KeychainServices().credentials).inPlace"
    private static let besideKey = "state"

    private func held(
        _ key: String,
        _ data: Result<Data, StoreError>,
        _ service: LegacyService,
        _ known: (String, Data) -> LegacyRecord?
    ) -> Held {
        let bytes: Data
        do {
            bytes = try data.get()
        } catch {
            return Held(key: key, data: nil, record: .failure(.undecryptable))
        }
        if let record = known(key, bytes) { return Held(key: key, data: bytes, record: .success(record)) }
        let item = LegacyItem(
            position: .key(service: service.rawValue, account: key),
            service: service,
            key: key,
            payload: RecordService.legacy(service).payload(bytes)
        )
        let opened = self.key.map(item.unsealed) ?? item
        return Held(
            key: key,
            data: bytes,
            record: Result { () throws(LegacyRecordError) in try opened.decoded().record }
        )
    }

    /// The bytes to store: sealed where the item was, or, for a new one, where the device has the SDK's key.
    private func sealed(_ archive: Data, over before: Data?) throws(StoreError) -> Data {
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
}
