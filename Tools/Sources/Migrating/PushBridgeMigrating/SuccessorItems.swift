import ArgumentParser
import Foundation
import PushBridgeCommandLine
import PushBridgeCore
package import PushBridgeStore

/// The form of a migration's destination.
package enum DestinationForm: String, CaseIterable, ExpressibleByArgument {
    case database
    case successorItems = "successor-items"
}

/// A file with keychain items of the successor SDK.
///
/// Each line has one item, in the form that the SDK reads.
package struct SuccessorItems {
    /// The items as a store.
    package let store: KeychainCredentialStore
    private let keychain = InMemoryKeychain()
    private let url: URL

    /// One item; its members are named after the columns of a keychain.
    private struct Item: Codable {
        let svce: String
        let acct: String
        let data: Data
    }

    /// Reads a file; returns `nil` if the file does not exist.
    /// - Throws: ``StoreError`` if the file cannot be read, or if its content is not a list of items.
    package init?(reading path: String) throws {
        guard FileManager.default.fileExists(atPath: path) else { return nil }
        self.init(making: path)
        let data: Data
        do {
            data = try Data(named: path)
        } catch {
            throw StoreError(.notAStore, reason: error.sentence)
        }
        let decoder = JSONDecoder()
        for (number, line) in data.split(separator: UInt8(ascii: "\n")).enumerated() {
            do {
                let item = try decoder.decode(Item.self, from: Data(line))
                try keychain.add(
                    KeychainItem(
                        KeychainItem.Name(service: item.svce, account: item.acct),
                        data: item.data,
                        accessibility: .afterFirstUnlock
                    )
                )
            } catch {
                let reason =
                    "\(path) is not a file of keychain items: line \(number + 1) is not an item, or repeats an item."
                throw StoreError(.notAStore, reason: reason)
            }
        }
    }

    /// Creates an empty store; ``save()`` writes its items to the path.
    init(making path: String) {
        url = URL(fileURLWithPath: path)
        store = KeychainCredentialStore(keychain: keychain)
    }

    /// Writes all items to the file, which only the user can read.
    /// - Throws: ``CommandFailure`` if the file cannot be written.
    package func save() throws {
        let services = KeychainServices()
        let names = [
            services.credentials, services.oathCredentials, services.oathSecrets, services.notifications,
            services.tokens,
            services.accounts, services.ledger, services.imports,
        ]
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
        var text = Data()
        for service in names {
            for item in try keychain.items(service: service, accessGroup: nil) {
                let line = Item(svce: service, acct: item.name.account, data: item.data)
                text += try encoder.encode(line) + Data("\n".utf8)
            }
        }
        let draft = url.deletingLastPathComponent()
            .appendingPathComponent(".\(url.lastPathComponent).pushbridge-new")
        let own: [FileAttributeKey: Any] = [.posixPermissions: 0o600]
        guard FileManager.default.createFile(atPath: draft.path, contents: text, attributes: own),
            rename(draft.path, url.path) == 0
        else {
            unlink(draft.path)
            throw CommandFailure(status: .unwritableOutput, sentence: "\(url.path) cannot be written.")
        }
    }
}
