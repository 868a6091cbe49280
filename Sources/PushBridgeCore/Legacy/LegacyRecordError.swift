/// Why one legacy record cannot be used; the others are not concerned.
public struct LegacyRecordError: Error, Equatable, Sendable {
    /// The possible remedy.
    public enum Code: Sendable {
        /// The bytes cannot be read, or a required field is missing or invalid.
        case damaged
        /// The record is sound, and the new model has no place for it.
        case unsupported
        /// The device was not unlocked yet; try again later.
        case locked
        /// It is sealed with a key that is not here: the phone that sealed it has it, or the key has to be named.
        case undecryptable
    }

    /// The possible remedy.
    public let code: Code
    /// One sentence for a human; never holds a secret.
    public var reason: String { issue.sentence }
    /// The sentence, with a code for the affected part of the record, which may add nothing to ``code``.
    package let issue: MigrationIssue

    /// Creates an error.
    /// - Parameters:
    ///   - code: The fault of the record.
    ///   - reason: One sentence for people, without a secret.
    public init(_ code: Code, reason: String) {
        self.init(code, MigrationIssue(nil, reason))
    }

    private init(_ code: Code, _ issue: MigrationIssue) {
        (self.code, self.issue) = (code, issue)
    }

    /// Compares the remedy and the sentence, which names the record.
    public static func == (one: LegacyRecordError, other: LegacyRecordError) -> Bool {
        one.code == other.code && one.reason == other.reason
    }

    /// The keychain refuses this item although the device is unlocked; retry later.
    package static func refused(_ reason: String) -> LegacyRecordError {
        .init(.locked, MigrationIssue(.refused, reason))
    }

    /// Whether the device only has to be unlocked.
    package var isLock: Bool { code == .locked && issue.code != .refused }

    package static func damaged(_ reason: String) -> LegacyRecordError { .init(.damaged, reason: reason) }
    package static func unsupported(_ reason: String) -> LegacyRecordError {
        .init(.unsupported, reason: reason)
    }
    package static func absent(_ field: String) -> LegacyRecordError {
        .invalidField("The field \(field) is missing or empty.")
    }
    package static func invalidField(_ reason: String) -> LegacyRecordError {
        .init(.damaged, MigrationIssue(.invalidField, reason))
    }
    package static func invalidSecret(_ reason: String) -> LegacyRecordError {
        .init(.damaged, MigrationIssue(.invalidSecret, reason))
    }
}
