package import Foundation

/// An error of the async API whose description is one sentence.
package protocol DescribedError: LocalizedError, Equatable {}

extension DescribedError {
    /// Returns whether both errors have the same description, which contains an error's values but not its
    /// cause.
    public static func == (one: Self, other: Self) -> Bool { one.errorDescription == other.errorDescription }
}
