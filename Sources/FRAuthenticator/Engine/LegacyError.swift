import FRCore
import Foundation
import PushBridgeCore
import PushBridgePlatform

/// Converts the errors of the core to errors of the legacy API.
enum LegacyError {
    /// Returns the legacy API's error for an error of the core.
    static func translated(_ error: any Error) -> any Error {
        switch error {
        case let error as PushAnswerError: translated(error)
        case let error as RegistrationURIError: translated(error)
        case let error as AlreadyEnrolled: MechanismError.alreadyExists(error.identifier)
        case let error as StoreError: PushNotificationError.storageError(error.reason)
        default: error
        }
    }

    /// Returns the error that the legacy API reports for a failed request.
    static func translated(_ failure: PushFailure) -> any Error {
        guard let refusal = failure.cause as? WrongNumber else { return failure.networkError }
        return PushNotificationError.pushNumberChallengeError(refusal.message ?? "The server gave no reason.")
    }

    /// Calls `body`, and converts an error of the store with `name`.
    ///
    /// Other errors are not converted.
    static func naming<Value>(
        _ name: (String) -> any Error,
        _ body: () throws -> Value
    ) throws -> Value {
        do {
            return try body()
        } catch let error as StoreError {
            throw name(error.reason)
        }
    }

    /// Describes an error in one sentence for the log, without secrets.
    static func reason(_ error: any Error) -> String {
        switch error {
        case let error as StoreError: error.reason
        case let error as PushReceptionError: "The push was refused: \(error)."
        default: translated(error).localizedDescription
        }
    }

    private static func translated(_ error: PushAnswerError) -> any Error {
        switch error {
        case .notificationNotFound: PushNotificationError.storageError("The push is not stored.")
        case .credentialNotFound: PushNotificationError.storageError("The mechanism is not stored.")
        case .notPending: PushNotificationError.notificationInvalidStatus
        case .wrongKind(let type):
            MechanismError.invalidInformation("The push is of the type \(type.rawValue).")
        case .locked(let policy): AccountError.accountLocked(policy ?? "")
        case .invalidChallenge: CryptoError.invalidParam("challenge")
        case .unusableSecret: CryptoError.invalidParam("secret")
        }
    }

    private static func translated(_ error: RegistrationURIError) -> any Error {
        switch error {
        case .malformed: MechanismError.invalidQRCode
        case .unsupported: MechanismError.invalidType
        case .missing(let parameter):
            MechanismError.missingInformation("The parameter \(parameter) is missing.")
        case .invalid(parameter: "s"), .invalid(parameter: "c"):
            CryptoError.invalidParam("s (secret) or c (challenge) of the registration URI")
        case .notAnAddress: NetworkError.invalidRequest("An address in the registration URI is not valid.")
        case .invalid(let parameter):
            MechanismError.invalidInformation("The value of \(parameter) cannot be read.")
        }
    }
}
