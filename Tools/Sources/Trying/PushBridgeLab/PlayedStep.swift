import CredentialMigration
import PushBridgeCore
import PushParity

/// The calls, requests and changes of both sides during one step.
///
/// Unchanged parts are omitted, because a lab stores thousands of steps.
struct PlayedStep: Sendable {
    /// The events of one side.
    struct Events: Sendable {
        /// The results that the app received, call by call.
        fileprivate(set) var calls: [[JSONValue]]
        /// The requests of the step, with the keys by which they are compared.
        fileprivate(set) var requests: [(key: String, request: JSONValue)]
        /// The changes in the store and on the server.
        fileprivate(set) var changes: [(place: String, before: JSONValue?, after: JSONValue?)]

        init(_ stepRecord: StepRecord, after before: StepRecord?) {
            calls = stepRecord.calls
            requests = stepRecord.keyedRequests.map { ($0.0, $0.1) }
            let store = JSONValue.changes(from: before?.store, to: stepRecord.store)
            let server = JSONValue.changes(from: before?.server, to: stepRecord.server)
            changes =
                store.map { ("store.\($0.place)", $0.before, $0.after) }
                + server.map { ("server.\($0.place)", $0.before, $0.after) }
        }
    }

    /// The number of the step, counted from 1.
    let number: Int
    private(set) var step: Step
    /// The events of each side.
    private(set) var events: [APISide: Events]
    /// The differences that first appear in this step.
    ///
    /// Each difference has the id of the equivalence or divergence that explains it; the id is `nil` if nothing
    /// explains the difference.
    private(set) var findings: [(difference: Difference, id: String?)]
    /// The receipts of the migration on each side; empty if the step migrated no file.
    var receipts: [APISide: MigrationReceipt] = [:]

    /// The name of the migrated file; `nil` if the step migrated no file.
    var migratedFile: String? { if case .migrate(let migrate) = step.content { migrate.file } else { nil } }

    init(
        number: Int,
        _ stepRecords: ScenarioPlayer.StepRecords,
        after before: ScenarioPlayer.StepRecords?,
        findings: [(difference: Difference, id: String?)]
    ) {
        self.number = number
        self.findings = findings
        step = stepRecords.legacy.step
        events = [
            .legacy: Events(stepRecords.legacy, after: before?.legacy),
            .async: Events(stepRecords.async, after: before?.async),
        ]
    }

    /// Adds the results of the same step after more time has passed.
    mutating func merge(_ later: PlayedStep) {
        step = later.step
        findings += later.findings
        for (side, more) in later.events {
            events[side]?.calls += more.calls
            events[side]?.requests += more.requests
            events[side]?.changes += more.changes
        }
    }
}
