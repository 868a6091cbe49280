public import Foundation
public import PushBridgeStore

/// A store where it lives: generic passwords in a keychain, the legacy SDK's or those of the new one.
///
/// Items come service by service, sorted by their keys. Sealed ones are passed on as they are; ``UnsealingSource``
/// opens them. All calls block and may be made from any thread.
public struct KeychainLegacyStore: LegacySource {
    /// The name of the container for reports.
    public let container = "keychain"
    private let keychain: any Keychain
    private let accessGroup: String?
    private let services: [RecordService]

    /// Whose records are read.
    public enum Contents: Sendable {
        /// The legacy SDK's, in its four services.
        case legacy
        /// Those of the vendor's new SDK.
        case newSDK
    }

    /// Takes a keychain; either SDK uses the app's own access group unless it is told another.
    public init(_ keychain: any Keychain, accessGroup: String? = nil, contents: Contents = .legacy) {
        self.keychain = keychain
        self.accessGroup = accessGroup
        services =
            contents == .legacy
            ? LegacyService.allCases.map { .legacy($0) } : NewSDKService.allCases.map { .newSDK($0) }
    }

    /// Whether there is nothing to migrate; reads no value.
    public func isEmpty() throws(LegacyStoreError) -> Bool {
        for service in services where try !names(of: service).isEmpty { return false }
        return true
    }

    /// The items of all services; the code is `locked` if the keychain as a whole is.
    ///
    /// An item that alone cannot be read says so, `locked` or `undecryptable`, and stops nothing.
    public func items() throws(LegacyStoreError) -> LegacyItems {
        var names = try names()[...]
        return LegacyItems { () throws(LegacyStoreError) in
            while let (service, name) = names.popFirst() {
                if let item = item(service, name) { return item }
            }
            return nil
        }
    }

    /// Removes items after a backup: all, or none if that can be had.
    ///
    /// A keychain has no transactions, so what was removed before a failure is added again. The backup is a store of
    /// JSON lines with every item that can be read, as it was; an item that is locked makes the call fail.
    public func remove(
        _ doomed: [LegacyItem.Position: LegacyItem.Digest],
        backup: URL
    ) throws(LegacyStoreError) -> [String] {
        var removal = KeychainRemoval(keychain, doomed)
        for (service, name) in try names() {
            if let item = item(service, name) { try removal.take(item, name) }
        }
        try removal.run(backup: backup)
        return []
    }

    private func names() throws(LegacyStoreError) -> [(RecordService, KeychainItem.Name)] {
        var names: [(RecordService, KeychainItem.Name)] = []
        for service in services {
            for name in try self.names(of: service) { names.append((service, name)) }
        }
        return names
    }

    private func names(of service: RecordService) throws(LegacyStoreError) -> [KeychainItem.Name] {
        let accounts: [String]
        do throws(KeychainError) {
            accounts = try keychain.accounts(service: service.name, accessGroup: accessGroup)
        } catch {
            throw LegacyStoreError(reading: error)
        }
        return accounts.sorted().map {
            KeychainItem.Name(service: service.name, account: $0, accessGroup: accessGroup)
        }
    }

    /// The item of a name; `nil` if it is gone since the names were read.
    private func item(_ service: RecordService, _ name: KeychainItem.Name) -> LegacyItem? {
        let payload: LegacyItem.Payload
        do throws(KeychainError) {
            guard let data = try keychain.data(name) else { return nil }
            payload = service.payload(data)
        } catch {
            payload = .unreadable(LegacyRecordError(error))
        }
        return LegacyItem(
            position: .key(service: name.service, account: name.account),
            service: service.kind,
            key: name.account,
            accessGroup: name.accessGroup,
            payload: payload
        )
    }
}

/// Removes items from a keychain: checks all, backs up, removes, and undoes on failure.
struct KeychainRemoval {
    private typealias Item = (name: KeychainItem.Name, data: Data)

    private let keychain: any Keychain
    private var pending: [LegacyItem.Position: LegacyItem.Digest]
    // All items that can be read, in the order of the store, so that a repeated backup is the same.
    private var items: [Item] = []
    private var doomed: [Item] = []

    init(_ keychain: any Keychain, _ doomed: [LegacyItem.Position: LegacyItem.Digest]) {
        self.keychain = keychain
        pending = doomed
    }

    /// Takes the next item of the store; refuses one that is to be removed and is not what it was.
    mutating func take(_ item: LegacyItem, _ name: KeychainItem.Name) throws(LegacyStoreError) {
        let digest = pending.removeValue(forKey: item.position)
        if case .unreadable(let error) = item.payload {
            if error.code == .locked { throw LegacyStoreError(.locked, reason: error.reason) }
            // It cannot be copied and stays where it is.
            guard digest == nil else { throw .changedItem }
            return
        }
        items.append((name, item.payload.content))
        guard let digest else { return }
        guard item.digest == digest else { throw .changedItem }
        doomed.append((name, item.payload.content))
    }

    /// Writes the backup and removes the items.
    func run(backup: URL) throws(LegacyStoreError) {
        guard pending.isEmpty else {
            throw .changed("The keychain does not hold all of the records that are to be removed.")
        }
        let writer = try JSONLinesStoreWriter(backup: backup)
        for item in items {
            try writer.write(item.data, service: item.name.service, key: item.name.account)
        }
        try writer.finish()
        for (count, item) in doomed.enumerated() {
            do {
                try remove(item)
            } catch {
                try restore(doomed.prefix(count), backup)
                throw error
            }
        }
    }

    private func remove(_ item: Item) throws(LegacyStoreError) {
        let isSame: Bool
        do throws(KeychainError) {
            isSame = try keychain.data(item.name) == item.data
            if isSame { try keychain.remove(item.name) }
        } catch {
            throw LegacyStoreError(removing: error)
        }
        guard isSame else { throw .changedItem }
    }

    private func restore(_ items: some Sequence<Item>, _ backup: URL) throws(LegacyStoreError) {
        for item in items {
            do {
                try keychain.add(KeychainItem(item.name, data: item.data))
            } catch {
                throw .notWritable(
                    "The keychain took away some records and refused them back; they are in \(backup.lastPathComponent)."
                )
            }
        }
    }
}

extension LegacyStoreError {
    fileprivate static let changedItem = changed(
        "A record of the keychain is not what it was when it was read."
    )
}

extension LegacyRecordError {
    /// Why one item could not be read.
    ///
    /// A refusal that is not understood may pass; nobody is told to enrol again for it.
    init(_ error: KeychainError) {
        let reason = error.errorDescription ?? "The keychain refused."
        self.init(error.code == .undecryptable ? .undecryptable : .locked, reason: reason)
    }
}

extension LegacyStoreError {
    /// Why the names of the items could not be read.
    init(reading error: KeychainError) {
        let reason = error.errorDescription ?? "The keychain refused."
        self.init(error.code == .locked ? .locked : .unreadable, reason: reason)
    }

    /// Why an item could not be removed.
    init(removing error: KeychainError) {
        let reason = error.errorDescription ?? "The keychain refused."
        self.init(error.code == .locked ? .locked : .notWritable, reason: reason)
    }
}
