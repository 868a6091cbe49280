/// Why a credential store refused or could not answer.
///
/// "Not there" is never an error here: look-ups answer `nil` for that, and for nothing else.
public struct StoreError: Error, Equatable, Sendable {
    /// What a caller can do about it.
    public enum Code: String, Sendable {
        /// The device was not unlocked yet; try again later.
        case locked
        /// The sealing key is not the one the store was written with.
        case wrongKey
        /// A stored value cannot be read: it was moved, cut or changed.
        case damaged
        /// A newer version wrote the store.
        case newerVersion
        /// The file exists and is not a credential store.
        case notAStore
        /// The store does not exist.
        case missing
        /// The store cannot be written: read-only, or no permission.
        case notWritable
        /// The disk is full.
        case full
        /// Anything else that the storage reported.
        case failed
    }

    /// What a caller can do about it.
    public let code: Code
    /// The id of the record concerned, if it is about one.
    public let record: String?
    /// One sentence for a human; never holds a secret.
    public let reason: String

    /// Creates an error.
    public init(_ code: Code, record: String? = nil, reason: String) {
        self.code = code
        self.record = record
        self.reason = reason
    }
}
