import ArgumentParser
import Foundation
import LegacyStore
import PushBridgeCore

/// Says what is in a legacy store.
struct Inspect: ParsableCommand {
    static let configuration = CommandConfiguration(
        abstract: "Say what is in a legacy store: accounts, mechanisms, notifications, token, problems."
    )

    @Argument(help: .legacyStore)
    var store: String

    @OptionGroup var output: OutputOptions

    func run() throws {
        try perform(storeRole: .input) {
            let source = try LegacyFile.open(URL(fileURLWithPath: store))
            let report = try InspectionReport(source, name: store)
            if output.json {
                try report.writeJSON()
            } else {
                try Terminal.write(report.text)
            }
            try report.status.exit()
        }
    }
}

/// What `inspect` says.
struct InspectionReport {
    let name: String
    let container: String
    private(set) var kinds: [LegacyRecordKind: Count] = [:]
    private(set) var accounts: [AccountKey: AccountLine] = [:]
    private(set) var problems: [Problem] = []

    /// How many records of a kind there are, and how many can be read.
    struct Count {
        var records = 0
        var readable = 0
    }

    /// A record that cannot be used.
    struct Problem: Encodable {
        let kind: LegacyRecordKind
        let key: String
        let reason: String
    }

    /// Reads the whole store once.
    init(_ source: any LegacySource, name: String) throws {
        self.name = name
        container = source.container
        for item in try source.items() { note(try item.get()) }
    }

    /// How many records there are.
    var records: Int { kinds.values.reduce(0) { $0 + $1.records } }

    /// The status to end with.
    var status: ExitStatus { problems.isEmpty ? .success : .needsAttention }

    private mutating func note(_ item: LegacyItem) {
        do throws(LegacyRecordError) {
            let decoded = try item.decoded()
            kinds[decoded.record.kind, default: Count()].records += 1
            kinds[decoded.record.kind, default: Count()].readable += 1
            note(decoded)
            guard let fault = item.signingFault(decoded) else { return }
            problems.append(Problem(kind: decoded.record.kind, key: item.key, reason: fault.reason))
        } catch {
            kinds[item.presumedKind, default: Count()].records += 1
            problems.append(Problem(kind: item.presumedKind, key: item.key, reason: error.reason))
        }
    }

    private mutating func note(_ decoded: DecodedItem) {
        if let account = decoded.embeddedAccount {
            accounts[account.profile.key, default: AccountLine()].note(account)
        }
        switch decoded.record {
        case .account(let account):
            accounts[account.profile.key, default: AccountLine()].note(account)
        case .mechanism(let mechanism):
            accounts[mechanism.account, default: AccountLine()].mechanisms[mechanism.kind, default: 0] += 1
        case .notification, .deviceToken:
            break
        }
    }
}

/// What is known of one account.
struct AccountLine {
    var hasRecord = false
    var isLocked = false
    var mechanisms: [LegacyRecordKind: Int] = [:]

    mutating func note(_ account: LegacyAccount) {
        hasRecord = true
        isLocked = account.profile.isLocked
    }
}

extension InspectionReport {
    /// How many accounts and problems are listed one by one; `--json` lists all.
    private static let listed = 40

    /// The report for a terminal.
    var text: String {
        """
        \(name): \(container), \(records) records, \(problems.count) with problems

        \(kindTable)
        \(accountTable)\(problemTable)
        """
    }

    /// The report as JSON.
    func writeJSON() throws {
        let head = Head(
            source: Head.Source(container: container, records: records),
            kinds: Dictionary(uniqueKeysWithValues: kinds.map { ($0.key.rawValue, $0.value.records) }),
            problems: problems
        )
        let lines = sortedAccounts.lazy.map { key, line in
            Account(
                issuer: key.issuer,
                accountName: key.accountName,
                hasRecord: line.hasRecord,
                locked: line.isLocked,
                push: line.mechanisms[.push] ?? 0,
                totp: line.mechanisms[.totp] ?? 0,
                hotp: line.mechanisms[.hotp] ?? 0
            )
        }
        try JSONStream().document(head: head, array: "accounts", of: lines)
    }

    private var sortedAccounts: [(key: AccountKey, value: AccountLine)] {
        accounts.sorted { ($0.key.issuer, $0.key.accountName) < ($1.key.issuer, $1.key.accountName) }
    }

    private var kindTable: String {
        var table = Table(("Kind", .left), ("Records", .right), ("Readable", .right))
        for kind in LegacyRecordKind.allCases {
            guard let count = kinds[kind] else { continue }
            table.add(kind.rawValue, "\(count.records)", "\(count.readable)")
        }
        return table.text
    }

    private var accountTable: String {
        guard !accounts.isEmpty else { return "" }
        var table = Table(
            ("Issuer", .left),
            ("Account", .left),
            ("Push", .right),
            ("TOTP", .right),
            ("HOTP", .right),
            ("Notes", .left)
        )
        for (key, line) in sortedAccounts.prefix(Self.listed) {
            table.add(
                key.issuer,
                key.accountName,
                "\(line.mechanisms[.push] ?? 0)",
                "\(line.mechanisms[.totp] ?? 0)",
                "\(line.mechanisms[.hotp] ?? 0)",
                line.notes
            )
        }
        return table.text + rest(of: accounts.count)
    }

    private var problemTable: String {
        guard !problems.isEmpty else { return "" }
        var table = Table(("Kind", .left), ("Key", .left), ("Problem", .left))
        for problem in problems.prefix(Self.listed) {
            table.add(problem.kind.rawValue, problem.key, problem.reason)
        }
        return "\nProblems\n\n\(table.text)\(rest(of: problems.count))"
    }

    private func rest(of count: Int) -> String {
        count > Self.listed ? "... and \(count - Self.listed) more; see --json\n" : ""
    }

    private struct Head: Encodable {
        struct Source: Encodable {
            let container: String
            let records: Int
        }

        var schema = 1
        var command = "inspect"
        let source: Source
        let kinds: [String: Int]
        let problems: [Problem]
    }

    private struct Account: Encodable {
        let issuer: String
        let accountName: String
        let hasRecord: Bool
        let locked: Bool
        let push: Int
        let totp: Int
        let hotp: Int
    }
}

extension AccountLine {
    fileprivate var notes: String {
        [
            isLocked ? "locked" : nil,
            hasRecord ? nil : "no account record",
            mechanisms.isEmpty ? "no mechanisms" : nil,
        ]
        .compactMap { $0 }.joined(separator: ", ")
    }
}
