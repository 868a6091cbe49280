public import Foundation

/// Why an ``OathClient`` could not do what it was asked; messages never hold a secret.
public enum OathError: Error, Sendable {
    /// No credential has this id.
    case credentialNotFound(String)
    /// A policy locked the credential with this id.
    case credentialLocked(String)
    /// A credential for the same account and secret is stored already, under this id.
    case duplicateCredential(String)
    /// The text is no registration URI.
    case invalidUri(String)
    /// The registration URI lacks a parameter.
    case missingRequiredParameter(String)
    /// A parameter makes no sense.
    case invalidParameterValue(String)
    /// A credential cannot be written as a URI.
    case uriFormatting(String)
    /// The secret is not base32.
    case invalidSecret(String)
    /// The code is neither time-based nor counter-based.
    case invalidOathType(String)
    /// No code can be made with this hash function.
    case invalidAlgorithm(String)
    /// No code can be made now.
    case codeGenerationFailed(String, (any Error)?)
    /// The device does not comply with this policy.
    case policyViolation(String)
    /// The client could not be made, or was closed.
    case initializationFailed(String, (any Error)?)
    /// The client could not be closed.
    case cleanupFailed(String, (any Error)?)
}

extension OathError: LocalizedError {
    /// One sentence for a human.
    public var errorDescription: String? {
        switch self {
        case .credentialNotFound(let id): "There is no credential \(id)."
        case .credentialLocked(let id): "The credential \(id) is locked."
        case .duplicateCredential(let id): "The credential \(id) is stored already."
        case .invalidUri(let reason): "This is not a registration code: \(reason)"
        case .missingRequiredParameter(let name): "The registration code lacks the parameter \(name)."
        case .invalidParameterValue(let reason): "A value makes no sense: \(reason)"
        case .uriFormatting(let reason): "The credential cannot be written as a URI: \(reason)"
        case .invalidSecret(let reason): "The secret cannot be used: \(reason)"
        case .invalidOathType(let reason): "The kind of code is unknown: \(reason)"
        case .invalidAlgorithm(let reason): "The hash function cannot be used: \(reason)"
        case .codeGenerationFailed(let reason, _): "No code can be made: \(reason)"
        case .policyViolation(let policy): "The device does not comply with the policy \(policy)."
        case .initializationFailed(let reason, _): "The client cannot be used: \(reason)"
        case .cleanupFailed(let reason, _): "The client cannot be closed: \(reason)"
        }
    }
}

extension OathError: Equatable {
    /// Whether both are the same case and say the same; causes do not count.
    public static func == (one: OathError, other: OathError) -> Bool {
        one.errorDescription == other.errorDescription
    }
}
