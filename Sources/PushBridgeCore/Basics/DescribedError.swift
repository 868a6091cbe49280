package import Foundation

/// An error of the async API whose description is one sentence.
package protocol DescribedError: LocalizedError, Equatable {}

extension DescribedError {
    /// Returns whether both errors are the same case with the same values; the causes are not compared.
    public static func == (one: Self, other: Self) -> Bool { one.errorDescription == other.errorDescription }
}
