import ArgumentParser
import Foundation
@_spi(PushBridgeTools) import LegacyFiles
import LegacyStore
import PushBridgeCommandLine
import PushBridgeCore
import PushBridgeInternals
import PushBridgeMigrating

/// The command `inspect`, which lists the content of a legacy store.
struct Inspect: ParsableCommand {
    static let configuration = CommandConfiguration(
        abstract: "List the contents of a legacy store: accounts, mechanisms, notifications, token, problems."
    )

    @Argument(help: .legacyStore)
    var store: String

    @OptionGroup var source: SourceOptions
    @OptionGroup var output: OutputOptions

    func run() throws {
        try perform(storeRole: .input) {
            let url = try URL(storeAt: store)
            let source = try LegacyFile.openEvenIfEmpty(
                url,
                key: source.keys(),
                module: source.module,
                services: source.services
            )
            let progress = try ProgressBar(recordsOf: store)
            defer { progress.finish() }
            url.warnOfLeftOvers(services: self.source.services, progress: progress)
            var report = try InspectionReport(source, name: store, lacksLog: LegacyFile.lacksLog(url)) {
                progress.show("inspecting", records: $0)
            }
            if report.records == 0 {
                report.remains = LegacyFile.remains(of: url, besides: self.source.services)
            }
            progress.finish()
            try report.deliver(asJSON: output.json)
        }
    }
}

/// The report of `inspect`.
struct InspectionReport: Report {
    let name: String
    let container: String
    /// Whether the store is a database whose log is missing.
    let lacksLog: Bool
    /// The other contents of a store without records, in words; `nil` if the store is empty.
    var remains: String?
    private(set) var kinds: [LegacyRecordKind: Count] = [:]
    private(set) var accounts: [AccountKey: AccountLine] = [:]
    private(set) var problems: [Problem] = []
    /// The kinds of unreadable records whose keys match no account.
    private(set) var ownerless: Set<LegacyRecordKind> = []
    /// The SDKs that have a record of each credential, by the id of the credential.
    private var credentials: [String: Sides] = [:]
    /// The secrets of the items, by item key and access group.
    private var secrets: [String: [String: SharedSecret]] = [:]

    /// The SDKs that have a record of one credential.
    private struct Sides {
        let kind: LegacyRecordKind
        var isInLegacySDK = false
        var isInSuccessor = false
    }

    /// The counts for one kind of record: all records, the readable records, and the unreadable records that
    /// are sealed.
    struct Count {
        var records = 0
        var readable = 0
        var sealed = 0
    }

    /// A record that cannot be used.
    struct Problem {
        /// The reason why the record cannot be used.
        enum Cause: String {
            /// The record was read, but cannot sign.
            case cannotSign
            case sealed
            case locked
            case damaged
            case unsupported

            fileprivate init(_ error: LegacyRecordError) {
                self =
                    switch error.code {
                    case .undecryptable: .sealed
                    case .locked: .locked
                    case .damaged: .damaged
                    case .unsupported: .unsupported
                    }
            }
        }

        let kind: LegacyRecordKind
        let key: String
        let cause: Cause
        let reason: String
        let code: MigrationReason

        fileprivate var json: JSONValue {
            [
                "kind": .string(kind.rawValue), "key": .string(key), "cause": .string(cause.rawValue),
                "number": .string(code.number), "reason": .string(reason),
            ]
        }
    }

    /// Reads the whole store once.
    init(
        _ source: any LegacySource,
        name: String,
        lacksLog: Bool = false,
        progress: (Int) -> Void = { _ in }
    ) throws {
        self.name = name
        self.lacksLog = lacksLog
        container = source.container
        var count = 0
        for item in try source.items() {
            add(try item.get())
            count += 1
            if count.isMultiple(of: 500) { progress(count) }
        }
        findOwners()
    }

    /// The total number of records.
    var records: Int { kinds.values.reduce(0) { $0 + $1.records } }

    /// The exit status of `inspect`.
    ///
    /// If the log is missing and no record was found, the store needs attention, because all records may be
    /// in the log.
    var status: ExitStatus {
        problems.isEmpty && !(lacksLog && records == 0) ? .success : .needsAttention
    }

    private mutating func add(_ item: LegacyItem) {
        do throws(LegacyRecordError) {
            let contents = try item.contents()
            kinds[contents.kind, default: Count()].records += 1
            kinds[contents.kind, default: Count()].readable += 1
            add(contents)
            compare(contents, of: item)
            guard let problem = contents.problem else { return }
            let kind = contents.kind
            problems.append(
                Problem(
                    kind: kind,
                    key: item.key,
                    cause: .cannotSign,
                    reason: problem,
                    code: .unusableSource
                )
            )
        } catch {
            let (kind, cause) = (item.presumedKind, Problem.Cause(error))
            kinds[kind, default: Count()].records += 1
            if cause == .sealed { kinds[kind, default: Count()].sealed += 1 }
            problems.append(
                Problem(
                    kind: kind,
                    key: item.key,
                    cause: cause,
                    reason: error.reason,
                    code: error.reasonCode
                )
            )
        }
    }

    /// Finds the account of each unreadable record, by the issuer and the account name in the record's key.
    private mutating func findOwners() {
        var owners: [String: [AccountKey]] = [:]
        for account in accounts.keys {
            owners["\(account.issuer)-\(account.accountName)", default: []].append(account)
        }
        for problem in problems where problem.cause != .cannotSign {
            let suffix = problem.kind == .account ? "" : "-\(problem.kind.rawValue)"
            let name = problem.key.hasSuffix(suffix) ? String(problem.key.dropLast(suffix.count)) : ""
            let found = problem.kind.belongsToAccount ? owners[name] ?? [] : []
            if found.isEmpty { ownerless.insert(problem.kind) }
            for account in found { accounts[account]?.unreadable[problem.kind] = problem.cause }
        }
    }

    /// Records which SDK has a credential, and the secret of the credential.
    ///
    /// From this, the report names the credentials that both SDKs have, and the items that have the same key but
    /// different secrets in two access groups.
    private mutating func compare(_ contents: LegacyItem.Contents, of item: LegacyItem) {
        guard let id = contents.credentialId, let secret = contents.secret else { return }
        var sides = credentials[id] ?? Sides(kind: contents.kind)
        if case .newSDK = item.payload { sides.isInSuccessor = true } else { sides.isInLegacySDK = true }
        credentials[id] = sides
        if let group = item.accessGroup { secrets[item.key, default: [:]][group] = secret }
    }

    private mutating func add(_ contents: LegacyItem.Contents) {
        for account in contents.accounts {
            accounts[account.key, default: AccountLine()].add(account)
        }
        if let account = contents.accountOfMechanism {
            accounts[account, default: AccountLine()].mechanisms[contents.kind, default: 0] += 1
        }
    }
}

/// One account of the store.
struct AccountLine {
    var hasRecord = false
    var isLocked = false
    var mechanisms: [LegacyRecordKind: Int] = [:]
    /// The kinds of the account's unreadable records, each with the reason.
    var unreadable: [LegacyRecordKind: InspectionReport.Problem.Cause] = [:]

    mutating func add(_ account: AccountProfile) {
        hasRecord = true
        isLocked = account.isLocked
    }
}

extension InspectionReport {
    /// The maximum number of accounts, and of problems, in the text; `--json` lists all of them.
    private static let listed = 40

    var text: String {
        guard records > 0 else {
            if lacksLog { return "\(name.visible): \(container), no records without its log.\n" }
            if let remains { return "\(name.visible): \(container), no records: \(remains).\n" }
            return "\(name.visible): \(container), empty: it holds no records of either SDK.\n"
        }
        return """
            \(name.visible): \(container), \(records.counted("record")), \(problems.count) with problems

            \(kindTable)
            \(accountTable)\(remarks)\(problemTable)
            """
    }

    /// Sentences about credentials of which both SDKs have a record, and about items with the same key but different
    /// secrets.
    private var remarks: String {
        let sentences = [sharedCredentials, differentSecrets].compactMap(\.self)
        return sentences.isEmpty ? "" : "\n\(sentences.joined(separator: "\n"))\n"
    }

    /// A sentence about credentials of which both SDKs have a record; `nil` if there are none.
    private var sharedCredentials: String? {
        let shared = credentials.values.filter { $0.isInLegacySDK && $0.isInSuccessor }
        guard !shared.isEmpty else { return nil }
        let kinds = Dictionary(grouping: shared, by: \.kind).mapValues(\.count)
        return
            "Records of both SDKs describe the same credentials; a migration makes one credential of each pair: \(kinds.words)."
    }

    /// A sentence about items that have the same key but different secrets in two access groups; `nil` if there are
    /// none.
    private var differentSecrets: String? {
        let keys = secrets.filter { _, groups in
            guard let first = groups.values.first else { return false }
            return groups.values.contains { $0 != first }
        }
        .sorted { $0.key < $1.key }
        guard !keys.isEmpty else { return nil }
        let named = keys.prefix(Self.listed).map { key, groups in
            "\(key.visible) (\(groups.keys.sorted().map(\.visible).joined(separator: ", ")))"
        }
        let rest = keys.count > Self.listed ? " and \(keys.count - Self.listed) more" : ""
        return
            "Access groups contain different secrets under the same key: \(named.joined(separator: ", "))\(rest)."
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
                "unreadable": .object(
                    Dictionary(
                        uniqueKeysWithValues: line.unreadable.map { ($0.rawValue, .string($1.rawValue)) }
                    )
                ),
            ]
        }
        try JSONStream(write: write).document(head: head, array: "accounts", of: lines)
    }

    private var sortedAccounts: [(key: AccountKey, value: AccountLine)] {
        accounts.sorted { ($0.key.issuer, $0.key.accountName) < ($1.key.issuer, $1.key.accountName) }
    }

    private var kindTable: String {
        var table = Table(("Kind", .left), ("Records", .right), ("Readable", .right), ("Sealed", .right))
        for kind in LegacyRecordKind.allCases {
            guard let count = kinds[kind] else { continue }
            table.add(kind.plainName, "\(count.records)", "\(count.readable)", "\(count.sealed)")
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
                line.notes(ownerless)
            )
        }
        return table.text + rest(of: accounts.count)
    }

    private var problemTable: String {
        guard !problems.isEmpty else { return "" }
        var table = Table(("Kind", .left), ("Key", .left), ("Problem", .left))
        for problem in problems.prefix(Self.listed) {
            table.add(problem.kind.plainName, problem.key, problem.code.numbered(problem.reason))
        }
        return "\nProblems\n\n\(table.text)\(rest(of: problems.count))"
    }

    private func rest(of count: Int) -> String {
        count > Self.listed ? "... and \(count - Self.listed) more; see --json\n" : ""
    }
}

extension AccountLine {
    fileprivate func count(_ kind: LegacyRecordKind) -> Int { mechanisms[kind] ?? 0 }

    /// Returns remarks about the account.
    ///
    /// If an unreadable record matches no account, it may be a record that the account seems to lack. The remark is
    /// then `no readable account record` instead of `no account record`, or `no readable mechanisms` instead of `no
    /// mechanisms`.
    fileprivate func notes(_ ownerless: Set<LegacyRecordKind>) -> String {
        var notes = isLocked ? ["locked"] : []
        if let cause = unreadable[.account] {
            notes.append("account record \(cause.rawValue)")
        } else if !hasRecord {
            let mayBeThere = !ownerless.isDisjoint(with: [.account, .unknown])
            notes.append(mayBeThere ? "no readable account record" : "no account record")
        }
        let mechanisms: [LegacyRecordKind] = [.push, .totp, .hotp]
        for kind in mechanisms {
            if let cause = unreadable[kind] { notes.append("\(kind.plainName) \(cause.rawValue)") }
        }
        if self.mechanisms.isEmpty, unreadable.keys.allSatisfy({ $0 == .account }) {
            let mayBeThere = !ownerless.isDisjoint(with: mechanisms + [.unknown])
            notes.append(mayBeThere ? "no readable mechanisms" : "no mechanisms")
        }
        return notes.joined(separator: ", ")
    }
}

extension LegacyRecordKind {
    fileprivate var belongsToAccount: Bool {
        switch self {
        case .account, .push, .totp, .hotp: true
        case .notification, .deviceToken, .unknown: false
        }
    }
}
