/// Why a legacy store as a whole cannot be read or changed.
public struct LegacyStoreError: Error, Equatable, Sendable {
    /// What can be done about it.
    public enum Code: Sendable {
        /// There is nothing at that place, or it may not be read.
        case unreadable
        /// It can be read and is not a legacy store.
        case notALegacyStore
        /// The device was not unlocked yet, or another program is using the store; try again later.
        case locked
        /// The store changed since it was read; read it again.
        case changed
        /// The store, or a file beside it, cannot be written.
        case notWritable
    }

    /// What can be done about it.
    public let code: Code
    /// One sentence for a human; never holds a secret.
    public let reason: String

    /// Creates an error.
    public init(_ code: Code, reason: String) {
        self.code = code
        self.reason = reason
    }
}
