import Foundation
import PushBridgePlatform

/// The errors of the latest failed local authentications.
///
/// Call sites match the case `MechanismError.invalidInformation`, which contains only a message. So this type stores
/// the cause of each error under the error's message.
package enum AuthenticationFailures {
    private static let latest = Lock<[(reason: String, cause: any Error)]>([])
    private static let limit = 8

    /// Returns the error for the legacy API's callers; `cause` becomes its underlying error.
    package static func error(for cause: any Error) -> MechanismError {
        let reason = "The local authentication failed: \((cause as NSError).localizedDescription)"
        latest.withValue { latest in
            latest.removeAll { $0.reason == reason }
            latest.append((reason: reason, cause: cause))
            latest.removeFirst(max(0, latest.count - limit))
        }
        return .invalidInformation(reason)
    }

    /// Returns the system's error that caused the error with this message; `nil` if no recent error has this message.
    static func cause(of reason: String) -> (any Error)? {
        latest.withValue { $0.last(where: { $0.reason == reason })?.cause }
    }
}
