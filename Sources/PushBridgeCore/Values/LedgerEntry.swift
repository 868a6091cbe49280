package import Foundation

/// An entry of the migration ledger: the outcome of one source record.
///
/// A store contains one record for each entry, and not one record for each batch of a migration, because
/// look-ups by fingerprint, the removal of a verbatim record, moves between stores and the golden files in
/// `LegacyFixtures/own` use single entries. The disadvantage is time: a migration of 60,000 records takes
/// 30 times as long as SQLite takes to copy the rows (2026-11-30).
package struct LedgerEntry: Equatable, Sendable {
    /// The fingerprint of the source record.
    package let record: RecordFingerprint
    /// The kind of the record.
    package let kind: LegacyRecordKind
    /// The record's key in the source.
    package let key: String
    /// The outcome, with its reason.
    package let result: MigrationResult
    /// The date of the outcome.
    package let recordedAt: Date
    /// The record as it was in its source; `nil` if the store does not keep the record verbatim.
    package let verbatim: VerbatimRecord?

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

    /// Decodes the stored form.
    ///
    /// - Throws: `DecodingError` if a member is missing or invalid, and ``NewerForm`` for an outcome of a newer
    ///   version.
    package init(from decoder: any Decoder) throws {
        let members = try decoder.container(keyedBy: CodingKeys.self)
        func named<Value: RawRepresentable<String>>(_ key: CodingKeys) throws -> Value {
            guard let value = Value(rawValue: try members.decode(String.self, forKey: key)) else {
                throw DecodingError.dataCorruptedError(
                    forKey: key,
                    in: members,
                    debugDescription: "The text is none of the known values."
                )
            }
            return value
        }
        guard let record = RecordFingerprint(bytes: try members.decode(Data.self, forKey: .record)) else {
            throw DecodingError.dataCorruptedError(
                forKey: .record,
                in: members,
                debugDescription: "The fingerprint does not have 16 bytes."
            )
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
                // A reason code of a newer version is ignored; the rest of the entry is used.
                code: try members.decodeIfPresent(String.self, forKey: .code).flatMap(MigrationReason.init),
                isVerified: try members.decode(Bool.self, forKey: .isVerified)
            ),
            recordedAt: try members.decode(Date.self, forKey: .recordedAt),
            verbatim: try members.decodeIfPresent(VerbatimRecord.self, forKey: .verbatim)
        )
    }

    /// Encodes the stored form.
    ///
    /// The form contains the members of the result directly, so that entries are small: there is an entry for every
    /// record of a source.
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
        try members.encodeIfPresent(result.explicitCode?.rawValue, forKey: .code)
    }

    /// The members of the record; names and numbers must not change.
    private enum CodingKeys: Int, CodingKey {
        case record = 1
        case kind, key, outcome, credentialId, reason, isVerified, recordedAt, verbatim, code
    }
}

/// The original bytes of a source record, and their encoding.
package struct VerbatimRecord: Codable, Equatable, Sendable {
    /// The encodings of a record.
    package enum Format: String, CaseIterable, Codable, Sendable {
        /// A keyed archive of the legacy SDK.
        case archive
        /// JSON text of the legacy SDK.
        case json
        /// JSON text of a migration export, with fewer fields than the legacy SDK's own JSON.
        case exportedJSON
        /// JSON text of the successor SDK.
        case newSDK
    }

    /// The encoding of ``payload``.
    package let format: Format
    /// The record's bytes.
    ///
    /// The bytes may contain a secret, so stores protect them like a secret.
    package let payload: Data

    /// Creates a record from bytes, without decoding them.
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
    /// The format and the size, without the bytes.
    package var description: String { "VerbatimRecord(\(format.rawValue), \(payload.count) bytes)" }
}

/// The outcome of one record, with its reason.
public struct MigrationResult: Equatable, Sendable {
    /// The outcome of the record.
    public let outcome: MigrationOutcome
    /// The id of the credential that the record became or belongs to; `nil` if there is none.
    public let credentialId: String?
    /// Whether the stored record was read back and proven equivalent.
    public let isVerified: Bool
    /// The reason, if the outcome needs attention.
    package let issue: MigrationIssue?

    /// One sentence with the reason, if the outcome needs attention; never contains a secret.
    public var reason: String? { issue?.sentence }
    /// The code that was passed with the reason; `nil` if there is none.
    package var explicitCode: MigrationReason? { issue?.code }

    /// The reason as a code for telemetry.
    ///
    /// `nil` if no code was passed with the reason, the outcome is `migrated`, `alreadyPresent` or `kept`, and the
    /// stored record was proven equivalent.
    public var code: MigrationReason? {
        if let explicitCode { return explicitCode }
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
    ///   - credentialId: The id of the credential that the record became, if any.
    ///   - reason: One sentence with the reason, if the outcome needs attention; without a secret.
    ///   - isVerified: Whether the stored record was read back and proven equivalent.
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

    /// Creates a result from an issue, which contains the code and the sentence of the reason.
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

// To add an outcome, extend the switches in this file and in `MigrationReport.swift`, which no longer compile, and the
// schemas, pages, scripts, `report.css` and `Terminal.swift`, for which `OutcomeTests` in `Tools` fails. The compiler
// does not find comparisons with single outcomes, so check them yourself, for example these: `MigrationRollout` reports
// whether an attempt found `locked` records. `RecordPlace` waits for an unlock, and repeats an attempt if a `locked` or
// `undecryptable` record has become readable. `SourceRecord.seal` returns only these two outcomes. `StoreResult` checks
// for `undecryptable` records, which another key could open. If `Scripts/checks/api` prints a line for the new case,
// add it to `Scripts/checks/api.allowed`.

/// The outcome of a legacy record; later versions may add outcomes.
public enum MigrationOutcome: String, CaseIterable, Codable, Sendable {
    /// The record was converted, stored, read back and found equivalent.
    case migrated
    /// The same record was already in the store.
    case alreadyPresent
    /// The record is kept, because no credential belongs to it, or because the stored account has different details.
    ///
    /// An account without a mechanism is stored as an account. A notification without a mechanism, and an account
    /// whose details differ from those of the stored account, are kept verbatim.
    case kept
    /// The store's record with the same id differs, cannot be read or failed the proof, or an earlier record of the
    /// source has the same id.
    case conflict
    /// The record is valid, but PushBridge cannot convert it; it is kept verbatim.
    case unsupported
    /// The bytes cannot be read, or a required field is missing or invalid.
    case damaged
    /// The record cannot be read now; try again later.
    case locked
    /// The record is sealed with a key that is not available.
    ///
    /// The key is on the phone that sealed the record, or the caller has to specify the key.
    case undecryptable

    /// Whether the source record may be removed after the stored record was proven equivalent.
    public var isRetirable: Bool {
        switch self {
        case .migrated, .alreadyPresent, .kept: true
        case .conflict, .unsupported, .damaged, .locked, .undecryptable: false
        }
    }

    /// Whether a later attempt may read the record successfully.
    public var isTemporary: Bool {
        switch self {
        case .locked: true
        case .migrated, .alreadyPresent, .kept, .conflict, .unsupported, .damaged, .undecryptable: false
        }
    }

    /// Whether the store contains the record itself instead of a credential made from it.
    public var isPreserved: Bool {
        switch self {
        case .kept, .unsupported: true
        case .migrated, .alreadyPresent, .conflict, .damaged, .locked, .undecryptable: false
        }
    }
}
