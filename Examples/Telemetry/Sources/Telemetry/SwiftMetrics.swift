public import CredentialMigration
import Metrics

/// Counts events with whatever backend of swift-metrics the app has.
///
/// Counters have no memory of attempts: an event that is handed over twice is counted twice, unless the caller remembers
/// the last `attemptId` that it saw.
public func count(_ event: MigrationEvent) {
    let release = [("app", event.versions.app), ("system", event.versions.system)]
    let outcome = [("step", event.step.rawValue), ("outcome", event.outcome.rawValue)]
    Counter(label: "pushbridge.migration.attempts", dimensions: release + outcome).increment()
    for count in event.counts {
        // The records of a retire are counted as they were removed, so not together with those that arrived.
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
