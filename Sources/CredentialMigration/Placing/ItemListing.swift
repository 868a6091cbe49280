import Foundation
import LegacyStore
import PushBridgeCore
import PushBridgeStore

/// The names of the legacy items as one attempt to move them saw them, and the groups that they lie in.
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

    /// These items and those of an earlier attempt, which may be out of sight now.
    func adding(_ earlier: ItemListing?) -> ItemListing {
        ItemListing(names: names.union(earlier?.names ?? []))
    }

    /// Whether an item of an account, or of one of its mechanisms, is there in any state.
    func hasItem(of account: AccountKey) -> Bool {
        let key = account.legacyIdentifier
        return names.contains { name in
            [LegacyService.account.rawValue, LegacyService.mechanism.rawValue].contains(name.service)
                && (name.key == key || name.key.hasPrefix("\(key)-"))
        }
    }

    /// Whether an item of a key is there in any group.
    func has(_ key: String, of service: LegacyService) -> Bool {
        names.contains { $0.service == service.rawValue && $0.key == key }
    }

    /// What an earlier attempt saw; `nil` if there was none, or nothing that can be read tells of it.
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
