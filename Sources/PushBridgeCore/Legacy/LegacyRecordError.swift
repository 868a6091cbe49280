/// Why one legacy record cannot be used; the others are not concerned.
public struct LegacyRecordError: Error, Equatable, Sendable {
    /// What can be done about it.
    public enum Code: Sendable {
        /// The bytes cannot be read, or a required field is missing or invalid.
        case damaged
        /// The record is sound, and the new model has no place for it.
        case unsupported
        /// The device was not unlocked yet; try again later.
        case locked
        /// The key it was sealed with is gone; the user must enrol again.
        case undecryptable
    }

    /// What can be done about it.
    public let code: Code
    /// One sentence for a human; never holds a secret.
    public let reason: String

    /// Creates an error.
    /// - Parameters:
    ///   - code: What is wrong with the record.
    ///   - reason: One sentence for people, without a secret.
    public init(_ code: Code, reason: String) {
        self.code = code
        self.reason = reason
    }

    package static func damaged(_ reason: String) -> LegacyRecordError { .init(.damaged, reason: reason) }
    package static func unsupported(_ reason: String) -> LegacyRecordError {
        .init(.unsupported, reason: reason)
    }
    package static func absent(_ field: String) -> LegacyRecordError {
        .damaged("The field \(field) is missing or empty.")
    }
}
