import Foundation
package import PushBridgeCore
import PushBridgePlatform

/// An error of a ``PushClient``.
///
/// Its message never contains a secret.
public enum PushError: Error, Sendable {
    /// The client was closed.
    case notInitialized
    /// The client could not be created; the associated values are the reason and an underlying error.
    ///
    /// The underlying error is a `StoreError`, if the standard storage cannot be opened.
    case initializationFailed(String, (any Error)? = nil)
    /// The text is not a registration URI that this API can use; the associated value is the reason.
    case invalidUri(String)
    /// The registration URI lacks a parameter other than `s`, `c` and `m`; the associated value is the parameter's
    /// name.
    ///
    /// If `s`, `c` or `m` is missing, `invalidUri` is thrown instead.
    case missingRequiredParameter(String)
    /// A value is invalid; the associated value is the reason.
    case invalidParameterValue(String)
    /// A credential cannot be written as a registration URI; the associated value is the reason.
    case uriFormatting(String)
    /// The answer is not valid for a push of this type, or a string is not the name of a push type.
    case invalidPushType(String)
    /// No kind of server (`PushPlatform`) has this name, or a custom handler has no name.
    case invalidPlatform(String)
    /// The storage failed in a way that ``PushStorageError`` does not describe.
    ///
    /// The underlying error is the error of the app's own storage.
    case storageFailure(String, (any Error)? = nil)
    /// The app has not set the device token, which a registration requires.
    case deviceTokenNotSet
    /// No handler is registered under this name, or the value under this name is not a handler.
    case noHandlerForPlatform(String)
    /// A push was rejected and not stored; the associated value is the reason.
    case messageParsingFailed(String)
    /// No credential has this id.
    case credentialNotFound(String)
    /// The credential with this id is locked.
    case credentialLocked(String)
    /// A credential with the same secret is stored already for this account.
    case duplicateCredential(issuer: String, accountName: String)
    /// No notification has this id.
    case notificationNotFound(String)
    /// The device does not comply with this policy.
    case policyViolation(String)
    /// The server rejected a registration, or the app's own handler could not send it.
    case registrationFailed(String)
    /// The request received no response or was rejected, or the app's own handler failed.
    ///
    /// The underlying error is a `URLError` or the error of the app's own handler, if no response arrived.
    case networkFailure(String, (any Error)? = nil)
    /// The server rejected the number of a challenge with HTTP 400, as AM 8.1.0 does.
    ///
    /// The associated value is the server's message or, if the server sent no message, a standard text.
    ///
    /// The push stays pending: the user can choose another number until the push expires. The server also
    /// responds with HTTP 400 if it no longer has the push.
    case pushNumberChallengeError(String)
}

extension PushError: DescribedError {
    /// A sentence that describes the error.
    public var errorDescription: String? {
        switch self {
        case .notInitialized: "The push client is closed."
        case .initializationFailed(let reason, _): "The push client could not start: \(reason)"
        case .invalidUri(let reason): "This registration URI cannot be used: \(reason)"
        case .missingRequiredParameter(let name): "The registration URI lacks the parameter \(name)."
        case .invalidParameterValue(let reason): "A value is invalid: \(reason)"
        case .uriFormatting(let reason): "The credential cannot be written as a URI: \(reason)"
        case .invalidPushType(let reason): "The answer is not valid for the push: \(reason)"
        case .invalidPlatform(let name): "The platform \(name) is unknown."
        case .storageFailure(let reason, _): "The storage failed: \(reason)"
        case .deviceTokenNotSet: "The device token was not set."
        case .noHandlerForPlatform(let name): "No handler is registered for the platform \(name)."
        case .messageParsingFailed(let reason): "The push was refused: \(reason)"
        case .credentialNotFound(let id): "There is no credential \(id)."
        case .credentialLocked(let id): "The credential \(id) is locked."
        case .notificationNotFound(let id): "There is no notification \(id)."
        case .policyViolation(let policy): "The device does not comply with the policy \(policy)."
        case .duplicateCredential(let issuer, let name):
            "A credential with this secret is already stored for \(name) at \(issuer)."
        case .registrationFailed(let reason): "The device was not registered: \(reason)"
        case .pushNumberChallengeError(let reason): "The server did not accept the number: \(reason)"
        case .networkFailure(let reason, _): reason
        }
    }
}

extension PushError {
    init(_ error: RegistrationURIError) {
        switch error {
        case .malformed: self = .invalidUri("The form of the URI is not scheme://kind/label?parameters.")
        case .unsupported: self = .invalidUri("The URI is not for push.")
        // The successor SDK also throws `invalidUri` for these parameters.
        case .missing(let parameter) where ["s", "c", "m"].contains(parameter):
            self = .invalidUri("The URI lacks the parameter \(parameter).")
        case .missing(let parameter): self = .missingRequiredParameter(parameter)
        case .invalid(let parameter), .notAnAddress(let parameter):
            self = .invalidParameterValue("The value of \(parameter) cannot be read.")
        }
    }

    init(_ error: PushReceptionError) {
        let reason =
            switch error {
            case .tooLarge: "The push is too large."
            case .token(.signatureMismatch): "The signature is wrong."
            case .token(.unsupportedAlgorithm): "The token is not signed with HS256."
            case .token(.malformed): "The token is malformed."
            case .missingClaim(let name): "The token lacks the claim \(name)."
            case .invalidClaim(let name): "The token's claim \(name) is invalid."
            case .unknownCredential: "The push's credential is not stored."
            case .wrongCredential: "The push is for another credential."
            case .messageTaken: "The message id belongs to another credential's push."
            }
        self = .messageParsingFailed(reason)
    }
}

extension PushError {
    /// Creates the error for a push that cannot be answered.
    init(_ error: PushAnswerError, _ notificationId: String, _ credentialId: String?) {
        self =
            switch error {
            case .notificationNotFound, .notPending: .notificationNotFound(notificationId)
            case .credentialNotFound: .credentialNotFound(credentialId ?? notificationId)
            case .wrongKind(let type): .invalidPushType("The push is of the type \(type.rawValue).")
            case .locked: .credentialLocked(credentialId ?? notificationId)
            case .invalidChallenge: .invalidParameterValue("The push's challenge is not base64.")
            case .unusableSecret: .invalidParameterValue("The credential's secret is not base64.")
            }
    }
}

extension PushFailure {
    /// Creates the failure for the error of an app's own handler.
    ///
    /// If the error contains a server's response, the response is treated as if this client had received it.
    init(ofHandler error: any Error, to request: PushRequest) {
        let cause: (any Error)? =
            if case .networkFailure(_, let cause)? = error as? PushError { cause } else { nil }
        self =
            switch cause {
            case let refusal as PushResponseError:
                .refused(error, PushResponse(status: refusal.status, body: Data()), to: request)
            case is PushTransportError, is URLError: .unanswered(error)
            default: .failed(error)
            }
    }

    /// The error that the API throws for this failure.
    var named: any Error {
        switch cause {
        case let error as WrongNumber:
            PushError.pushNumberChallengeError(error.message ?? "The server gave no reason.")
        case let error as PushResponseError: PushError.networkFailure(error.reason, nil)
        default: cause.namedForHandler
        }
    }
}

extension Error {
    /// Converts the error of an app's own handler into an error of this API.
    ///
    /// All errors except the API's own become network failures, as in the successor SDK.
    var namedForHandler: any Error {
        switch self {
        case is PushError, is PushStorageError: self
        case is CancellationError:
            PushError.networkFailure("The request was cancelled.", URLError(.cancelled))
        case let error as PushTransportError: PushError.networkFailure(error.reason, error.urlError)
        case let error as URLError: PushError.networkFailure(PushTransportError(error).reason, error)
        default: PushError.networkFailure(localizedDescription, self)
        }
    }
}

/// Calls an app's own handler, and converts the handler's errors into errors of this API.
func callingHandler<Value>(_ call: () async throws -> Value) async throws -> Value {
    do {
        return try await call()
    } catch {
        throw error.namedForHandler
    }
}

extension PushResponseError {
    fileprivate var status: Int {
        switch self {
        case .refused(let status, _), .serverFault(let status, _), .redirected(let status),
            .unexpected(let status):
            status
        }
    }
}
