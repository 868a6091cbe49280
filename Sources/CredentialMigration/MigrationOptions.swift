public import Foundation

/// How a migration is carried out.
public struct MigrationOptions: Sendable {
    /// Which side wins when the destination holds another secret under a record's id.
    public var conflictPolicy: ConflictPolicy
    /// How many records are committed together; progress that survives a kill advances in such steps.
    public var batchSize: Int
    /// The time that the ledger records.
    public var clock: @Sendable () -> Date
    /// Which of two different records of an account counts.
    package var accounts = AccountPrecedence.destination

    /// How a migration treats an account that the destination has with other details.
    package enum AccountPrecedence: Sendable {
        /// The destination's counts; the ledger keeps the source's.
        case destination
        /// As `destination`, but a name, a policy or a lock that only the source's has applies.
        case both
        /// The source's counts, because the user works on the source until everything arrived.
        case source
        /// The destination's counts, and the source's is an older copy of it.
        case copied
    }

    /// Creates options.
    /// - Parameters:
    ///   - conflictPolicy: Which side wins when the destination holds another secret under a record's id.
    ///   - batchSize: How many records are committed together; at least 1.
    ///   - clock: The time that the ledger records.
    public init(
        conflictPolicy: ConflictPolicy = .keep,
        batchSize: Int = 750,
        clock: @escaping @Sendable () -> Date = { Date() }
    ) {
        self.conflictPolicy = conflictPolicy
        self.batchSize = max(1, batchSize)
        self.clock = clock
    }
}

/// Which side wins when the destination holds another secret under a record's id.
public enum ConflictPolicy: String, CaseIterable, Sendable {
    /// Leave the destination as it is and report the conflict.
    case keep
    /// Let the legacy record win.
    case replace
}

/// The progress of a migration; reported on the thread that runs it, every few hundred records.
public struct MigrationProgress: Equatable, Sendable {
    /// The steps of a migration.
    public enum Step: Sendable {
        /// Reading the legacy store.
        case planning
        /// Writing and proving credentials.
        case applying
        /// Proving credentials again.
        case verifying
    }

    /// The step under way.
    public let step: Step
    /// How many records are done.
    public let completed: Int
    /// How many there are; `nil` while that is not known.
    public let total: Int?

    /// Creates a progress.
    /// - Parameters:
    ///   - step: The step under way.
    ///   - completed: How many records are done.
    ///   - total: How many there are; `nil` while that is not known.
    public init(step: Step, completed: Int, total: Int?) {
        self.step = step
        self.completed = completed
        self.total = total
    }
}

/// Why a migration as a whole cannot go on; single records never cause one.
public struct MigrationError: Error, Equatable, Sendable {
    /// The possible remedy; later versions may add codes, so compare with those you know.
    public struct Code: RawRepresentable, Hashable, Sendable {
        /// The name of the code.
        public let rawValue: String

        /// Names a code.
        /// - Parameter rawValue: The name.
        public init(rawValue: String) {
            self.rawValue = rawValue
        }

        /// The legacy store is not the one that was planned; plan again.
        public static let sourceChanged = Code(rawValue: "sourceChanged")
        /// The source is the destination, so nothing can be removed from it; name the store that the app uses.
        public static let sourceIsDestination = Code(rawValue: "sourceIsDestination")
        /// A move between the legacy items and the store has not ended, so nothing can be removed; retire after it.
        public static let moveIsUnfinished = Code(rawValue: "moveIsUnfinished")
        /// Two attempts of this version of the app ended without an outcome; see ``MigrationRollout``.
        public static let held = Code(rawValue: "held")
    }

    /// The possible remedy.
    public let code: Code
    /// One sentence for a human.
    public let reason: String

    static let sourceChanged = MigrationError(
        code: .sourceChanged,
        reason: "The legacy store changed since the migration was planned; plan again."
    )
    static let sourceIsDestination = MigrationError(
        code: .sourceIsDestination,
        reason: "The source's items are or may be the destination's own, so nothing was removed."
    )
    static let moveIsUnfinished = MigrationError(
        code: .moveIsUnfinished,
        reason: "The move of the legacy items has not ended, so nothing was removed."
    )
    static let held = MigrationError(
        code: .held,
        reason: "Two attempts ended without an outcome; none is made before a new version or a retry."
    )
}
