public import FRCore
public import Foundation

/// Why a mechanism could not be made or used.
public enum MechanismError: FRError, CustomNSError {
    /// The text is no registration code.
    case invalidQRCode
    /// The registration code is for a kind of mechanism that is not known.
    case invalidType
    /// The registration code lacks a parameter.
    case missingInformation(String)
    /// A value is invalid.
    case invalidInformation(String)
    /// A mechanism of this kind is there for the account; its identifier.
    case alreadyExists(String)
    /// A change could not be stored.
    case failedToUpdateInformation(String)

    /// The domain of the numbers.
    public static let errorDomain = "com.forgerock.ios.frauthenticator.mechanism"

    /// The number of the case.
    public var errorCode: Int {
        switch self {
        case .invalidQRCode: 6_000_000
        case .invalidType: 6_000_001
        case .missingInformation: 6_000_002
        case .invalidInformation: 6_000_003
        case .alreadyExists: 6_000_004
        case .failedToUpdateInformation: 6_000_005
        }
    }

    /// The sentence for a human, where `NSError` looks for it; untyped because Foundation demands it.
    public var errorUserInfo: [String: Any] { buildErrorUserInfo(errorMessage: text, additionalInfo: nil) }

    private var text: String {
        switch self {
        case .invalidQRCode: "This is not a registration code."
        case .invalidType: "The registration code is for an unknown kind of mechanism."
        case .missingInformation(let reason): "Something is missing: \(reason)"
        case .invalidInformation(let reason): "Something is invalid: \(reason)"
        case .alreadyExists(let identifier): "The mechanism \(identifier) exists already."
        case .failedToUpdateInformation(let reason): "The change could not be stored: \(reason)"
        }
    }
}

/// Why an account could not be used, locked or unlocked.
public enum AccountError: FRError, CustomNSError {
    /// A policy locked the account; its name.
    case accountLocked(String)
    /// The policy to lock with has no name.
    case failToLockMissingPolicyName
    /// The policy to lock with is none of the account's.
    case failToLockInvalidPolicy
    /// The account is locked already.
    case failToLockAccountAlreadyLocked
    /// The account is not locked.
    case failToUnlockAccountNotLocked
    /// The device does not comply with a policy of the registration code; its name.
    case failToRegisterPolicyViolation(String)

    /// The domain of the numbers.
    public static let errorDomain = "com.forgerock.ios.frauthenticator.account"

    /// The number of the case.
    public var errorCode: Int {
        switch self {
        case .accountLocked: 6_100_000
        case .failToLockMissingPolicyName: 6_100_001
        case .failToLockInvalidPolicy: 6_100_002
        case .failToLockAccountAlreadyLocked: 6_100_003
        case .failToUnlockAccountNotLocked: 6_100_004
        case .failToRegisterPolicyViolation: 6_100_005
        }
    }

    /// The sentence for a human, where `NSError` looks for it; untyped because Foundation demands it.
    public var errorUserInfo: [String: Any] { buildErrorUserInfo(errorMessage: text, additionalInfo: nil) }

    private var text: String {
        switch self {
        case .accountLocked(let policy): "The account is locked by the policy \(policy)."
        case .failToLockMissingPolicyName: "The policy to lock the account with has no name."
        case .failToLockInvalidPolicy: "The policy to lock the account with is none of its own."
        case .failToLockAccountAlreadyLocked: "The account is locked already."
        case .failToUnlockAccountNotLocked: "The account is not locked."
        case .failToRegisterPolicyViolation(let policy):
            "The device does not comply with the policy \(policy)."
        }
    }
}

/// Why a push could not be answered, or a device token not be updated.
public enum PushNotificationError: FRError, CustomNSError {
    /// The device token was not set.
    case missingDeviceToken
    /// The push was answered, or an answer is on its way.
    case notificationInvalidStatus
    /// Something is not stored that is needed, or the storage failed.
    case storageError(String)
    /// Some servers did not accept the device token; why not.
    case updateFailed(errors: [any Error])

    /// The domain of the numbers.
    public static let errorDomain = "com.forgerock.ios.frauthenticator.pushnotification"

    /// The number of the case.
    public var errorCode: Int {
        switch self {
        case .missingDeviceToken: 1_100_000
        case .notificationInvalidStatus: 1_100_001
        case .storageError: 1_100_002
        case .updateFailed: 1_100_003
        }
    }

    /// The sentence for a human, where `NSError` looks for it; untyped because Foundation demands it.
    public var errorUserInfo: [String: Any] { buildErrorUserInfo(errorMessage: text, additionalInfo: nil) }

    private var text: String {
        switch self {
        case .missingDeviceToken: "The device token was not set."
        case .notificationInvalidStatus: "The push was answered already, or an answer is on its way."
        case .storageError(let reason): "The storage failed: \(reason)"
        case .updateFailed(errors: let errors): "\(errors.count) servers did not accept the device token."
        }
    }
}

/// Why something could not be signed or verified.
public enum CryptoError: FRError, CustomNSError {
    /// A parameter is invalid; its name.
    case invalidParam(String)
    /// Bytes are not in the encoding they should be in.
    case failToConvertData
    /// A token is malformed or signed wrongly.
    case invalidJWT
    /// A token is signed in a way that is not known.
    case unsupportedJWTType

    /// The domain of the numbers.
    public static let errorDomain = "com.forgerock.ios.frauthenticator.crypto"

    /// The number of the case.
    public var errorCode: Int {
        switch self {
        case .invalidParam: 1_200_000
        case .failToConvertData: 1_200_001
        case .invalidJWT: 1_200_002
        case .unsupportedJWTType: 1_200_003
        }
    }

    /// The sentence for a human, where `NSError` looks for it; untyped because Foundation demands it.
    public var errorUserInfo: [String: Any] { buildErrorUserInfo(errorMessage: text, additionalInfo: nil) }

    private var text: String {
        switch self {
        case .invalidParam(let name): "The parameter \(name) is invalid."
        case .failToConvertData: "Data is not in the encoding it should be in."
        case .invalidJWT: "The token is malformed or signed wrongly."
        case .unsupportedJWTType: "The token is signed in an unknown way."
        }
    }
}

/// Why a push could not be read.
public enum NotificationError: FRError, CustomNSError {
    /// The payload is invalid.
    case invalidPayload(String)

    /// The domain of the numbers.
    public static let errorDomain = "com.forgerock.ios.frauthenticator.notification"

    /// The number of the case.
    public var errorCode: Int {
        switch self {
        case .invalidPayload: 7_000_000
        }
    }

    /// The sentence for a human, where `NSError` looks for it; untyped because Foundation demands it.
    public var errorUserInfo: [String: Any] { buildErrorUserInfo(errorMessage: text, additionalInfo: nil) }

    private var text: String {
        switch self {
        case .invalidPayload(let reason): "The push cannot be read: \(reason)"
        }
    }
}

/// Why the authenticator could not be set up.
public enum FRAError: FRError, CustomNSError {
    /// The storage cannot change once the client started.
    case invalidStateForChangingStorage
    /// The storage did not take something.
    case failToSaveIntoStorageClient(String)
    /// The policy evaluator cannot change once the client started.
    case invalidStateForChangingPolicyEvaluator
    /// A policy cannot be registered.
    case invalidPolicyRegisteredWithPolicyEvaluator(String)

    /// The domain of the numbers.
    public static let errorDomain = "com.forgerock.ios.frauthenticator.fra"

    /// The number of the case.
    public var errorCode: Int {
        switch self {
        case .invalidStateForChangingStorage: 8_000_000
        case .failToSaveIntoStorageClient: 8_000_001
        case .invalidStateForChangingPolicyEvaluator: 8_000_002
        case .invalidPolicyRegisteredWithPolicyEvaluator: 8_000_003
        }
    }

    /// The sentence for a human, where `NSError` looks for it; untyped because Foundation demands it.
    public var errorUserInfo: [String: Any] { buildErrorUserInfo(errorMessage: text, additionalInfo: nil) }

    private var text: String {
        switch self {
        case .invalidStateForChangingStorage: "The storage cannot change once the client started."
        case .failToSaveIntoStorageClient(let reason): "The storage failed: \(reason)"
        case .invalidStateForChangingPolicyEvaluator:
            "The policy evaluator cannot change once the client started."
        case .invalidPolicyRegisteredWithPolicyEvaluator(let reason):
            "The policy cannot be registered: \(reason)"
        }
    }
}

/// Why a one-time password could not be made.
public enum OathError: FRError, CustomNSError {
    /// No code exists for the secret as it is used.
    case invalidSecret

    /// The domain of the numbers.
    public static let errorDomain = "com.forgerock.ios.frauthenticator.oath"

    /// The number of the case.
    public var errorCode: Int {
        switch self {
        case .invalidSecret: 9_000_000
        }
    }

    /// The sentence for a human, where `NSError` looks for it; untyped because Foundation demands it.
    public var errorUserInfo: [String: Any] { buildErrorUserInfo(errorMessage: text, additionalInfo: nil) }

    private var text: String {
        switch self {
        case .invalidSecret: "No code can be made with the secret as it is used."
        }
    }
}
