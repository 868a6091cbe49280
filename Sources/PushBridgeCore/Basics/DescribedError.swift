package import Foundation

/// An error of the async API, which says in a sentence what it is about.
package protocol DescribedError: LocalizedError, Equatable {}

extension DescribedError {
    /// Whether both are the same case with the same values; causes do not count.
    public static func == (one: Self, other: Self) -> Bool { one.errorDescription == other.errorDescription }
}
