import Foundation
import PingOath
import PingPush
import PushBridgeCore

extension Failure {
    /// An error of the new API.
    init(async error: any Error) {
        self.init(Failure.name(of: error))
        switch error {
        case let error as PushError: take(error)
        case PushStorageError.duplicateCredential(let id): subject = id
        case let error as PingOath.OathError: take(error)
        default: break
        }
    }

    private mutating func take(_ error: PingOath.OathError) {
        name = "PingOath.\(name)"
        switch error {
        case .credentialLocked(let id), .credentialNotFound(let id), .duplicateCredential(let id):
            subject = id
        case .policyViolation(let policy): subject = policy
        case .missingRequiredParameter(let parameter): subject = parameter
        default: break
        }
    }

    private mutating func take(_ error: PushError) {
        switch error {
        case .credentialLocked(let id), .credentialNotFound(let id), .notificationNotFound(let id):
            subject = id
        case .policyViolation(let policy): subject = policy
        case .missingRequiredParameter(let name): subject = name
        case .networkFailure(_, let cause): status = (cause as? PushResponseError)?.status
        default: break
        }
    }
}

extension PushResponseError {
    var status: Int {
        switch self {
        case .refused(let status, _), .redirected(let status), .serverFault(let status, _),
            .unexpected(let status):
            status
        }
    }
}
