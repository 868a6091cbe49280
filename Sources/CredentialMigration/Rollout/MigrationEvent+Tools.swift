public import Foundation
public import PushBridgeCore

// The simulated roll-out in the folder Tools uses the members below to create the events of sample phones.

@_spi(PushBridgeTools) extension MigrationEvent {
    /// Creates a sample event in the format of this version.
    /// - Parameters:
    ///   - attemptId: The id of the attempt.
    ///   - attempt: The number of the attempt on the phone.
    ///   - outcome: The outcome of the attempt.
    ///   - counts: How many records have each outcome.
    ///   - reasons: The reasons why records did not arrive.
    ///   - setting: The remaining content of the event.
    public init(
        madeUp attemptId: UUID,
        attempt: Int,
        outcome: Outcome,
        counts: [Count],
        reasons: [Reason],
        setting: Setting
    ) {
        self.init(
            schema: 1,
            attemptId: attemptId,
            attempt: attempt,
            step: setting.step,
            outcome: outcome,
            counts: counts,
            reasons: reasons,
            duration: setting.duration,
            source: .keychain,
            versions: setting.versions,
            day: setting.day,
            guardHeld: setting.guardHeld,
            push: nil
        )
    }

    /// The properties of a sample event: its step, duration, versions and day, and the state of the guard.
    public struct Setting: Sendable {
        /// The attempted step.
        public var step = MigrationGate.Step.apply
        /// The duration of the attempt.
        public var duration: Duration?
        /// The versions that the event contains.
        public var versions: MigrationVersions
        /// The day of the event, in UTC.
        public var day: String
        /// Whether the guard blocks further attempts.
        public var guardHeld = false

        /// Creates a setting; its other properties have default values.
        public init(versions: MigrationVersions, day: String) {
            self.versions = versions
            self.day = day
        }
    }
}

@_spi(PushBridgeTools) extension MigrationEvent.Count {
    /// Creates a count for sample events, without a migration.
    /// - Parameters:
    ///   - count: The number of records.
    ///   - kind: The kind of the records.
    ///   - outcome: The outcome of the records.
    ///   - proven: Whether the records were proven in the destination.
    public init(madeUp count: Int, _ kind: LegacyRecordKind, _ outcome: MigrationOutcome, proven: Bool) {
        self.init(kind: kind, outcome: outcome, proven: proven, count: count)
    }
}

@_spi(PushBridgeTools) extension MigrationEvent.Reason {
    /// Creates a reason for sample events, without a migration.
    /// - Parameters:
    ///   - count: The number of records.
    ///   - code: The reason that the records share.
    public init(madeUp count: Int, _ code: MigrationReason) {
        self.init(code: code, count: count)
    }
}
