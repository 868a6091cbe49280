import CredentialMigration
import PushBridgeCore
import PushParity

/// What happened on both sides in a step, without what stayed as it was: a lab keeps thousands of steps.
struct PlayedStep: Sendable {
    /// What happened on one side.
    struct Events: Sendable {
        /// The app's results, call by call.
        fileprivate(set) var calls: [[JSONValue]]
        /// The requests as they arrived, with the keys under which they are compared.
        fileprivate(set) var requests: [(key: String, request: JSONValue)]
        /// What changed in the store and at the server.
        fileprivate(set) var changes: [(place: String, before: JSONValue?, after: JSONValue?)]

        init(_ moment: Moment, after before: Moment?) {
            calls = moment.calls
            requests = moment.keyedRequests.map { ($0.0, $0.1) }
            let store = JSONValue.changes(from: before?.store, to: moment.store)
            let server = JSONValue.changes(from: before?.server, to: moment.server)
            changes =
                store.map { ("store.\($0.place)", $0.before, $0.after) }
                + server.map { ("server.\($0.place)", $0.before, $0.after) }
        }
    }

    /// The number of the step, from 1.
    let number: Int
    /// The step.
    private(set) var step: Step
    /// What happened on each side.
    private(set) var events: [Side: Events]
    /// The new differences, each with the id of the row of a register that explains it.
    private(set) var findings: [(difference: Difference, id: String?)]
    /// What became of each record of a store that was migrated from a file.
    var receipts: [Side: MigrationReceipt] = [:]

    /// The name of that file.
    var migratedFile: String? { if case .migrate(let migrate) = step.content { migrate.file } else { nil } }

    init(
        number: Int,
        _ moments: Stage.Moments,
        after before: Stage.Moments?,
        findings: [(difference: Difference, id: String?)]
    ) {
        self.number = number
        self.findings = findings
        step = moments.legacy.step
        events = [
            .legacy: Events(moments.legacy, after: before?.legacy),
            .async: Events(moments.async, after: before?.async),
        ]
    }

    /// Takes what the same step showed as more time passed.
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
