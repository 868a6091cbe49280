public import FRCore
public import Foundation

/// The reason why a mechanism could not be created or used.
public enum MechanismError: FRError, CustomNSError, NumberedError {
    /// The text is not a registration URI.
    case invalidQRCode
    /// The registration URI is for an unknown kind of mechanism.
    case invalidType
    /// The registration URI lacks a parameter; the associated value names the parameter.
    case missingInformation(String)
    /// A value is invalid, the answer is not for a push of this type, or the local authentication failed; the
    /// associated value is the reason.
    ///
    /// The underlying error is the system's error, if the local authentication failed.
    case invalidInformation(String)
    /// The account already has a mechanism of this kind; the associated value is the mechanism's identifier.
    case alreadyExists(String)
    /// The storage failed to save a change; the associated value is the reason.
    case failedToUpdateInformation(String)

    /// The error domain of ``errorCode``.
    public static let errorDomain = "com.forgerock.ios.frauthenticator.mechanism"

    /// The number of the case.
    public var errorCode: Int { entry.number }

    package var entry: (number: Int, text: String) {
        switch self {
        case .invalidQRCode: (6_000_000, "This is not a registration URI.")
        case .invalidType: (6_000_001, "The registration URI is for an unknown kind of mechanism.")
        case .missingInformation(let reason): (6_000_002, "Something is missing: \(reason)")
        case .invalidInformation(let reason): (6_000_003, "Something is invalid: \(reason)")
        case .alreadyExists(let identifier): (6_000_004, "The mechanism \(identifier) exists already.")
        case .failedToUpdateInformation(let reason): (6_000_005, "The change could not be stored: \(reason)")
        }
    }

    /// The system's error if the local authentication failed.
    package var underlyingError: (any Error)? {
        guard case .invalidInformation(let reason) = self else { return nil }
        return AuthenticationFailures.cause(of: reason)
    }
}

/// The reason why an account could not be used, locked or unlocked.
public enum AccountError: FRError, CustomNSError, NumberedError {
    /// The account is locked; the associated value is the name of the policy that is the reason for the lock.
    case accountLocked(String)
    /// The policy that should lock the account has no name.
    case failToLockMissingPolicyName
    /// The account does not have the policy that should lock it.
    case failToLockInvalidPolicy
    /// The account is locked already.
    case failToLockAccountAlreadyLocked
    /// The account is not locked.
    case failToUnlockAccountNotLocked
    /// The device does not comply with a policy of the registration URI; the associated value is the policy's name.
    case failToRegisterPolicyViolation(String)

    /// The error domain of ``errorCode``.
    public static let errorDomain = "com.forgerock.ios.frauthenticator.account"

    /// The number of the case.
    public var errorCode: Int { entry.number }

    package var entry: (number: Int, text: String) {
        switch self {
        case .accountLocked(let policy): (6_100_000, "The account is locked by the policy \(policy).")
        case .failToLockMissingPolicyName: (6_100_001, "The policy that should lock the account has no name.")
        case .failToLockInvalidPolicy: (6_100_002, "The account does not have this policy.")
        case .failToLockAccountAlreadyLocked: (6_100_003, "The account is locked already.")
        case .failToUnlockAccountNotLocked: (6_100_004, "The account is not locked.")
        case .failToRegisterPolicyViolation(let policy):
            (6_100_005, "The device does not comply with the policy \(policy).")
        }
    }
}

/// The reason why a push could not be answered, or why a device token is missing or could not be updated.
public enum PushNotificationError: FRError, CustomNSError, NumberedError {
    /// The device token was not set.
    case missingDeviceToken
    /// The push has already been answered, or an answer is being sent.
    case notificationInvalidStatus
    /// A required record is not stored, or the storage failed; the associated value is the reason.
    case storageError(String)
    /// At least one server did not accept the device token; the associated value contains one error for each mechanism
    /// whose update failed.
    ///
    /// The underlying error is a `NetworkError` or a `URLError` for each of these mechanisms.
    case updateFailed(errors: [any Error])
    /// The server rejected the number of a challenge with HTTP 400, as AM 8.1.0 does; the associated value is the
    /// server's message, if it sent one.
    ///
    /// The push stays pending: the user can choose another number until the push expires. The server also
    /// responds with HTTP 400 if it no longer has the push. This case may change: release 4.10.0 of the legacy
    /// SDK has a similar error, but the name and the number of that error are not known.
    case pushNumberChallengeError(String)

    /// The error domain of ``errorCode``.
    public static let errorDomain = "com.forgerock.ios.frauthenticator.pushnotification"

    /// The number of the case.
    public var errorCode: Int { entry.number }

    package var entry: (number: Int, text: String) {
        switch self {
        case .missingDeviceToken: (1_100_000, "The device token was not set.")
        case .notificationInvalidStatus:
            (1_100_001, "The push has already been answered, or an answer is being sent.")
        case .storageError(let reason): (1_100_002, "The storage failed: \(reason)")
        case .updateFailed(errors: let errors):
            (1_100_003, "Number of mechanisms whose server did not accept the device token: \(errors.count).")
        case .pushNumberChallengeError(let reason):
            (1_100_004, "The server did not accept the number: \(reason)")
        }
    }
}

/// The reason why something could not be signed or verified.
public enum CryptoError: FRError, CustomNSError, NumberedError {
    /// A parameter is invalid; the associated value is its name.
    case invalidParam(String)
    /// Data is not in the required encoding.
    case failToConvertData
    /// Never thrown, and declared only because the SDK declares it: a push whose token is malformed or has an invalid
    /// signature is logged and rejected.
    case invalidJWT
    /// Never thrown, and declared only because the SDK declares it: a push whose token is signed with an unsupported
    /// algorithm is logged and rejected.
    case unsupportedJWTType

    /// The error domain of ``errorCode``.
    public static let errorDomain = "com.forgerock.ios.frauthenticator.crypto"

    /// The number of the case.
    public var errorCode: Int { entry.number }

    package var entry: (number: Int, text: String) {
        switch self {
        case .invalidParam(let name): (1_200_000, "The parameter \(name) is invalid.")
        case .failToConvertData: (1_200_001, "Data is not in the required encoding.")
        case .invalidJWT: (1_200_002, "The token is malformed, or its signature is invalid.")
        case .unsupportedJWTType: (1_200_003, "The token is signed with an unsupported algorithm.")
        }
    }
}

/// The reason why a push could not be read.
public enum NotificationError: FRError, CustomNSError, NumberedError {
    /// Never thrown, and declared only because the SDK declares it: a push with an invalid payload is logged and
    /// rejected.
    case invalidPayload(String)

    /// The error domain of ``errorCode``.
    public static let errorDomain = "com.forgerock.ios.frauthenticator.notification"

    /// The number of the case.
    public var errorCode: Int { entry.number }

    package var entry: (number: Int, text: String) {
        switch self {
        case .invalidPayload(let reason): (7_000_000, "The push cannot be read: \(reason)")
        }
    }
}

/// The reason why the client could not be set up, or why it could not store a record.
public enum FRAError: FRError, CustomNSError, NumberedError {
    /// The storage cannot be changed after the client has started.
    case invalidStateForChangingStorage
    /// A record could not be stored or changed; the associated value is the reason.
    case failToSaveIntoStorageClient(String)
    /// The policy evaluator cannot be changed after the client has started.
    case invalidStateForChangingPolicyEvaluator
    /// A policy cannot be registered; the associated value is the reason.
    case invalidPolicyRegisteredWithPolicyEvaluator(String)

    /// The error domain of ``errorCode``.
    public static let errorDomain = "com.forgerock.ios.frauthenticator.fra"

    /// The number of the case.
    public var errorCode: Int { entry.number }

    package var entry: (number: Int, text: String) {
        switch self {
        case .invalidStateForChangingStorage:
            (8_000_000, "The storage cannot be changed after the client has started.")
        case .failToSaveIntoStorageClient(let reason): (8_000_001, "The storage failed: \(reason)")
        case .invalidStateForChangingPolicyEvaluator:
            (8_000_002, "The policy evaluator cannot be changed after the client has started.")
        case .invalidPolicyRegisteredWithPolicyEvaluator(let reason):
            (8_000_003, "The policy cannot be registered: \(reason)")
        }
    }
}

/// The reason why a one-time password could not be generated.
public enum OathError: FRError, CustomNSError, NumberedError {
    /// A one-time password cannot be generated from this secret, algorithm, period and counter.
    case invalidSecret

    /// The error domain of ``errorCode``.
    public static let errorDomain = "com.forgerock.ios.frauthenticator.oath"

    /// The number of the case.
    public var errorCode: Int { entry.number }

    package var entry: (number: Int, text: String) {
        switch self {
        case .invalidSecret:
            (
                9_000_000,
                "A one-time password cannot be generated from this secret, algorithm, period and counter."
            )
        }
    }
}
