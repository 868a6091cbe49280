public import FRCore
import Foundation

/// Why a push could not be answered, or a device token not be updated.
public enum PushNotificationError: FRError {
    /// The device token was not set.
    case missingDeviceToken
    /// The push was answered, or an answer is on its way.
    case notificationInvalidStatus
    /// Something is not stored that is needed, or the storage failed.
    case storageError(String)
    /// Some servers did not accept the device token; why not.
    case updateFailed(errors: [any Error])

    /// The domain of the numbers.
    public static let domain = "com.forgerock.ios.frauthenticator.pushnotification"

    /// The number of the case.
    public var code: Int {
        switch self {
        case .missingDeviceToken: 1_100_000
        case .notificationInvalidStatus: 1_100_001
        case .storageError: 1_100_002
        case .updateFailed: 1_100_003
        }
    }

    /// One sentence for a human.
    public var errorDescription: String? {
        switch self {
        case .missingDeviceToken: "The device token was not set."
        case .notificationInvalidStatus: "The push was answered already, or an answer is on its way."
        case .storageError(let reason): "The storage does not help: \(reason)"
        case .updateFailed(errors: let errors): "\(errors.count) servers did not accept the device token."
        }
    }
}
