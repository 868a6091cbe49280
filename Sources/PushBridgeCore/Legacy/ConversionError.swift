/// Why a legacy record that could be read does not become a credential.
public struct ConversionError: Error, Equatable, Sendable {
    /// What to do about it.
    public enum Code: Sendable {
        /// A value that the record cannot do without makes no sense.
        case damaged
        /// The record is sound, and the new model has no place for it.
        case unsupported
    }

    /// What to do about it.
    public let code: Code
    /// One sentence for a human; never holds a secret.
    public let reason: String

    static func damaged(_ reason: String) -> ConversionError { .init(code: .damaged, reason: reason) }
    static func unsupported(_ reason: String) -> ConversionError { .init(code: .unsupported, reason: reason) }
}
