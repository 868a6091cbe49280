public import CredentialMigration
public import Foundation

/// Why a migration ended early.
public enum AuthMigrationError: LocalizedError, Sendable {
    /// There is nothing of the legacy SDK.
    case noLegacyDataFound
    /// The legacy store cannot be read now, as on a locked device.
    case failedToReadLegacyData(any Error)
    /// The SDK has this case; nothing throws it: a record that cannot be opened is in ``LegacyRecordsLeft``.
    case failedToDecryptLegacyData(any Error)
    /// The SDK has this case; nothing throws it: a damaged record is in ``LegacyRecordsLeft``.
    case failedToDeserializeLegacyData(String)
    /// The SDK has this case; nothing throws it: a record that a storage refused is in ``LegacyRecordsLeft``.
    case failedToSaveOathCredentials(any Error)
    /// The destination failed as a whole.
    case failedToSavePushCredentials(any Error)
    /// Records were imported, but removing them from the legacy store failed; they are in both stores.
    case failedToCleanupLegacyData(any Error)

    /// A sentence that describes the error.
    public var errorDescription: String? {
        switch self {
        case .noLegacyDataFound: "There is no data of the legacy SDK."
        case .failedToReadLegacyData(let error): "The legacy data cannot be read. \(Self.sentence(error))"
        case .failedToDecryptLegacyData(let error):
            "The legacy data cannot be opened. \(Self.sentence(error))"
        case .failedToDeserializeLegacyData(let reason): "The legacy data is damaged. \(reason)"
        case .failedToSaveOathCredentials(let error), .failedToSavePushCredentials(let error):
            "The credentials cannot be stored. \(Self.sentence(error))"
        case .failedToCleanupLegacyData(let error):
            "The legacy data cannot be removed, and is there still. \(Self.sentence(error))"
        }
    }

    static func sentence(_ error: any Error) -> String {
        (error as? any LocalizedError)?.errorDescription ?? "\(error)"
    }
}

/// The app's roll-out blocked a step; nothing is lost, and the next start asks again.
public struct MigrationHeldBack: LocalizedError, Equatable, Sendable {
    /// The answer of the gate or a condition; `nil` if the guard blocks the step after attempts that crashed.
    public let answer: MigrationGate.Answer?

    /// One sentence.
    public var errorDescription: String? {
        guard let answer else { return "Two attempts crashed or were killed, so the step was not taken." }
        return "The step was not taken, because the app's roll-out says \(answer.rawValue)."
    }
}

/// The records that a migration left in the legacy store, each with its reason; all others were imported.
public struct LegacyRecordsLeft: LocalizedError, Equatable, Sendable {
    /// One record.
    public struct Record: Equatable, Sendable {
        /// The kind of record.
        public let kind: String
        /// Its key in the legacy store.
        public let key: String
        /// The reason in one sentence; never contains a secret.
        public let reason: String
    }

    /// The records, in the order of the legacy store.
    public let records: [Record]

    /// How many there are, and each with its reason.
    public var errorDescription: String? {
        let list = records.map { "\n\($0.kind) \($0.key): \($0.reason)" }.joined()
        return "\(records.count) records of the legacy SDK stay where they are:\(list)"
    }
}
