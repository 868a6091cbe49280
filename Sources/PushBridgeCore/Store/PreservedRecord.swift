public import Foundation

/// A legacy record kept as it stood in its source, because no credential holds it.
public struct PreservedRecord: Equatable, Sendable {
    /// The encodings of a record.
    public enum Format: String, CaseIterable, Sendable {
        /// A keyed archive of the legacy SDK.
        case archive
        /// JSON text of the legacy SDK.
        case json
        /// JSON text of a migration export, which leaves more out.
        case exportedJSON
        /// JSON text of the vendor's new SDK.
        case newSDK
    }

    /// The source record.
    public let record: RecordFingerprint
    /// Its kind.
    public let kind: LegacyRecordKind
    /// The key under which the source kept it.
    public let key: String
    /// Why it is kept: ``MigrationOutcome/kept`` or ``MigrationOutcome/unsupported``.
    public let outcome: MigrationOutcome
    /// How `payload` is encoded.
    public let format: Format
    /// The record's bytes.
    ///
    /// May hold a secret, so stores seal them.
    public let payload: Data

    /// Creates a record.
    public init(
        record: RecordFingerprint,
        kind: LegacyRecordKind,
        key: String,
        outcome: MigrationOutcome,
        format: Format,
        payload: Data
    ) {
        self.record = record
        self.kind = kind
        self.key = key
        self.outcome = outcome
        self.format = format
        self.payload = payload
    }
}

extension PreservedRecord: CustomStringConvertible, CustomReflectable {
    /// What it is, never the bytes.
    public var description: String { "PreservedRecord(\(kind.rawValue), \(payload.count) bytes)" }
    /// An empty mirror, so that `dump` finds nothing to show.
    public var customMirror: Mirror { Mirror(self, children: []) }
}
