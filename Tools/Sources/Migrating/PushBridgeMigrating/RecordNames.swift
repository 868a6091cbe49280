import CredentialMigration
import Foundation
package import PushBridgeCore
import PushBridgeInternals

/// The way in which a report replaces names with pseudonyms.
package enum Redaction: Sendable {
    /// Names are not replaced.
    case none
    /// Pseudonyms are numbers in the order of the source, so an unchanged store has the same pseudonyms in every
    /// report.
    case numbers
    /// Pseudonyms are message authentication codes of the names, so a name has the same pseudonym in every report with
    /// the same secret key.
    case keyed(SharedSecret)

    package var isNone: Bool { if case .none = self { true } else { false } }

    /// Returns the pseudonym of a text.
    /// - Parameters:
    ///   - text: The text.
    ///   - noun: The kind of the text, with which the pseudonym begins.
    ///   - number: The number of the text, which the pseudonym contains if there is no key.
    /// - Returns: The pseudonym, such as `store 3`.
    package func pseudonym(of text: String, _ noun: String, _ number: Int) -> String {
        guard case .keyed(let key) = self else { return "\(noun) \(number)" }
        return "\(noun) \(key.pseudonym(of: "\(noun) \(text)"))"
    }
}

/// The names of records in a report, or the pseudonyms that replace them.
///
/// A pseudonym is not a plain hash of the name, because anyone could then check whether a guessed name is right.
package struct RecordNames {
    /// The legacy key of each record, or its pseudonym.
    let keys: [String]
    /// The id of each record's credential, or its pseudonym.
    let credentialIds: [String?]
    /// The account of each record, or its pseudonym; `nil` if the account is unknown.
    let accounts: [String?]
    /// For each record, the names that its reason may repeat, with their pseudonyms; empty if names are not replaced.
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
        let recordNumbers = Numbers("record", redaction)
        let notificationNumbers = Numbers("notification", redaction)
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

    /// Returns the reason of a record, with names replaced as in the rest of the report.
    func redacted(_ reason: String, _ index: Int) -> String {
        guard !originals.isEmpty else { return reason }
        let names = originals[index].sorted { $0.key.count > $1.key.count }
        var (text, rest) = ("", reason[...])
        while let first = rest.first {
            if let name = names.first(where: { Self.isName($0.key, before: rest, in: reason) }) {
                text += name.value
                rest = rest.dropFirst(name.key.count)
            } else {
                text.append(first)
                rest = rest.dropFirst()
            }
        }
        return text
    }

    /// Returns whether the rest of a reason begins with a name, as a whole word.
    ///
    /// A name that consists only of letters and digits, such as `push` or `32`, counts only after the word *class* or
    /// *type*, where a sentence repeats a text of the record. Elsewhere, the same word may belong to the fixed
    /// part of the sentence. If that word were replaced, a reader who knows the sentence could infer the name.
    private static func isName(_ name: String, before rest: Substring, in reason: String) -> Bool {
        guard let first = name.first, let last = name.last, rest.hasPrefix(name) else { return false }
        let before = reason[..<rest.startIndex]
        func isInside(_ one: Character?, _ other: Character?) -> Bool {
            [one, other].allSatisfy { $0.map { $0.isLetter || $0.isNumber } ?? false }
        }
        if isInside(before.last, first) || isInside(last, rest.dropFirst(name.count).first) { return false }
        let isWord = name.allSatisfy { $0.isLetter || $0.isNumber }
        return !isWord || before.hasSuffix(" class ") || before.hasSuffix(" type ")
    }

    /// Returns the legacy key of each record's account; `nil` if the account is unknown.
    ///
    /// The account of a notification is the account of the notification's credential.
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

    /// Pseudonyms for one kind of name; without a key, numbers in the order of first use.
    private struct Numbers {
        private let noun: String
        private let redaction: Redaction
        private var numbers: [String: Int] = [:]

        init(_ noun: String, _ redaction: Redaction) { (self.noun, self.redaction) = (noun, redaction) }

        subscript(name: String) -> String {
            mutating get {
                let number = numbers[name] ?? numbers.count + 1
                numbers[name] = number
                return self[name, number]
            }
        }

        subscript(name: String, number: Int) -> String { redaction.pseudonym(of: name, noun, number) }
    }
}

/// The outcome for one account: how many of its credentials and notifications are in the source, and how many of them
/// arrive.
struct AccountSummary {
    /// The number of records of one kind in the source, and how many of these records arrive.
    struct Count {
        var all = 0
        var arriving = 0

        /// Whether the account has records of this kind and none of them arrives.
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

    /// Whether the account loses a factor: all its push credentials, or all its one-time passwords.
    var needsAttention: Bool { push.isLost || codes.isLost }

    /// Returns the accounts in the order of the source.
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

    /// Returns one sentence about accounts that lose a factor; `nil` if no account loses a factor.
    static func sentence(of accounts: [AccountSummary]) -> String? {
        let push = accounts.count(where: \.push.isLost)
        let codes = accounts.count(where: \.codes.isLost)
        let parts = [(push, "push"), (codes, "one-time passwords")].filter { $0.0 > 0 }.map { count, factor in
            "\(count) of \(accounts.count) \(accounts.count == 1 ? "account" : "accounts") without \(factor)"
        }
        return parts.isEmpty ? nil : "In the destination: \(parts.joined(separator: ", "))."
    }
}
