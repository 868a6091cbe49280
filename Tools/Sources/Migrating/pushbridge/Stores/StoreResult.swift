import CredentialMigration
import PushBridgeCommandLine
import PushBridgeCore
import PushBridgeMigrating

/// The result of the migration of one store among many; it contains no secrets.
struct StoreResult: Codable, Equatable, Sendable {
    /// A reason, and the number of records that have it.
    struct Reason: Codable, Equatable, Sendable {
        let outcome: String
        private(set) var reason: String
        /// The reason's code; `nil` if the reason has none.
        let code: MigrationReason?
        let records: Int

        /// The reason with the number that a support desk can search for.
        var sentence: String { code.map { "\(reason) (\($0.number))" } ?? reason }

        /// The reason with its code and number instead of its sentence, which may repeat text of a record.
        fileprivate var redacted: Self {
            var reason = self
            reason.reason = code?.rawValue ?? "A report that is not redacted has the reason."
            return reason
        }
    }

    /// The exit status that the command would have for this store alone.
    let status: Int32
    /// The container; `nil` if the store was not migrated.
    let container: String?
    /// The number of records with each outcome, and the total.
    let totals: [String: Int]
    /// The number of records whose verification failed.
    let unproven: Int
    /// The number of repaired push secrets.
    let repaired: Int
    /// The reasons why records need attention.
    ///
    /// The most frequent reason is first.
    private(set) var reasons: [Reason]
    /// The reason why the whole store was not migrated; `nil` if the store was migrated.
    private(set) var failure: String?

    /// The maximum number of reasons that are stored for a store.
    private static let mostReasons = 20

    init(_ receipt: MigrationReceipt) {
        let attention = receipt.records.filter { !$0.isRetirable }
        var counts: [[String]: Int] = [:]
        for record in attention {
            let reason = record.reason ?? "Could not be proven."
            let code = record.result.code?.rawValue ?? ""
            counts[[record.result.outcome.rawValue, reason, code], default: 0] += 1
        }
        status = (attention.isEmpty ? ExitStatus.success : .needsAttention).rawValue
        container = receipt.container
        totals = receipt.totals.byName
        unproven = receipt.totals.unproven
        repaired = receipt.records.count(where: \.isRepaired)
        reasons =
            counts.sorted { ($1.value, $0.key[0], $0.key[1]) < ($0.value, $1.key[0], $1.key[1]) }
            .prefix(Self.mostReasons)
            .map { key, count in
                Reason(
                    outcome: key[0],
                    reason: key[1],
                    code: MigrationReason(rawValue: key[2]),
                    records: count
                )
            }
        failure = nil
    }

    init(_ failure: CommandFailure) {
        status = failure.status.rawValue
        container = nil
        totals = [:]
        (unproven, repaired, reasons) = (0, 0, [])
        self.failure = failure.sentence
    }

    /// The result without the reason of a failure, which may contain a path, and without sentences about records.
    var redacted: Self {
        var result = self
        result.reasons = reasons.map(\.redacted)
        if failure != nil { result.failure = "Not migrated; a report that is not redacted has the reason." }
        return result
    }

    /// The number of records in the store.
    var records: Int { totals["records"] ?? 0 }

    /// Whether every record of the store arrived or is kept by design.
    var isComplete: Bool { status == ExitStatus.success.rawValue }

    /// Whether the store has sealed records that another key could open.
    var hasSealedRecords: Bool { totals[MigrationOutcome.undecryptable.rawValue] ?? 0 > 0 }

    /// Whether the next run can use this result, if the store is unchanged, instead of migrating the store again.
    var isFinal: Bool { failure == nil }

    /// The reason why the store needs attention, in a short form such as `33 damaged, 2 sealed`.
    var attention: String {
        if let failure { return failure }
        var counts: [String] = MigrationOutcome.allCases.filter { !$0.isRetirable }.compactMap { outcome in
            totals[outcome.rawValue].flatMap { $0 > 0 ? "\($0) \(outcome.rawValue)" : nil }
        }
        if unproven > 0 { counts.append("\(unproven) not proven") }
        return counts.joined(separator: ", ")
    }
}
