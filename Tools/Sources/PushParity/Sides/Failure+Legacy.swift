import FRAuthenticator
import FRCore
import Foundation
import PushBridgeCore

#if canImport(FoundationNetworking)
import FoundationNetworking
#endif

extension Failure {
    /// An error of the legacy API.
    init(legacy error: any Error) {
        self.init(Failure.name(of: error))
        switch error {
        case AccountError.accountLocked(let policy), AccountError.failToRegisterPolicyViolation(let policy):
            subject = policy
        case MechanismError.alreadyExists(let identifier): subject = identifier
        case NetworkError.apiRequestFailure(_, let response, _):
            status = (response as? HTTPURLResponse)?.statusCode
        case PushNotificationError.updateFailed(errors: let errors):
            parts = errors.map { Failure(legacy: $0).name }
            status = errors.first.flatMap { Failure(legacy: $0).status }
        default: break
        }
    }
}
