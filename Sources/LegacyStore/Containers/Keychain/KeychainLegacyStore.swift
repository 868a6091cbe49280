public import AuthenticatorKeychain
public import Foundation

/// The legacy SDK's store where it lives: the generic passwords of four services in a keychain.
///
/// Items come service by service, sorted by their keys. Sealed ones are passed on as they are; ``UnsealingSource``
/// opens them. All calls block and may be made from any thread.
public struct KeychainLegacyStore: LegacySource {
    /// The name of the container for reports.
    public let container = "keychain"
    private let keychain: any Keychain
    private let accessGroup: String?

    /// Takes a keychain; the legacy SDK uses the app's own access group unless it is told another.
    public init(_ keychain: any Keychain, accessGroup: String? = nil) {
        self.keychain = keychain
        self.accessGroup = accessGroup
    }

    /// Whether there is nothing to migrate; reads no value.
    public func isEmpty() throws(LegacyStoreError) -> Bool {
        for service in LegacyService.allCases where try !names(of: service).isEmpty { return false }
        return true
    }

    /// The items of the four services; the code is `locked` if the keychain as a whole is.
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
    ) throws(LegacyStoreError) {
        var removal = KeychainRemoval(keychain, doomed)
        for (service, name) in try names() {
            if let item = item(service, name) { try removal.take(item, name) }
        }
        try removal.run(backup: backup)
    }

    private func names() throws(LegacyStoreError) -> [(LegacyService, KeychainItem.Name)] {
        var names: [(LegacyService, KeychainItem.Name)] = []
        for service in LegacyService.allCases {
            for name in try self.names(of: service) { names.append((service, name)) }
        }
        return names
    }

    private func names(of service: LegacyService) throws(LegacyStoreError) -> [KeychainItem.Name] {
        let accounts: [String]
        do throws(KeychainError) {
            accounts = try keychain.accounts(service: service.rawValue, accessGroup: accessGroup)
        } catch {
            throw LegacyStoreError(reading: error)
        }
        return accounts.sorted().map {
            KeychainItem.Name(service: service.rawValue, account: $0, accessGroup: accessGroup)
        }
    }

    /// The item of a name; `nil` if it is gone since the names were read.
    private func item(_ service: LegacyService, _ name: KeychainItem.Name) -> LegacyItem? {
        let payload: LegacyItem.Payload
        do throws(KeychainError) {
            guard let data = try keychain.data(name) else { return nil }
            payload = .archive(data)
        } catch {
            payload = .unreadable(LegacyRecordError(error))
        }
        return LegacyItem(
            position: .key(service: name.service, account: name.account),
            service: service,
            key: name.account,
            accessGroup: name.accessGroup,
            payload: payload
        )
    }
}
