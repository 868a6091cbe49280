#if canImport(FoundationNetworking)
package import FoundationNetworking
#else
package import Foundation
#endif

/// Who decides what a session asks its delegate; `nil` is the standard.
///
/// Foundation on Linux asks about passwords only: there the system alone decides whether a server is trusted.
package struct SessionEvents: Sendable {
    /// Takes the decision about a challenge.
    package typealias ChallengeDecision =
        @Sendable (URLSession.AuthChallengeDisposition, URLCredential?) -> Void
    /// Takes the request that follows a redirect; `nil` stays.
    package typealias RedirectDecision = @Sendable (URLRequest?) -> Void

    /// Decides about a challenge; the standard is the system's handling.
    package var challenge:
        (
            @Sendable (
                URLSession, URLSessionTask, URLAuthenticationChallenge, @escaping ChallengeDecision
            ) -> Void
        )?
    /// Decides about a redirect; the standard is not to follow any.
    package var redirect:
        (
            @Sendable (
                URLSession, URLSessionTask, HTTPURLResponse, URLRequest, @escaping RedirectDecision
            ) -> Void
        )?

    /// Creates the standard.
    package init() {}
}
