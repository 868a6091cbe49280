import Foundation
import PushBridgeStore

/// Removes items from a keychain: checks all, backs up, removes, and undoes on failure.
struct KeychainRemoval {
    private typealias Item = (name: KeychainItem.Name, data: Data)

    private let keychain: any Keychain
    private var pending: [LegacyItem.Position: LegacyItem.Digest]
    private var doomed: [Item] = []
    private var kept: [Item] = []

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
        } else if let digest {
            guard item.digest == digest else { throw .changedItem }
            doomed.append((name, item.payload.content))
        } else {
            kept.append((name, item.payload.content))
        }
    }

    /// Writes the backup and removes the items.
    func run(backup: URL) throws(LegacyStoreError) {
        guard pending.isEmpty else {
            throw .changed("The keychain does not hold all of the records that are to be removed.")
        }
        let writer = try JSONLinesStoreWriter(backup)
        for item in doomed + kept {
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
