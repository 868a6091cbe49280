import Foundation
public import PushBridgeClients
public import PushBridgeCore

/// An error of an ``OathClient``.
///
/// Its message never contains a secret.
public enum OathError: Error, Sendable {
    /// No credential has this id.
    case credentialNotFound(String)
    /// The credential with this id is locked.
    case credentialLocked(String)
    /// A credential with the same type and secret is stored already for this account.
    case duplicateCredential(issuer: String, accountName: String)
    /// The text is not a registration URI that this API can use; the associated value is the reason.
    case invalidUri(String)
    /// The registration URI lacks a parameter; the associated value is the parameter's name.
    case missingRequiredParameter(String)
    /// A value is invalid; the associated value is the reason.
    case invalidParameterValue(String)
    /// A credential cannot be written as a registration URI; the associated value is the reason.
    case uriFormatting(String)
    /// The secret cannot be used, for example because it is not base32; the associated value is the reason.
    case invalidSecret(String)
    /// A string is not the name of a type, `totp` or `hotp`.
    case invalidOathType(String)
    /// The hash function is unknown or cannot be used.
    case invalidAlgorithm(String)
    /// The one-time password cannot be generated.
    case codeGenerationFailed(String, (any Error)? = nil)
    /// The device does not comply with a policy; the associated values are the policy's name and the
    /// credential's id.
    ///
    /// If an enrolment fails for this reason, the id is the id that the new credential would have received.
    case policyViolation(String, String)
    /// The client could not be created, or was closed.
    ///
    /// The underlying error is a `StoreError`, if the standard storage cannot be opened.
    case initializationFailed(String, (any Error)? = nil)
    /// Never thrown, and declared only because the SDK declares it: closing a client cannot fail.
    case cleanupFailed(String, (any Error)? = nil)
}

extension OathError: DescribedError {
    /// A sentence that describes the error.
    public var errorDescription: String? {
        switch self {
        case .credentialNotFound(let id): "There is no credential \(id)."
        case .credentialLocked(let id): "The credential \(id) is locked."
        case .duplicateCredential(let issuer, let name):
            "A credential with this secret is already stored for \(name) at \(issuer)."
        case .invalidUri(let reason): "This registration URI cannot be used: \(reason)"
        case .missingRequiredParameter(let name): "The registration URI lacks the parameter \(name)."
        case .invalidParameterValue(let reason): "A value is invalid: \(reason)"
        case .uriFormatting(let reason): "The credential cannot be written as a URI: \(reason)"
        case .invalidSecret(let reason): "The secret cannot be used: \(reason)"
        case .invalidOathType(let reason): "The type of the registration URI is unknown: \(reason)"
        case .invalidAlgorithm(let reason): "The hash function cannot be used: \(reason)"
        case .codeGenerationFailed(let reason, _): "No one-time password can be generated: \(reason)"
        case .policyViolation(let policy, _): "The device does not comply with the policy \(policy)."
        case .initializationFailed(let reason, _): "The client cannot be used: \(reason)"
        case .cleanupFailed(let reason, _): "The client cannot be closed: \(reason)"
        }
    }

    /// The description of the underlying error; the same as ``errorDescription`` if there is no underlying
    /// error.
    public var failureReason: String? {
        switch self {
        case .codeGenerationFailed(_, let cause), .initializationFailed(_, let cause),
            .cleanupFailed(_, let cause):
            cause?.localizedDescription ?? errorDescription
        default: errorDescription
        }
    }

    /// A suggestion for the app or its user.
    public var recoverySuggestion: String? {
        switch self {
        case .credentialNotFound: "List the credentials again."
        case .credentialLocked, .policyViolation:
            "Try again when the device complies with the policies and the account is not locked."
        case .duplicateCredential: "Use the credential that is stored, or delete it first."
        case .invalidUri, .missingRequiredParameter, .invalidParameterValue, .invalidSecret, .invalidOathType,
            .invalidAlgorithm:
            "Ask the issuer for another QR code."
        case .uriFormatting: "Ask the issuer for a QR code."
        case .codeGenerationFailed, .cleanupFailed: "Try again."
        case .initializationFailed: "Create another client."
        }
    }
}

/// An error of a storage.
public enum OathStorageError: Error, Sendable {
    /// Reading or writing failed.
    ///
    /// The underlying error is a `StoreError` or the error of the app's own storage.
    case storageFailure(String, (any Error)? = nil)
    /// A credential with this id is stored already.
    case duplicateCredential(String)
    /// A stored record cannot be read.
    case storageCorrupted(String)
    /// The storage cannot be accessed now, because the device is locked, another process is writing, or the app lacks
    /// an entitlement.
    case accessDenied(String)
}

extension OathStorageError: DescribedError {
    /// A sentence that describes the error.
    public var errorDescription: String? {
        switch self {
        case .duplicateCredential(let id): "The credential \(id) is already stored."
        case .accessDenied(let reason): "The storage cannot be accessed now: \(reason)"
        case .storageCorrupted(let reason): "A stored record cannot be read: \(reason)"
        case .storageFailure(let reason, _): "The storage failed: \(reason)"
        }
    }

    /// The description of the underlying error; the same as ``errorDescription`` if there is no underlying
    /// error.
    public var failureReason: String? {
        if case .storageFailure(_, let cause?) = self { cause.localizedDescription } else { errorDescription }
    }

    /// A suggestion for the app or its user.
    public var recoverySuggestion: String? {
        switch self {
        case .duplicateCredential: "Use the credential that is stored, or delete it first."
        case .accessDenied: "Try again when the device is unlocked, and check the app's entitlements."
        case .storageCorrupted: "Delete the credential, and register it again."
        case .storageFailure: "Try again."
        }
    }
}

extension OathStorageError: StorageFailure {
    /// Converts an error of a store.
    ///
    /// The result is ``accessDenied(_:)`` if the store is locked or the app lacks an entitlement,
    /// ``storageCorrupted(_:)`` if a record is damaged, and ``storageFailure(_:_:)`` otherwise.
    /// - Parameter error: The error.
    public init(_ error: StoreError) {
        self =
            switch error.code {
            case .locked, .notEntitled: .accessDenied(error.reason)
            case .damaged: .storageCorrupted(error.reason)
            default: .storageFailure(error.reason, error)
            }
    }
}

extension ClientErrors {
    /// The errors that this API throws.
    static let oath = ClientErrors(closed: OathError.initializationFailed("The client is closed.", nil)) {
        OathStorageError($0)
    } foreign: { error in
        let isNamed = error is OathStorageError || error is OathError
        return isNamed ? nil : OathStorageError.storageFailure(error.localizedDescription, error)
    }
}

extension OathError {
    init(_ error: RegistrationURIError) {
        switch error {
        case .malformed: self = .invalidUri("The form of the URI is not scheme://kind/label?parameters.")
        case .unsupported: self = .invalidUri("The URI is not for one-time passwords (totp or hotp).")
        case .missing(let parameter): self = .missingRequiredParameter(parameter)
        case .invalid(parameter: "secret"): self = .invalidSecret("The text of the secret is not base32.")
        case .invalid(parameter: "algorithm"):
            self = .invalidAlgorithm("The name of the hash function is not known.")
        case .invalid(let parameter), .notAnAddress(let parameter):
            self = .invalidParameterValue("The value of \(parameter) cannot be read.")
        }
    }

    init(_ error: OneTimePasswordError) {
        let reason =
            switch error {
            case .unsupportedDigits(let digits): "One-time passwords of \(digits) digits are not supported."
            case .unsupportedPeriod(let period): "A period of \(period) seconds is invalid."
            case .negativeCounter: "The counter is negative, or the time is before 1970."
            case .unusableSecret: "The secret is not base32."
            case .truncationOutOfBounds: "The hash is too short for a one-time password."
            }
        self = error == .unusableSecret ? .invalidSecret(reason) : .codeGenerationFailed(reason, error)
    }
}
