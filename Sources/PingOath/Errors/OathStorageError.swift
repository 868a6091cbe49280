public import Foundation

/// Why a storage could not do what it was asked.
public enum OathStorageError: Error, Sendable {
    /// Reading or writing failed.
    case storageFailure(String, (any Error)?)
}

extension OathStorageError: LocalizedError {
    /// One sentence for a human.
    public var errorDescription: String? {
        switch self {
        case .storageFailure(let reason, _): "The storage failed: \(reason)"
        }
    }
}

extension OathStorageError: Equatable {
    /// Whether both say the same; causes do not count.
    public static func == (one: OathStorageError, other: OathStorageError) -> Bool {
        one.errorDescription == other.errorDescription
    }
}
