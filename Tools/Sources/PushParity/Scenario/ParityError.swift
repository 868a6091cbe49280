public import Foundation

/// Why a scenario cannot be played.
public struct ParityError: Error, Equatable, Sendable {
    /// The kind of failure.
    public enum Code: Sendable {
        /// The scenario's file cannot be read, or is no scenario.
        case unreadable
        /// A step makes no sense.
        case invalidStep
        /// A server, a store or a client could not be made.
        case notPlayable
    }

    /// The kind of failure.
    public let code: Code
    /// One sentence for a person.
    public let reason: String
}

extension ParityError: LocalizedError {
    /// The reason.
    public var errorDescription: String? { reason }
}
