package import Foundation
import PushBridgeCore
package import PushBridgeStore

/// A source that combines the two items of the successor SDK's one-time-password credentials into one record.
///
/// The combined record has the position of the item without the secret. A secret without a matching item counts as
/// damaged. If a record is removed, both of its items are removed, and the backup contains both items unchanged.
package struct PairingSource: WrappingSource {
    private let halves: any LegacySource
    private let services: KeychainServices

    /// Creates a source over a store.
    ///
    /// If the store is a keychain, `services` contains the names of its services.
    package init(_ halves: any LegacySource, services: KeychainServices = KeychainServices()) {
        self.halves = halves
        self.services = services
    }

    package var wrapped: any LegacySource { halves }

    package func items() throws(LegacyStoreError) -> LegacyItems {
        var items = try halves.items()
        var pairs: Pairs?
        return LegacyItems { () throws(LegacyStoreError) in
            while let item = try items.next()?.get() {
                guard isForm(item) || isSecret(item) else { return item }
                // The pairs are collected when the first credential or secret of the successor SDK is found.
                // Most stores contain neither, and are therefore read only once.
                if pairs == nil { pairs = try self.pairs(from: item, &items) }
                if isForm(item) { return item.joined(with: pairs?.secret(of: item)) }
                if pairs?.hasForm(of: item) == false { return item.alone }
            }
            return nil
        }
    }

    package func remove(
        _ removals: [LegacyItem.Position: LegacyItem.Digest],
        backup: URL
    ) throws(LegacyStoreError) -> [String] {
        let pairs: Pairs
        do throws(LegacyStoreError) {
            pairs = try self.pairs(in: halves)
        } catch {
            // The store can no longer be read, so this removal fails with an error that states the reason.
            return try halves.remove(removals, backup: backup)
        }
        var digests = removals
        for (position, digest) in removals {
            guard let (form, secret) = pairs.pair(at: position) else { continue }
            guard form.joined(with: secret).digest == digest else { throw .changedRecord(of: "the store") }
            digests[position] = form.digest
            digests[secret.position] = secret.digest
        }
        return try halves.remove(digests, backup: backup)
    }

    /// Collects the secrets of the store, and the items to which the secrets may belong.
    ///
    /// In a keychain, the search starts with the item `first`, and the items after it are kept in memory, because each
    /// read of a keychain item is a call to another process. A file is read again from its beginning, because it may be
    /// larger than the memory.
    private func pairs(from first: LegacyItem, _ items: inout LegacyItems) throws(LegacyStoreError) -> Pairs {
        guard halves.live != nil else { return try pairs(in: halves) }
        var rest: [LegacyItem] = []
        while let item = try items.next()?.get() { rest.append(item) }
        items = MemoryLegacySource(rest).items()
        return try pairs(in: MemoryLegacySource([first] + rest))
    }

    /// Collects the secrets of the store, and the items to which the secrets may belong.
    private func pairs(in store: any LegacySource) throws(LegacyStoreError) -> Pairs {
        var pairs = Pairs()
        for item in try store.items() {
            let item = try item.get()
            if isSecret(item) { pairs.add(secret: item) } else if isForm(item) { pairs.add(form: item) }
        }
        return pairs
    }

    /// Returns whether an item may be a credential whose secret is in another item.
    private func isForm(_ item: LegacyItem) -> Bool {
        switch (item.payload, item.position) {
        case (.newSDK, _): item.service == .mechanism
        case (.unreadable, .key(services.oathCredentials, _, _)): true
        default: false
        }
    }

    private func isSecret(_ item: LegacyItem) -> Bool {
        switch (item.payload, item.position) {
        case (.newSDKSecret, _), (.unreadable, .key(services.oathSecrets, _, _)): true
        default: false
        }
    }
}

/// The secrets that are stored in separate items, and the credentials to which these secrets may belong.
private struct Pairs {
    private struct Key: Hashable {
        let accessGroup: String?
        let key: String

        init(_ item: LegacyItem) {
            (accessGroup, key) = (item.accessGroup, item.key)
        }
    }

    private var secrets: [Key: LegacyItem] = [:]
    private var forms: [LegacyItem.Position: LegacyItem] = [:]
    private var keys: Set<Key> = []

    mutating func add(secret: LegacyItem) { secrets[Key(secret)] = secret }

    mutating func add(form: LegacyItem) {
        guard form.isOneTimePassword else { return }
        keys.insert(Key(form))
        if form.takesSecret { forms[form.position] = form }
    }

    func secret(of form: LegacyItem) -> LegacyItem? {
        secrets[Key(form)].flatMap { form.takesSecret ? $0 : nil }
    }

    func hasForm(of secret: LegacyItem) -> Bool { keys.contains(Key(secret)) }

    /// Returns the two items of the credential at a position; `nil` if the position has no credential with a
    /// separate secret.
    func pair(at position: LegacyItem.Position) -> (form: LegacyItem, secret: LegacyItem)? {
        guard let form = forms[position], let secret = secrets[Key(form)] else { return nil }
        return (form, secret)
    }
}

extension LegacyItem {
    /// Whether the item is a one-time-password credential of the successor SDK.
    ///
    /// The value is also `true` for an unreadable item, because its content is unknown.
    fileprivate var isOneTimePassword: Bool { suits { $0["oathType"] != nil } }

    /// Whether the item is a one-time-password credential without its secret.
    ///
    /// The value is also `true` for an unreadable item, because its content is unknown.
    fileprivate var takesSecret: Bool { suits { $0["oathType"] != nil && $0["secret"] == nil } }

    private func suits(_ condition: (JSONValue) -> Bool) -> Bool {
        switch payload {
        case .newSDK(let json): JSONValue(json: json).map(condition) ?? true
        case .unreadable: true
        case .archive, .json, .exportedJSON, .newSDKSecret: false
        }
    }

    /// Returns the credential, completed with the secret from the other item; returns the item itself if
    /// `secret` is `nil`.
    fileprivate func joined(with secret: LegacyItem?) -> LegacyItem {
        guard let secret, case .newSDK(let json) = payload,
            case .object(var members)? = JSONValue(json: json)
        else { return self }
        var joined = self
        switch secret.payload {
        case .newSDKSecret(let bytes):
            guard let text = String(bytes: bytes, encoding: .utf8) else {
                joined.payload = .unreadable(
                    .invalidSecret("The secret, which is in a separate item, is not text.")
                )
                return joined
            }
            members["secret"] = .string(text)
            joined.payload = .newSDK(JSONValue.object(members).data)
        case let unreadable: joined.payload = unreadable
        }
        return joined
    }

    /// A secret without a credential, as an unreadable item with the reason `secretAlone`; an unreadable item is
    /// returned unchanged.
    fileprivate var alone: LegacyItem {
        guard case .newSDKSecret = payload else { return self }
        var alone = self
        alone.payload = .unreadable(.secretAlone)
        return alone
    }
}

extension LegacyRecordError {
    static let secretAlone = LegacyRecordError.damaged(
        "The item contains the secret of a credential, but the store does not contain this credential."
    )
}
