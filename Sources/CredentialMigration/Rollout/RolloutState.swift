import Foundation

extension MigrationRollout {
    /// An attempt that has been started.
    struct Attempt: Codable, Equatable {
        let id: UUID
        let number: Int
        let step: MigrationGate.Step
        let source: MigrationEvent.Source
        let versions: MigrationVersions
        /// Whether a damaged state was reset before the attempt.
        let followsReset: Bool?
    }

    /// The state of the steps that change neither store.
    struct Checks: Codable, Equatable {
        /// The mark that was stored with the last outcome of each step; the keys are the names of the steps.
        var done: [String: String] = [:]
        var interruptions = 0
        var interruptedVersion: String?
    }

    struct State: Codable, Equatable {
        /// A random number that decides whether the phone belongs to a share.
        ///
        /// The number is drawn once and never leaves the phone.
        var draw = UInt64.random(in: .min ... .max)
        var isDrawn = false
        /// Whether this state has replaced a damaged state and no event has reported the reset yet.
        var isReset: Bool?
        var answers: [String: MigrationGate.Answer] = [:]
        var attempts = 0
        /// The attempts that are running or were interrupted.
        var open: [Attempt] = []
        /// The number of consecutive interrupted attempts of the app's version `interruptedVersion`.
        var interruptions = 0
        var interruptedVersion: String?
        /// The version of the app for which an event with the outcome `held` was created.
        var heldVersion: String?
        var events: [MigrationEvent] = []
        /// The events of pushes; `nil` until there is one, and in a state that an earlier version stored.
        var pushes: [MigrationEvent]?
        var checks: Checks?

        var undelivered: [MigrationEvent] { events + (pushes ?? []) }

        /// Whether all numbers are within the range that this type writes.
        var isPlausible: Bool {
            let numbers = [attempts, interruptions, checks?.interruptions ?? 0] + open.map(\.number)
            return numbers.allSatisfy { (0...1_000_000_000).contains($0) }
        }

        func isHeld(_ version: String) -> Bool { interruptions >= 2 && interruptedVersion == version }

        /// Returns whether the guard blocks a step in a version of the app.
        ///
        /// The checks (`rehearse` and `compare`) have their own count of interruptions.
        func isHeld(_ version: String, _ step: MigrationGate.Step) -> Bool {
            guard step.isCheck else { return isHeld(version) }
            return checks.map { $0.interruptions >= 2 && $0.interruptedVersion == version } ?? false
        }

        /// Counts an interrupted attempt.
        mutating func interrupt(_ attempt: Attempt) {
            let app = attempt.versions.app
            guard attempt.step.isCheck else {
                if interruptedVersion != app { interruptions = 0 }
                interruptedVersion = app
                interruptions += 1
                return
            }
            var checks = checks ?? Checks()
            if checks.interruptedVersion != app { checks.interruptions = 0 }
            checks.interruptedVersion = app
            checks.interruptions += 1
            self.checks = checks
        }

        mutating func endInterruptions(of step: MigrationGate.Step) {
            if step.isCheck { checks?.interruptions = 0 } else { interruptions = 0 }
        }

        mutating func add(_ mark: String, for step: MigrationGate.Step) {
            var checks = checks ?? Checks()
            checks.done[step.rawValue] = mark
            self.checks = checks
        }

        mutating func freeGuard() {
            interruptions = 0
            heldVersion = nil
            checks?.interruptions = 0
        }

        mutating func add(_ event: MigrationEvent) {
            events.append(event)
            // If the app does not accept events, only the newest events are kept.
            if events.count > 50 { events.removeFirst(events.count - 50) }
        }

        /// Adds an event of a push, and keeps only the newest 50 of these events.
        mutating func addPush(_ event: MigrationEvent) { pushes = ((pushes ?? []) + [event]).suffix(50) }
    }
}
