public import Foundation
public import PushBridgeCore

// For the rehearsal of a fleet in Tools, which makes up the events of phones that do not exist.

@_spi(PushBridgeTools) extension MigrationEvent {
    /// Creates a sample event in the format of this version.
    /// - Parameters:
    ///   - attemptId: The id of the attempt.
    ///   - attempt: Its number on the phone.
    ///   - outcome: How it ended.
    ///   - counts: Its records.
    ///   - reasons: Why records did not arrive.
    ///   - setting: What else belongs to it.
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

    /// The content of an event besides its outcome.
    public struct Setting: Sendable {
        /// The attempted step.
        public var step = MigrationGate.Step.apply
        /// How long it took.
        public var duration: Duration?
        /// The versions.
        public var versions: MigrationVersions
        /// The day on which it was written.
        public var day: String
        /// Whether the guard holds.
        public var guardHeld = false

        /// Names what has no default.
        public init(versions: MigrationVersions, day: String) {
            self.versions = versions
            self.day = day
        }
    }
}

@_spi(PushBridgeTools) extension MigrationEvent.Count {
    /// Creates a sample count.
    public init(madeUp count: Int, _ kind: LegacyRecordKind, _ outcome: MigrationOutcome, proven: Bool) {
        self.init(kind: kind, outcome: outcome, proven: proven, count: count)
    }
}

@_spi(PushBridgeTools) extension MigrationEvent.Reason {
    /// Creates a sample reason.
    public init(madeUp count: Int, _ code: MigrationReason) {
        self.init(code: code, count: count)
    }
}
