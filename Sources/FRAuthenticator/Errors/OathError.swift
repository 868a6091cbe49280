public import FRCore
import Foundation

/// Why a one-time password could not be made.
public enum OathError: FRError {
    /// No code exists for the secret as it is used.
    case invalidSecret

    /// The domain of the numbers.
    public static let domain = "com.forgerock.ios.frauthenticator.oath"

    /// The number of the case.
    public var code: Int {
        switch self {
        case .invalidSecret: 9_000_000
        }
    }

    /// One sentence for a human.
    public var errorDescription: String? {
        switch self {
        case .invalidSecret: "No code can be made with the secret as it is used."
        }
    }
}
