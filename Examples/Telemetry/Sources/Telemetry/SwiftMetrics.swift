public import CredentialMigration
import Metrics

/// Counts an event with the app's swift-metrics backend.
///
/// If an event is delivered twice, it is counted twice. To avoid this, the caller can store the last
/// `attemptId` and skip the repeated event.
public func count(_ event: MigrationEvent) {
    let release = [("app", event.versions.app), ("system", event.versions.system)]
    if let push = event.push {
        let step = [("step", push.kind.rawValue), ("result", push.result.rawValue)]
        let delay = [("delay", push.delay?.rawValue ?? "none")]
        Counter(label: "pushbridge.pushes", dimensions: release + step + delay).increment()
        return
    }
    let outcome = [("step", event.step.rawValue), ("outcome", event.outcome.rawValue)]
    Counter(label: "pushbridge.migration.attempts", dimensions: release + outcome).increment()
    for count in event.counts {
        // The step is a dimension, so the records that a `retire` step removed are not counted together with
        // imported records.
        let record = [
            ("step", event.step.rawValue), ("kind", count.kind.rawValue), ("outcome", count.outcome.rawValue),
        ]
        Counter(label: "pushbridge.migration.records", dimensions: release + record).increment(
            by: count.count
        )
    }
    for reason in event.reasons {
        let dimensions = release + [("code", reason.code.rawValue)]
        Counter(label: "pushbridge.migration.reasons", dimensions: dimensions).increment(by: reason.count)
    }
}
