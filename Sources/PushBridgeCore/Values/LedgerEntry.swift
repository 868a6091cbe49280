package import Foundation

/// One line of the migration ledger: the outcome of one source record.
package struct LedgerEntry: Equatable, Sendable {
    /// The source record.
    package let record: RecordFingerprint
    /// Its kind.
    package let kind: LegacyRecordKind
    /// The key under which the source kept it.
    package let key: String
    /// The outcome.
    package let result: MigrationResult
    /// When that was decided.
    package let recordedAt: Date
    /// The record as in its source, if no account or credential contains it.
    package let verbatim: VerbatimRecord?

    /// Creates an entry.
    package init(
        record: RecordFingerprint,
        kind: LegacyRecordKind,
        key: String,
        result: MigrationResult,
        recordedAt: Date,
        verbatim: VerbatimRecord? = nil
    ) {
        self.record = record
        self.kind = kind
        self.key = key
        self.result = result
        self.recordedAt = recordedAt
        self.verbatim = verbatim
    }
}

extension LedgerEntry: StoredRecord {
    package static var recordKind: RecordKind { .ledger }
    package var recordIndex: RecordIndex {
        RecordIndex(id: record.recordID, date: recordedAt, isOpen: verbatim != nil)
    }

    /// Reads the form.
    ///
    /// - Throws: `DecodingError` if a member is missing or has another type, and ``NewerForm`` if the outcome is one of a
    ///   newer version.
    package init(from decoder: any Decoder) throws {
        let members = try decoder.container(keyedBy: CodingKeys.self)
        func named<Value: RawRepresentable<String>>(_ key: CodingKeys) throws -> Value {
            guard let value = Value(rawValue: try members.decode(String.self, forKey: key)) else {
                throw DecodingError.dataCorruptedError(forKey: key, in: members, debugDescription: "Unknown.")
            }
            return value
        }
        guard let record = RecordFingerprint(bytes: try members.decode(Data.self, forKey: .record)) else {
            throw DecodingError.dataCorruptedError(forKey: .record, in: members, debugDescription: "Cut.")
        }
        let outcome = MigrationOutcome(rawValue: try members.decode(String.self, forKey: .outcome))
        guard let outcome else { throw NewerForm() }
        self.init(
            record: record,
            kind: try named(.kind),
            key: try members.decode(String.self, forKey: .key),
            result: MigrationResult(
                outcome,
                credentialId: try members.decodeIfPresent(String.self, forKey: .credentialId),
                reason: try members.decodeIfPresent(String.self, forKey: .reason),
                // A code of a newer version is left out, not the entry.
                code: try members.decodeIfPresent(String.self, forKey: .code).flatMap(MigrationReason.init),
                isVerified: try members.decode(Bool.self, forKey: .isVerified)
            ),
            recordedAt: try members.decode(Date.self, forKey: .recordedAt),
            verbatim: try members.decodeIfPresent(VerbatimRecord.self, forKey: .verbatim)
        )
    }

    /// Writes the form, flat, because there is one for every record of a source.
    ///
    /// - Throws: The encoder's error.
    package func encode(to encoder: any Encoder) throws {
        var members = encoder.container(keyedBy: CodingKeys.self)
        try members.encode(record.bytes, forKey: .record)
        try members.encode(kind.rawValue, forKey: .kind)
        try members.encode(key, forKey: .key)
        try members.encode(result.outcome.rawValue, forKey: .outcome)
        try members.encodeIfPresent(result.credentialId, forKey: .credentialId)
        try members.encodeIfPresent(result.reason, forKey: .reason)
        try members.encode(result.isVerified, forKey: .isVerified)
        try members.encode(recordedAt, forKey: .recordedAt)
        if let verbatim { try members.encode(verbatim, forKey: .verbatim) }
        try members.encodeIfPresent(result.statedCode?.rawValue, forKey: .code)
    }

    /// The members of the record; names and numbers are stored, so neither ever changes.
    private enum CodingKeys: Int, CodingKey {
        case record = 1
        case kind, key, outcome, credentialId, reason, isVerified, recordedAt, verbatim, code
    }
}

/// A legacy record as in its source.
package struct VerbatimRecord: Codable, Equatable, Sendable {
    /// The encodings of a record.
    package enum Format: String, CaseIterable, Codable, Sendable {
        /// A keyed archive of the legacy SDK.
        case archive
        /// JSON text of the legacy SDK.
        case json
        /// JSON text of a migration export, which leaves more out.
        case exportedJSON
        /// JSON text of the successor SDK.
        case newSDK
    }

    /// How ``payload`` is encoded.
    package let format: Format
    /// The record's bytes.
    ///
    /// May hold a secret, so stores seal them.
    package let payload: Data

    /// Creates a record.
    package init(format: Format, payload: Data) {
        self.format = format
        self.payload = payload
    }

    private enum CodingKeys: Int, CodingKey {
        case format = 1
        case payload
    }
}

extension VerbatimRecord: CustomStringConvertible, Concealed {
    /// The kind of the record, never the bytes.
    package var description: String { "VerbatimRecord(\(format.rawValue), \(payload.count) bytes)" }
}

/// The outcome of one record, with its grounds.
public struct MigrationResult: Equatable, Sendable {
    /// The outcome of the record.
    public let outcome: MigrationOutcome
    /// The credential it became or belongs to.
    public let credentialId: String?
    /// Whether the stored side was read back and proven equivalent.
    public let isVerified: Bool
    /// Why, if the outcome needs attention.
    package let issue: MigrationIssue?

    /// One sentence why, for outcomes that need attention; never holds a secret.
    public var reason: String? { issue?.sentence }
    /// The code that came with the reason.
    package var statedCode: MigrationReason? { issue?.code }

    /// Why, as a code for telemetry; `nil` for a record that arrived and was proven, and for one that is kept as it should
    /// be.
    public var code: MigrationReason? {
        if let statedCode { return statedCode }
        return switch outcome {
        case .migrated, .alreadyPresent, .kept: isVerified ? nil : .notReadBack
        case .conflict: .conflict
        case .unsupported: .unsupported
        case .damaged: .damaged
        case .locked: .locked
        case .undecryptable: .undecryptable
        }
    }

    /// Creates a result.
    ///
    /// - Parameters:
    ///   - outcome: The outcome of the record.
    ///   - credentialId: The credential that it became, if any.
    ///   - reason: One sentence for a human where the record was not migrated.
    ///   - isVerified: Whether the stored side was read back and proven equivalent.
    public init(
        _ outcome: MigrationOutcome,
        credentialId: String? = nil,
        reason: String? = nil,
        isVerified: Bool = false
    ) {
        self.init(
            outcome,
            credentialId: credentialId,
            reason: reason,
            code: nil,
            isVerified: isVerified
        )
    }

    /// Creates a result with a code for its reason.
    package init(
        _ outcome: MigrationOutcome,
        credentialId: String? = nil,
        issue: MigrationIssue?,
        isVerified: Bool = false
    ) {
        self.outcome = outcome
        self.credentialId = credentialId
        self.issue = issue
        self.isVerified = isVerified
    }

    package init(
        _ outcome: MigrationOutcome,
        credentialId: String?,
        reason: String?,
        code: MigrationReason?,
        isVerified: Bool
    ) {
        self.init(
            outcome,
            credentialId: credentialId,
            issue: reason.map { MigrationIssue(code, $0) },
            isVerified: isVerified
        )
    }
}

/// The outcome of a legacy record.
public enum MigrationOutcome: String, CaseIterable, Codable, Sendable {
    /// Converted, stored, read back, equivalent.
    case migrated
    /// The same credential was stored already.
    case alreadyPresent
    /// Not a credential; kept verbatim.
    case kept
    /// A credential with the same id and another secret is stored.
    case conflict
    /// Valid, but the new model does not support it; kept verbatim.
    case unsupported
    /// The bytes cannot be read, or a required field is missing.
    case damaged
    /// Could not be opened now; try again later.
    case locked
    /// Sealed with a key that is not available: it is on the phone that sealed the record, or must be specified.
    case undecryptable

    /// Whether the source record may be removed once it was proven.
    public var isRetirable: Bool {
        switch self {
        case .migrated, .alreadyPresent, .kept: true
        case .conflict, .unsupported, .damaged, .locked, .undecryptable: false
        }
    }

    /// Whether the record itself, not a credential made from it, is held in the store.
    public var isPreserved: Bool { self == .kept || self == .unsupported }
}
