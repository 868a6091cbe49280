import Foundation
import LegacyStore
import PushBridgeCore
import PushBridgeStore

/// The names and groups of the legacy items that one attempt to move them found.
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
    /// The groups, sorted; the empty text is a group that the keychain does not name.
    var groups: [String] { Set(names.map(\.group)).sorted() }

    /// This listing joined with that of an earlier attempt, whose items may be inaccessible now.
    func adding(_ earlier: ItemListing?) -> ItemListing {
        ItemListing(names: names.union(earlier?.names ?? []))
    }

    /// Returns whether an item of an account, or of one of its mechanisms, exists, readable or not.
    func hasItem(of account: AccountKey) -> Bool {
        let key = account.legacyIdentifier
        return names.contains { name in
            [LegacyService.account.rawValue, LegacyService.mechanism.rawValue].contains(name.service)
                && (name.key == key || name.key.hasPrefix("\(key)-"))
        }
    }

    /// Returns whether any group contains an item with a key.
    func has(_ key: String, of service: LegacyService) -> Bool {
        names.contains { $0.service == service.rawValue && $0.key == key }
    }

    /// The listing of an earlier attempt; `nil` if there is none that can be read.
    static func read(from keychain: LegacyKeychain) throws(StoreError) -> ItemListing? {
        guard let data = try keychain.beside(.listing) else { return nil }
        do {
            return try JSONDecoder().decode(ItemListing.self, from: data)
        } catch {
            return nil
        }
    }

    /// The bytes to keep beside the items.
    var encoded: Data {
        let encoder = JSONEncoder()
        encoder.outputFormatting = .sortedKeys
        do {
            let sorted = names.sorted { ($0.service, $0.key, $0.group) < ($1.service, $1.key, $1.group) }
            return try encoder.encode(["names": sorted])
        } catch {
            // Texts can always be written.
            return Data()
        }
    }
}

extension String {
    /// The group of a listing as the keychain is asked for it; `nil` where it names none.
    var group: String? { isEmpty ? nil : self }
}
