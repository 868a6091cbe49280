public import FRCore
import Foundation

/// Why a push could not be read.
public enum NotificationError: FRError {
    /// The payload makes no sense.
    case invalidPayload(String)

    /// The domain of the numbers.
    public static let domain = "com.forgerock.ios.frauthenticator.notification"

    /// The number of the case.
    public var code: Int {
        switch self {
        case .invalidPayload: 7_000_000
        }
    }

    /// One sentence for a human.
    public var errorDescription: String? {
        switch self {
        case .invalidPayload(let reason): "The push cannot be read: \(reason)"
        }
    }
}
