public import Foundation

// If a new option changes outcomes, add it to the marks in `NewRecords.swift` and, for the command line, in
// `Stores/StoresMigration.swift`. A later run compares these marks to decide which stores it can skip.

/// The options of a migration.
public struct MigrationOptions: Sendable {
    /// Decides which record is kept if the destination has a different credential under the same id.
    public var conflictPolicy: ConflictPolicy
    /// The number of records that are committed together; an interrupted migration keeps all committed batches.
    public var batchSize: Int
    /// Returns the time that is stored in the ledger.
    public var clock: @Sendable () -> Date
    /// Decides which record is used if the source and the destination have different records for the same
    /// account.
    package var accounts = AccountPrecedence.destination

    /// Decides which record is used if an account has different details in the source and in the destination.
    package enum AccountPrecedence: Sendable {
        /// The destination's record is used; the ledger keeps the source's record.
        case destination
        /// The destination's record is used.
        ///
        /// The stored record receives the display details, policies and lock that only the source's record has.
        case both
        /// The source's record is used, because the app uses the source until all records have arrived.
        case source
        /// The destination's record is used, because the source's record is an older copy of it.
        ///
        /// The stored record receives a lock and policies that only the source's record has, because the previous
        /// release may have added them.
        case copied
    }

    /// Creates options.
    /// - Parameters:
    ///   - conflictPolicy: Which record is kept if the destination has a different credential under the same id.
    ///   - batchSize: The number of records that are committed together, at least 1.
    ///   - clock: Returns the time that is stored in the ledger.
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

/// The choice of the record that is kept if the destination has a different credential under the same id.
public enum ConflictPolicy: String, CaseIterable, Sendable {
    /// Keep the destination's record and report the conflict.
    case keep
    /// Replace the destination's record with the legacy record.
    case replace
}

extension CredentialMigration {
    /// The progress of a migration.
    ///
    /// The progress is reported after each batch of records, on the thread that runs the migration.
    public struct Progress: Equatable, Sendable {
        /// The steps of a migration.
        public enum Step: Sendable {
            /// Reading the legacy store.
            case planning
            /// Writing and proving credentials.
            case applying
            /// Proving credentials again.
            case verifying
        }

        /// The current step.
        public let step: Step
        /// The number of records that are done.
        public let completed: Int
        /// The total number of records; `nil` while it is not known.
        public let total: Int?

        /// Creates a progress value.
        /// - Parameters:
        ///   - step: The current step.
        ///   - completed: The number of records that are done.
        ///   - total: The total number of records; `nil` while it is not known.
        public init(step: Step, completed: Int, total: Int?) {
            self.step = step
            self.completed = completed
            self.total = total
        }
    }
}

/// The error of a migration that cannot continue.
///
/// A single record that cannot be migrated never causes this error.
public struct MigrationError: Error, Equatable, Sendable {
    /// The codes; each code has a possible remedy.
    ///
    /// Later versions may add codes, so compare only with the codes that you know.
    public struct Code: RawRepresentable, Hashable, Sendable {
        /// The name of the code.
        public let rawValue: String

        /// Creates a code.
        /// - Parameter rawValue: The name.
        public init(rawValue: String) {
            self.rawValue = rawValue
        }

        /// The legacy store has changed since the migration was planned; plan again.
        public static let sourceChanged = Code(rawValue: "sourceChanged")
        /// The source and the destination may use the same items, so nothing can be removed.
        ///
        /// Specify the store that the app uses.
        public static let sourceIsDestination = Code(rawValue: "sourceIsDestination")
        /// A move between the legacy items and the store has not ended, so nothing can be removed.
        ///
        /// Retire after the move has ended.
        public static let moveIsUnfinished = Code(rawValue: "moveIsUnfinished")
        /// The guard blocks further attempts, because two attempts of this version of the app ended without an outcome;
        /// see ``MigrationRollout``.
        public static let held = Code(rawValue: "held")
    }

    /// The code of the error; it determines the possible remedy.
    public let code: Code
    /// An explanation for people, in one sentence.
    public let reason: String

    static let sourceChanged = MigrationError(
        code: .sourceChanged,
        reason: "The legacy store has changed since the migration was planned; plan again."
    )
    static let sourceIsDestination = MigrationError(
        code: .sourceIsDestination,
        reason:
            "The source and the destination may use the same items, so nothing was removed; specify the app's store as the destination."
    )
    static let moveIsUnfinished = MigrationError(
        code: .moveIsUnfinished,
        reason:
            "The move of the legacy items has not ended, so nothing was removed; retire after the move."
    )
    static let held = MigrationError(
        code: .held,
        reason:
            "Two attempts ended without an outcome; no further attempt is made until the app has a new version or a retry is allowed."
    )
}
