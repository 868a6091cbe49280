public import Foundation

/// Why a ``PushClient`` could not do what it was asked; messages never hold a secret.
public enum PushError: Error, Sendable {
    /// The client was closed.
    case notInitialized
    /// The client could not be made.
    case initializationFailed(String, (any Error)?)
    /// The text is no registration URI.
    case invalidUri(String)
    /// The registration URI lacks a parameter.
    case missingRequiredParameter(String)
    /// A parameter makes no sense.
    case invalidParameterValue(String)
    /// A credential cannot be written as a URI.
    case uriFormatting(String)
    /// The answer is not for pushes of this type.
    case invalidPushType(String)
    /// The platform is unknown.
    case invalidPlatform(String)
    /// The storage failed in a way that ``PushStorageError`` does not tell.
    case storageFailure(String, (any Error)?)
    /// A registration needs the device token, and none was set.
    case deviceTokenNotSet
    /// No handler serves the platform.
    case noHandlerForPlatform(String)
    /// A push was refused; nothing of it was stored.
    case messageParsingFailed(String)
    /// No credential has this id.
    case credentialNotFound(String)
    /// A policy locked the credential with this id.
    case credentialLocked(String)
    /// No notification has this id.
    case notificationNotFound(String)
    /// The device does not comply with this policy.
    case policyViolation(String)
    /// The server refused a registration.
    case registrationFailed(String)
    /// A request got no answer, or none that accepts it.
    case networkFailure(String, (any Error)?)
}

extension PushError: LocalizedError {
    /// One sentence for a human.
    public var errorDescription: String? {
        switch self {
        case .notInitialized: "The push client is closed."
        case .initializationFailed(let reason, _): "The push client could not start: \(reason)"
        case .invalidUri(let reason): "This is not a registration code: \(reason)"
        case .missingRequiredParameter(let name): "The registration code lacks the parameter \(name)."
        case .invalidParameterValue(let reason): "A value makes no sense: \(reason)"
        case .uriFormatting(let reason): "The credential cannot be written as a URI: \(reason)"
        case .invalidPushType(let reason): "The answer does not suit the push: \(reason)"
        case .invalidPlatform(let name): "The platform \(name) is unknown."
        case .storageFailure(let reason, _): "The storage failed: \(reason)"
        case .deviceTokenNotSet: "The device token was not set."
        case .noHandlerForPlatform(let name): "Nothing handles pushes of the platform \(name)."
        case .messageParsingFailed(let reason): "The push was refused: \(reason)"
        case .credentialNotFound(let id): "There is no credential \(id)."
        case .credentialLocked(let id): "The credential \(id) is locked."
        case .notificationNotFound(let id): "There is no notification \(id)."
        case .policyViolation(let policy): "The device does not comply with the policy \(policy)."
        case .registrationFailed(let reason): "The server refused the registration: \(reason)"
        case .networkFailure(let reason, _): "The server could not be asked: \(reason)"
        }
    }
}

extension PushError: Equatable {
    /// Whether both are the same case and say the same; causes do not count.
    public static func == (one: PushError, other: PushError) -> Bool {
        one.errorDescription == other.errorDescription
    }
}
