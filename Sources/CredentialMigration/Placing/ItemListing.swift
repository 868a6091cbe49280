import Foundation
import LegacyStore
import PushBridgeCore
import PushBridgeStore

/// The names and groups of the legacy items that were found by one attempt of a move.
struct ItemListing: Codable, Equatable {
    /// The name of an item.
    struct Name: Codable, Hashable {
        let service: String
        let key: String
        let group: String
    }

    let names: Set<Name>

    init(_ names: [KeychainItem.Name]) {
        self.names = Set(
            names.map { Name(service: $0.service, key: $0.account, group: $0.accessGroup ?? "") }
        )
    }

    private init(names: Set<Name>) {
        self.names = names
    }

    var isEmpty: Bool { names.isEmpty }
    /// The groups, sorted.
    ///
    /// If the keychain does not name the group of an item, the group is an empty string.
    var groups: [String] { Set(names.map(\.group)).sorted() }

    /// Returns this listing combined with the listing of an earlier attempt, because items that the earlier
    /// attempt found may be inaccessible now.
    func adding(_ earlier: ItemListing?) -> ItemListing {
        ItemListing(names: names.union(earlier?.names ?? []))
    }

    /// Returns whether there is an item of the account or of one of its mechanisms.
    ///
    /// An unreadable item counts as well.
    func hasItem(of account: AccountKey) -> Bool {
        let key = account.legacyIdentifier
        return names.contains { name in
            [LegacyService.account.rawValue, LegacyService.mechanism.rawValue].contains(name.service)
                && (name.key == key || name.key.hasPrefix("\(key)-"))
        }
    }

    /// Returns whether any group contains an item with this key.
    func has(_ key: String, of service: LegacyService) -> Bool {
        names.contains { $0.service == service.rawValue && $0.key == key }
    }

    /// Reads the listing of earlier attempts.
    ///
    /// The result is `nil` if there is no listing or the listing is invalid.
    static func read(from keychain: LegacyKeychain) throws(StoreError) -> ItemListing? {
        guard let data = try keychain.beside(.listing) else { return nil }
        do {
            return try JSONDecoder().decode(ItemListing.self, from: data)
        } catch {
            return nil
        }
    }

    /// The data of the keychain item that stores the listing.
    var encoded: Data {
        let encoder = JSONEncoder()
        encoder.outputFormatting = .sortedKeys
        do {
            let sorted = names.sorted { ($0.service, $0.key, $0.group) < ($1.service, $1.key, $1.group) }
            return try encoder.encode(["names": sorted])
        } catch {
            // The encoding of texts cannot fail.
            return Data()
        }
    }
}

extension String {
    /// The group as an argument for the keychain's methods; `nil` for a group without a name.
    var group: String? { isEmpty ? nil : self }
}
