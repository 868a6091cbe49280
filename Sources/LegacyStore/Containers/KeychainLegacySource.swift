package import Foundation
package import PushBridgeCore
package import PushBridgeStore

/// A source that an app is using, and not a copy in a file.
package protocol LiveSource: LegacySource {
    /// Returns whether a credential store may store its records in some of this source's items.
    ///
    /// - Throws: ``StoreError`` if the store cannot be read.
    func sharesItems(with store: any CredentialStore) throws -> Bool

    /// Calls `body`; if possible, no other process moves records into or out of this source's items during the call.
    ///
    /// - Throws: The error of `body`, and ``StoreError`` if the lock file of a keychain cannot be opened or locked.
    func exclusively<Value>(_ body: () throws -> Value) throws -> Value
}

extension LiveSource {
    package func exclusively<Value>(_ body: () throws -> Value) throws -> Value { try body() }
}

/// A source that returns the items of an underlying source, converted or completed.
package protocol WrappingSource: LegacySource {
    /// The source whose items are returned.
    var wrapped: any LegacySource { get }
}

extension WrappingSource {
    package var container: String { wrapped.container }
    package var isRemovedWhole: Bool { wrapped.isRemovedWhole }
    package func state() throws(LegacyStoreError) -> SourceState? { try wrapped.state() }
    package func cleanUp(backup: URL) throws(LegacyStoreError) -> [String] {
        try wrapped.cleanUp(backup: backup)
    }
    package func remove(
        _ removals: [LegacyItem.Position: LegacyItem.Digest],
        backup: URL
    ) throws(LegacyStoreError) -> [String] {
        try wrapped.remove(removals, backup: backup)
    }
}

extension LegacySource {
    /// The live source that this source is or wraps; `nil` if there is none.
    package var live: (any LiveSource)? {
        (self as? any LiveSource) ?? (self as? any WrappingSource)?.wrapped.live
    }
}

/// A legacy store in a keychain: the generic passwords of the legacy SDK or of the successor SDK.
///
/// The source returns the items service by service, sorted by key. Sealed items are returned unchanged;
/// ``UnsealingSource`` opens them. The two items of a one-time-password credential are returned separately;
/// ``PairingSource`` combines them. All calls block and may be made from any thread.
package struct KeychainLegacySource: LiveSource {
    package let container = "keychain"
    private let keychain: any Keychain
    private let accessGroup: String?
    private let services: [Service]

    /// The SDK whose records are read.
    package enum Contents {
        /// The legacy SDK's records, in services whose names start with the prefix.
        case legacy(prefix: String = LegacyService.prefix)
        /// The successor SDK's records.
        case services(KeychainServices)
    }

    /// A service, with the name that it has in this keychain.
    private struct Service {
        let name: String
        let records: RecordService

        init(_ records: RecordService, _ name: String? = nil) {
            (self.records, self.name) = (records, name ?? records.name)
        }
    }

    /// Creates a source for a keychain.
    ///
    /// By default, the source reads the items of all access groups of the app, as the queries of both SDKs
    /// do.
    package init(_ keychain: any Keychain, accessGroup: String? = nil, contents: Contents = .legacy()) {
        self.keychain = keychain
        self.accessGroup = accessGroup
        services =
            switch contents {
            case .legacy(let prefix):
                LegacyService.allCases.map { Service(.legacy($0), $0.name(prefix: prefix)) }
                    + FurtherServices.names.map { Service(.other($0)) }
            case .services(let names):
                NewSDKService.allCases.compactMap { service in
                    names.name(of: service).map { Service(.newSDK(service), $0) }
                }
            }
    }

    package func sharesItems(with store: any CredentialStore) throws -> Bool {
        if let store = store.backing.records as? KeychainCredentialStore {
            return services.contains { store.uses($0.name, of: keychain, accessGroup: accessGroup) }
        }
        // Among other stores, only those that keep legacy keys may use the items of this source: a store that works in
        // place, and an app's own storage.
        return try store.read(\.keepsLegacyKeys)
    }

    package func exclusively<Value>(_ body: () throws -> Value) throws -> Value {
        try keychain.exclusively(body)
    }

    /// Returns the items of all services.
    ///
    /// If the keychain does not return an item's data, the item's payload contains an error with the code `locked` or
    /// `undecryptable`. The other items are still returned.
    ///
    /// - Throws: ``LegacyStoreError`` if the store cannot be opened or read; the code is `locked` if the whole
    ///   keychain is locked.
    package func items() throws(LegacyStoreError) -> LegacyItems {
        var names = try names()[...]
        return LegacyItems { () throws(LegacyStoreError) in
            while let (service, name) = names.popFirst() {
                if let item = item(service, name) { return item }
            }
            return nil
        }
    }

    /// Returns a hash of the names and last modification dates of all items; `nil` if the keychain does not provide
    /// the dates.
    ///
    /// - Throws: ``LegacyStoreError`` if the keychain fails; the code is `locked` if the device must be unlocked first.
    package func state() throws(LegacyStoreError) -> SourceState? {
        var parts: [String] = []
        for service in services {
            parts.append(service.name)
            guard let dates = try changeDates(of: service) else { return nil }
            for item in dates {
                // The bit pattern contains the complete date, including fractions of a second.
                parts += [
                    item.account, item.accessGroup ?? "",
                    String(item.date.timeIntervalSinceReferenceDate.bitPattern),
                ]
            }
        }
        let names = [container, services.first?.name ?? "", accessGroup ?? ""]
        let digest = RecordFingerprint(parts: parts, payload: Data(), occurrence: 0)
        return SourceState(name: names.joined(separator: " "), digest: digest)
    }

    /// Writes a backup, and then removes items.
    ///
    /// If a removal fails, the items that were already removed are restored, if possible.
    ///
    /// The backup contains every readable item unchanged. If an item is locked, the call throws before it
    /// removes any item.
    ///
    /// - Throws: ``LegacyStoreError``, as described for ``LegacySource/remove(_:backup:)``; the code is `locked` if the
    ///   device must be unlocked first.
    package func remove(
        _ removals: [LegacyItem.Position: LegacyItem.Digest],
        backup: URL
    ) throws(LegacyStoreError) -> [String] {
        var list = RemovalList(Self.name, removals)
        // The backup contains all readable items in the order of the store, so that a repeated backup is identical.
        var kept: [KeychainItem] = []
        var removed: [KeychainItem] = []
        for (service, name) in try names() {
            guard let item = item(service, name) else { continue }
            if case .unreadable(let error) = item.payload, error.code == .locked {
                throw LegacyStoreError(.locked, reason: error.reason)
            }
            let isToBeRemoved = try list.takes(item)
            // An unreadable item cannot be copied to the backup, so it stays.
            if case .unreadable = item.payload { continue }
            let whole = KeychainItem(
                name,
                data: item.payload.content,
                accessibility: item.accessibility ?? .afterFirstUnlock
            )
            kept.append(whole)
            if isToBeRemoved { removed.append(whole) }
        }
        try list.finish()
        try removeOneByOne(
            removed,
            from: Self.name,
            with: kept.map { ($0.data, $0.name.service, $0.name.account) },
            backup: backup,
            remove: remove,
            restore: keychain.add
        )
        return []
    }

    private func remove(_ item: KeychainItem) throws(LegacyStoreError) {
        let isSame: Bool
        do throws(KeychainError) {
            isSame = try keychain.data(item.name) == item.data
            if isSame { try keychain.remove(item.name) }
        } catch {
            throw LegacyStoreError(error, otherwise: .notWritable)
        }
        guard isSame else { throw .changedRecord(of: Self.name) }
    }

    private static let name = "the keychain"

    private func names() throws(LegacyStoreError) -> [(Service, KeychainItem.Name)] {
        var names: [(Service, KeychainItem.Name)] = []
        for service in services {
            for name in try self.names(of: service) { names.append((service, name)) }
        }
        return names
    }

    private func changeDates(
        of service: Service
    ) throws(LegacyStoreError) -> [KeychainItem.ChangeDate]? {
        do throws(KeychainError) {
            return try keychain.changeDates(service: service.name, accessGroup: accessGroup)
        } catch {
            throw LegacyStoreError(error, otherwise: .unreadable)
        }
    }

    private func names(of service: Service) throws(LegacyStoreError) -> [KeychainItem.Name] {
        do throws(KeychainError) {
            let names = try keychain.names(service: service.name, accessGroup: accessGroup)
            // If several groups contain items with the same keychain account, these items keep the order in
            // which the keychain returned them.
            return names.enumerated().sorted {
                ($0.element.account, $0.offset) < ($1.element.account, $1.offset)
            }
            .map(\.element)
        } catch {
            throw LegacyStoreError(error, otherwise: .unreadable)
        }
    }

    /// Reads the item with the given name; returns `nil` if the item was removed after the names were read.
    private func item(_ service: Service, _ name: KeychainItem.Name) -> LegacyItem? {
        let payload: LegacyItem.Payload
        var accessibility: KeychainAccessibility?
        do throws(KeychainError) {
            guard let data = try keychain.data(name) else { return nil }
            accessibility = try keychain.accessibility(of: name)
            payload = service.records.payload(data)
        } catch {
            payload = .unreadable(LegacyRecordError(error))
        }
        return LegacyItem(
            position: .key(service: name.service, account: name.account, accessGroup: name.accessGroup),
            service: service.records.kind(of: payload, under: name.account),
            key: name.account,
            // This is the group that was queried, not the group that contains the item, so that equal copies in
            // several groups have the same fingerprint.
            accessGroup: accessGroup,
            accessibility: accessibility,
            payload: payload
        )
    }
}

extension KeychainServices {
    /// Returns the configured name of a service; `nil` if there is none.
    fileprivate func name(of service: NewSDKService) -> String? {
        switch service {
        case .pushCredentials: credentials
        case .pushNotifications: notifications
        case .pushTokens: tokens
        case .oathCredentials: oathCredentials
        case .oathSecrets: oathSecrets
        }
    }
}

extension LegacyRecordError {
    /// Creates the reason why one item could not be read.
    ///
    /// Two status codes mean that the user must unlock the device or give consent. All other failures, except an
    /// undecryptable item, may be temporary as well, so their reason must not ask the user to enrol again.
    package init(_ error: KeychainError) {
        let reason = error.errorDescription ?? "The keychain refused the call."
        switch (error.code, error.status) {
        case (.undecryptable, _): self.init(.undecryptable, reason: reason)
        case (_, -25308), (_, -128): self.init(.locked, reason: reason)
        default: self = .refused("The keychain refused to return this item; the status is \(error.status).")
        }
    }
}

extension LegacyStoreError {
    fileprivate init(_ error: KeychainError, otherwise code: Code) {
        let reason = error.errorDescription ?? "The keychain refused the call."
        self.init(error.code == .locked ? .locked : code, reason: reason)
    }
}
