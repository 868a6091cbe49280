public import CredentialMigration
public import Foundation

/// The reasons why a migration ended early.
public enum AuthMigrationError: LocalizedError, Sendable {
    /// There is no data of the legacy SDK.
    case noLegacyDataFound
    /// The legacy store cannot be read, for example because the device is locked.
    ///
    /// The underlying error is a `LegacyStoreError`.
    case failedToReadLegacyData(any Error)
    /// Never thrown, and declared only because the SDK declares it: if records cannot be decrypted, the migration
    /// throws ``LegacyRecordsLeft``, which lists them.
    ///
    /// The underlying error is the associated value, if an app creates this error.
    case failedToDecryptLegacyData(any Error)
    /// Never thrown, and declared only because the SDK declares it: if records are damaged, the migration
    /// throws ``LegacyRecordsLeft``, which lists them.
    case failedToDeserializeLegacyData(String)
    /// Never thrown, and declared only because the SDK declares it: if a storage rejects records, the migration
    /// throws ``LegacyRecordsLeft``, which lists them.
    ///
    /// The underlying error is the associated value, if an app creates this error.
    case failedToSaveOathCredentials(any Error)
    /// The destination failed, or the legacy store changed during the migration; records that were already
    /// stored stay in the destination.
    ///
    /// The underlying error is the error of the destination, or a `MigrationError`.
    case failedToSavePushCredentials(any Error)
    /// Records were imported, but they could not be removed from the legacy store; these records are in both
    /// stores.
    ///
    /// The underlying error is the error of the removal.
    case failedToCleanupLegacyData(any Error)

    /// A sentence that describes the error.
    public var errorDescription: String? {
        switch self {
        case .noLegacyDataFound: "There is no data of the legacy SDK."
        case .failedToReadLegacyData(let error): "The legacy data cannot be read. \(Self.sentence(error))"
        case .failedToDecryptLegacyData(let error):
            "The legacy data cannot be decrypted. \(Self.sentence(error))"
        case .failedToDeserializeLegacyData(let reason): "The legacy data is damaged. \(reason)"
        case .failedToSaveOathCredentials(let error), .failedToSavePushCredentials(let error):
            "The credentials cannot be stored. \(Self.sentence(error))"
        case .failedToCleanupLegacyData(let error):
            "The legacy data cannot be removed, and still exists. \(Self.sentence(error))"
        }
    }

    static func sentence(_ error: any Error) -> String {
        (error as? any LocalizedError)?.errorDescription ?? "\(error)"
    }
}

/// The app's roll-out blocked a step; no record is lost, and the next start queries the gate again.
public struct MigrationHeldBack: LocalizedError, Equatable, Sendable {
    /// The answer of the gate or of a condition; `nil` if the guard blocks the step because two attempts
    /// ended without an outcome.
    public let answer: MigrationGate.Answer?

    /// A sentence that describes the error.
    public var errorDescription: String? {
        guard let answer else { return "Two attempts crashed or were killed, so the step was not run." }
        return "The step was not run, because the app's roll-out answered \(answer.rawValue)."
    }
}

/// The records that a migration had to leave in the legacy store, each with the reason.
///
/// All other records were imported.
public struct LegacyRecordsLeft: LocalizedError, Equatable, Sendable {
    /// A record that the migration left.
    public struct Record: Equatable, Sendable {
        /// The kind of record.
        public let kind: String
        /// The record's key in the legacy store.
        public let key: String
        /// The reason why the record was left, in one sentence; never contains a secret.
        public let reason: String
    }

    /// The records, in the order of the legacy store.
    public let records: [Record]

    /// The number of records, and a list of them with their reasons.
    public var errorDescription: String? {
        let list = records.map { "\n\($0.kind) \($0.key): \($0.reason)" }.joined()
        let subject = records.count == 1 ? "1 record remains" : "\(records.count) records remain"
        return "\(subject) in the legacy store:\(list)"
    }
}
