import CredentialMigration
import Foundation
package import PushBridgeCore
import PushBridgeInternals

/// How a report replaces names by pseudonyms.
package enum Redaction: Sendable {
    /// It shows the names.
    case none
    /// By numbers in the order of the source: the same, unchanged store gets the same ones in every report.
    case numbers
    /// By authentication codes with a secret key: the same name gets the same one in every report with this key.
    case keyed(SharedSecret)

    package var isNone: Bool { if case .none = self { true } else { false } }
}

/// The names in a report, or pseudonyms in their place.
///
/// A hash without a key would show whether a guessed name is right.
package struct RecordNames {
    /// The key of each record.
    let keys: [String]
    /// The id of each record's credential.
    let credentialIds: [String?]
    /// The account of each record, if its key contains it.
    let accounts: [String?]
    /// The names that reasons may repeat, of each record; empty unless redacted.
    private let originals: [[String: String]]

    init(_ records: [MigrationRecord], _ redaction: Redaction) {
        let accounts = Self.accounts(of: records)
        guard !redaction.isNone else {
            keys = records.map(\.key)
            credentialIds = records.map(\.result.credentialId)
            self.accounts = accounts
            originals = []
            return
        }
        var accountNumbers = Numbers("account", redaction)
        var credentialNumbers = Numbers("credential", redaction)
        var recordNumbers = Numbers("record", redaction)
        var notificationNumbers = Numbers("notification", redaction)
        var keys: [String] = []
        var ids: [String?] = []
        var names: [String?] = []
        var originals: [[String: String]] = []
        for (index, record) in records.enumerated() {
            let account = accounts[index].map { accountNumbers[$0] }
            let id = record.result.credentialId.map { credentialNumbers[$0] }
            let own = "\(record.kind.rawValue) \(record.key)"
            let key =
                record.kind == .notification
                ? notificationNumbers[own, index + 1]
                : "\(account ?? recordNumbers[own, index + 1]), \(record.kind.rawValue)"
            keys.append(key)
            ids.append(id)
            names.append(account)
            var pairs = [record.key: key]
            if let name = accounts[index], let account { pairs[name] = account }
            if let own = record.result.credentialId, let id { pairs[own] = id }
            originals.append(pairs)
        }
        (self.keys, credentialIds, self.accounts) = (keys, ids, names)
        self.originals = originals
    }

    /// The reason of a record without the names that the report replaces.
    func redacted(_ reason: String, _ index: Int) -> String {
        guard !originals.isEmpty else { return reason }
        return originals[index].sorted { $0.key.count > $1.key.count }.reduce(reason) { text, pair in
            pair.key.isEmpty ? text : text.replacing(pair.key, with: pair.value)
        }
    }

    /// The legacy key of each record's account: of a notification that of its credential.
    private static func accounts(of records: [MigrationRecord]) -> [String?] {
        var owners: [String: String] = [:]
        var accounts: [String?] = records.map { record in
            let account: String? =
                switch record.kind {
                case .account: record.key
                case .push, .totp, .hotp:
                    record.key.hasSuffix("-\(record.kind.rawValue)")
                        ? String(record.key.dropLast(record.kind.rawValue.count + 1)) : record.key
                default: nil
                }
            if let account, let id = record.result.credentialId, record.kind != .account {
                owners[id] = account
            }
            return account
        }
        for (index, record) in records.enumerated() where record.kind == .notification {
            accounts[index] = record.result.credentialId.flatMap { owners[$0] }
        }
        return accounts
    }

    /// The pseudonyms of a sort of names: by default numbers in the order in which they are first asked for.
    private struct Numbers {
        private let noun: String
        private let key: SharedSecret?
        private var numbers: [String: Int] = [:]

        init(_ noun: String, _ redaction: Redaction) {
            self.noun = noun
            key = if case .keyed(let key) = redaction { key } else { nil }
        }

        subscript(name: String) -> String {
            mutating get {
                let number = numbers[name] ?? numbers.count + 1
                numbers[name] = number
                return self[name, number]
            }
        }

        subscript(name: String, number: Int) -> String {
            "\(noun) \(key.map { $0.pseudonym(of: "\(noun) \(name)") } ?? "\(number)")"
        }
    }
}

/// The records of one account.
struct AccountSummary {
    /// How many records of a sort there are, and how many arrive.
    struct Count {
        var all = 0
        var arriving = 0

        /// Whether none arrives although there is one.
        var isLost: Bool { all > 0 && arriving == 0 }

        mutating func add(_ arrives: Bool) {
            all += 1
            if arrives { arriving += 1 }
        }
    }

    let name: String
    var push = Count()
    var codes = Count()
    var notifications = Count()

    /// Whether a factor of the account is lost.
    var needsAttention: Bool { push.isLost || codes.isLost }

    /// The accounts in the order of the source.
    static func all(
        of records: [MigrationRecord],
        _ names: RecordNames,
        arriving: (Int) -> Bool
    ) -> [AccountSummary] {
        var places: [String: Int] = [:]
        var accounts: [AccountSummary] = []
        for (index, record) in records.enumerated() {
            guard let name = names.accounts[index] else { continue }
            let place = places[name] ?? accounts.count
            if place == accounts.count {
                places[name] = place
                accounts.append(AccountSummary(name: name))
            }
            switch record.kind {
            case .push: accounts[place].push.add(arriving(index))
            case .totp, .hotp: accounts[place].codes.add(arriving(index))
            case .notification: accounts[place].notifications.add(arriving(index))
            default: break
            }
        }
        return accounts
    }

    /// One sentence about lost factors; `nil` if there are none.
    static func sentence(of accounts: [AccountSummary]) -> String? {
        let push = accounts.count(where: \.push.isLost)
        let codes = accounts.count(where: \.codes.isLost)
        let parts = [(push, "push"), (codes, "one-time passwords")].filter { $0.0 > 0 }.map { count, factor in
            "\(count) of \(accounts.count) \(accounts.count == 1 ? "account" : "accounts") without \(factor)"
        }
        return parts.isEmpty ? nil : "In the destination: \(parts.joined(separator: ", "))."
    }
}
