import CredentialMigration
import PushBridgeCommandLine
import PushBridgeCore

/// How the migration of one store among many ended, without a person or a secret in it.
struct StoreResult: Codable, Equatable, Sendable {
    /// A reason that records were given, and how many.
    struct Reason: Codable, Equatable, Sendable {
        let outcome: String
        let reason: String
        let records: Int
    }

    /// The status that the command would have ended with for this store alone.
    let status: Int32
    /// The container; `nil` if the store could not be read.
    let container: String?
    /// How many records had each outcome, and their sum.
    let totals: [String: Int]
    /// How many should have been proven and were not.
    let unproven: Int
    /// How many push secrets were repaired.
    let repaired: Int
    /// Why records need attention, most frequent first.
    let reasons: [Reason]
    /// Why the store as a whole was not migrated; `nil` if it was.
    let failure: String?

    /// How many reasons are kept of a store.
    private static let mostReasons = 20

    init(_ receipt: MigrationReceipt) {
        let attention = receipt.records.filter { !$0.isRetirable }
        var counts: [[String]: Int] = [:]
        for record in attention {
            let reason = record.reason ?? "Could not be proven."
            counts[[record.result.outcome.rawValue, reason], default: 0] += 1
        }
        status = (attention.isEmpty ? ExitStatus.success : .needsAttention).rawValue
        container = receipt.container
        totals = receipt.totals.byName
        unproven = receipt.totals.unproven
        repaired = receipt.records.count(where: \.isRepaired)
        reasons =
            counts.sorted { ($1.value, $0.key[0], $0.key[1]) < ($0.value, $1.key[0], $1.key[1]) }
            .prefix(Self.mostReasons)
            .map { Reason(outcome: $0.key[0], reason: $0.key[1], records: $0.value) }
        failure = nil
    }

    init(_ failure: CommandFailure) {
        status = failure.status.rawValue
        container = nil
        totals = [:]
        (unproven, repaired, reasons) = (0, 0, [])
        self.failure = failure.sentence
    }

    /// How many records the store has.
    var records: Int { totals["records"] ?? 0 }

    /// Whether every record of the store arrived or is kept.
    var isComplete: Bool { status == ExitStatus.success.rawValue }

    /// Whether a key could open more of the store.
    var hasSealedRecords: Bool { totals[MigrationOutcome.undecryptable.rawValue] ?? 0 > 0 }

    /// Whether trying again changes nothing as long as the store does not change.
    var isFinal: Bool { failure == nil }

    /// Why the store needs attention, in a few words: `33 damaged, 2 sealed`.
    var attention: String {
        if let failure { return failure }
        var counts: [String] = MigrationOutcome.allCases.filter { !$0.isRetirable }.compactMap { outcome in
            totals[outcome.rawValue].flatMap { $0 > 0 ? "\($0) \(outcome.rawValue)" : nil }
        }
        if unproven > 0 { counts.append("\(unproven) not proven") }
        return counts.joined(separator: ", ")
    }
}
