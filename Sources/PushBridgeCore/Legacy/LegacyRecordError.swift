/// The reason why a legacy record cannot be used.
///
/// Other records can still be used.
public struct LegacyRecordError: Error, Equatable, Sendable {
    /// The kind of problem, which determines the remedy.
    public enum Code: Sendable {
        /// The bytes cannot be read, or a required field is missing or invalid.
        case damaged
        /// The record is valid, but PushBridge cannot convert it.
        case unsupported
        /// The device has not been unlocked yet, or the keychain refuses the record for now; try again later.
        case locked
        /// The record is sealed with a key that is not available.
        ///
        /// The key is on the phone that sealed the record, or the caller has to specify the key.
        case undecryptable
    }

    /// The kind of problem, which determines the remedy.
    public let code: Code
    /// One sentence for a person, without a secret.
    public var reason: String { issue.sentence }
    /// The sentence and, if there is one, a code that is more specific than ``code``.
    package let issue: MigrationIssue

    /// Creates an error.
    /// - Parameters:
    ///   - code: The kind of problem.
    ///   - reason: One sentence for a person, without a secret.
    public init(_ code: Code, reason: String) {
        self.init(code, MigrationIssue(nil, reason))
    }

    private init(_ code: Code, _ issue: MigrationIssue) {
        (self.code, self.issue) = (code, issue)
    }

    /// Returns whether the code and the sentence are the same; the more specific code is not compared.
    public static func == (one: LegacyRecordError, other: LegacyRecordError) -> Bool {
        one.code == other.code && one.reason == other.reason
    }

    /// Creates the error for an item that the keychain refuses to return although the device is unlocked; the caller
    /// retries later.
    package static func refused(_ reason: String) -> LegacyRecordError {
        .init(.locked, MigrationIssue(.refused, reason))
    }

    /// Whether the record can be read as soon as the device has been unlocked.
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
