import Foundation
import LegacyStore
import PushBridgeCore
import PushBridgeStore

/// The names and groups of the legacy items that were found by one attempt of a move, and the ids of the
/// credentials in these items.
struct ItemListing: Decodable, Equatable {
    /// The name of an item.
    struct Name: Codable, Hashable {
        let service: String
        let key: String
        let group: String
    }

    let names: Set<Name>
    /// The ids of the credentials in the readable items.
    let credentialIds: Set<String>

    private enum CodingKeys: CodingKey {
        case names, credentialIds
    }

    init(_ names: [KeychainItem.Name], credentialIds: Set<String>) {
        let names = names.map { Name(service: $0.service, key: $0.account, group: $0.accessGroup ?? "") }
        self.init(names: Set(names), credentialIds: credentialIds)
    }

    private init(names: Set<Name>, credentialIds: Set<String>) {
        (self.names, self.credentialIds) = (names, credentialIds)
    }

    init(from decoder: any Decoder) throws {
        let members = try decoder.container(keyedBy: CodingKeys.self)
        self.init(
            names: try members.decode(Set<Name>.self, forKey: .names),
            // The listings of earlier versions contain no ids.
            credentialIds: try members.decodeIfPresent(Set<String>.self, forKey: .credentialIds) ?? []
        )
    }

    var isEmpty: Bool { names.isEmpty }
    /// The groups, sorted.
    ///
    /// If the keychain does not name the group of an item, the group is an empty string.
    var groups: [String] { Set(names.map(\.group)).sorted() }

    /// Returns this listing combined with the listing of an earlier attempt, because items that the earlier
    /// attempt found may be inaccessible now.
    func adding(_ earlier: ItemListing?) -> ItemListing {
        ItemListing(
            names: names.union(earlier?.names ?? []),
            credentialIds: credentialIds.union(earlier?.credentialIds ?? [])
        )
    }

    /// Returns whether there is an item of the account or of one of its mechanisms.
    ///
    /// An unreadable item counts as well.
    func hasItem(of account: AccountKey) -> Bool {
        let key = account.legacyIdentifier
        return has(key, of: .account)
            || names.contains { name in
                name.service == LegacyService.mechanism.rawValue && name.key.isMechanismKey(ofAccount: key)
            }
    }

    /// Returns whether any group contains an item with this service and key.
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
            return try encoder.encode(Sorted(self))
        } catch {
            // The encoding of strings cannot fail.
            return Data()
        }
    }
}

/// The stored form of a listing; equal listings have the same bytes.
private struct Sorted: Encodable {
    let names: [ItemListing.Name]
    let credentialIds: [String]

    init(_ listing: ItemListing) {
        names = listing.names.sorted { ($0.service, $0.key, $0.group) < ($1.service, $1.key, $1.group) }
        credentialIds = listing.credentialIds.sorted()
    }
}

extension String {
    /// The group as an argument for the keychain's methods; `nil` for a group without a name.
    var group: String? { isEmpty ? nil : self }
}
