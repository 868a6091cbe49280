import ArgumentParser
import Foundation
import LegacyFiles
@_spi(PushBridgeTools) import LegacyStore
import PushBridgeCommandLine
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
            let url = try URL(storeAt: store)
            let source = try LegacyFile.open(url)
            url.warnOfLeftOvers()
            try InspectionReport(source, name: store).deliver(asJSON: output.json)
        }
    }
}

/// What `inspect` says.
struct InspectionReport: Report {
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
    struct Problem {
        let kind: LegacyRecordKind
        let key: String
        let reason: String

        fileprivate var json: JSONValue {
            ["kind": .string(kind.rawValue), "key": .string(key), "reason": .string(reason)]
        }
    }

    /// Reads the whole store once.
    init(_ source: any LegacySource, name: String) throws {
        self.name = name
        container = source.container
        for item in try source.items() { note(try item.get()) }
    }

    /// How many records there are.
    var records: Int { kinds.values.reduce(0) { $0 + $1.records } }

    var status: ExitStatus { problems.isEmpty ? .success : .needsAttention }

    private mutating func note(_ item: LegacyItem) {
        do throws(LegacyRecordError) {
            let contents = try item.contents()
            kinds[contents.kind, default: Count()].records += 1
            kinds[contents.kind, default: Count()].readable += 1
            note(contents)
            guard let problem = contents.problem else { return }
            problems.append(Problem(kind: contents.kind, key: item.key, reason: problem))
        } catch {
            kinds[item.presumedKind, default: Count()].records += 1
            problems.append(Problem(kind: item.presumedKind, key: item.key, reason: error.reason))
        }
    }

    private mutating func note(_ contents: LegacyItem.Contents) {
        for account in contents.accounts {
            accounts[account.key, default: AccountLine()].note(account)
        }
        if let account = contents.accountOfMechanism {
            accounts[account, default: AccountLine()].mechanisms[contents.kind, default: 0] += 1
        }
    }
}

/// One account as the store has it.
struct AccountLine {
    var hasRecord = false
    var isLocked = false
    var mechanisms: [LegacyRecordKind: Int] = [:]

    mutating func note(_ account: AccountProfile) {
        hasRecord = true
        isLocked = account.isLocked
    }
}

extension InspectionReport {
    /// How many accounts and problems are listed one by one; `--json` lists all.
    private static let listed = 40

    var text: String {
        """
        \(name): \(container), \(records) records, \(problems.count) with problems

        \(kindTable)
        \(accountTable)\(problemTable)
        """
    }

    func writeJSON(to write: @escaping (Data) throws -> Void) throws {
        let head: JSONValue = [
            "schema": 1, "command": "inspect", "kinds": .counts(kinds.mapValues(\.records)),
            "source": ["container": .string(container), "records": .integer(records)],
            "problems": .array(problems.map(\.json)),
        ]
        let lines = sortedAccounts.lazy.map { key, line -> JSONValue in
            [
                "issuer": .string(key.issuer), "accountName": .string(key.accountName),
                "hasRecord": .bool(line.hasRecord), "locked": .bool(line.isLocked),
                "push": .integer(line.count(.push)), "totp": .integer(line.count(.totp)),
                "hotp": .integer(line.count(.hotp)),
            ]
        }
        try JSONStream(write: write).document(head: head, array: "accounts", of: lines)
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
                "\(line.count(.push))",
                "\(line.count(.totp))",
                "\(line.count(.hotp))",
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
}

extension AccountLine {
    fileprivate func count(_ kind: LegacyRecordKind) -> Int { mechanisms[kind] ?? 0 }

    fileprivate var notes: String {
        [
            isLocked ? "locked" : nil,
            hasRecord ? nil : "no account record",
            mechanisms.isEmpty ? "no mechanisms" : nil,
        ]
        .compactMap { $0 }.joined(separator: ", ")
    }
}
