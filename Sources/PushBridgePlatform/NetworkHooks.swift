package import Foundation
package import PushBridgeCore

#if canImport(FoundationNetworking)
package import FoundationNetworking
#endif

/// The changes that an app makes to all requests of this process, whichever API sends them.
package final class NetworkHooks: Sendable {
    package static let shared = NetworkHooks()

    /// Changes a request and its time-out before the request is sent; an error prevents the request from being sent.
    package typealias Adapter = @Sendable (inout PushRequest, inout TimeInterval) throws -> Void
    package typealias Configuration = @Sendable () -> URLSessionConfiguration

    private let state = Lock(State())

    package init() {}

    /// Sets the adapter of requests; `nil` leaves requests unchanged.
    package func setAdapter(_ adapter: Adapter?) {
        state.withValue { $0.adapter = adapter }
    }

    /// Sets the configuration of sessions and the decisions of their delegate; `nil` means the default.
    ///
    /// The next request uses a new session; requests in flight end in their old session.
    package func setSession(configuration: Configuration?, events: SessionEvents = SessionEvents()) {
        state.withValue { state in
            state.configuration = configuration
            state.events = events
            state.session = nil
        }
    }

    /// Passes a request through the adapter, which can at most double the time-out.
    ///
    /// If the time-out were longer, the claim of an answer could expire while the answer is in flight, and a
    /// second answer could be sent.
    func adapt(_ request: inout PushRequest, timeout: inout TimeInterval) throws {
        guard let adapter = state.withValue(\.adapter) else { return }
        let longest = timeout * 2
        try adapter(&request, &timeout)
        timeout = min(timeout, longest)
    }

    func session() -> OwnedSession {
        state.withValue { state in
            if let session = state.session { return session }
            let session = OwnedSession(state.configuration?() ?? .ephemeral, events: state.events)
            state.session = session
            return session
        }
    }

    private struct State {
        var adapter: Adapter?
        var configuration: Configuration?
        var events = SessionEvents()
        var session: OwnedSession?
    }
}

extension NetworkHooks {
    /// Sends a request once; `timeout` is for the request and the response together, in seconds.
    ///
    /// Fails with `URLError` if no response arrives, or if the response is larger than `limit` bytes.
    package func send(
        _ request: URLRequest,
        timeout: TimeInterval,
        limit: Int = HTTPTask.largestAnswer,
        completion: @escaping HTTPTask.Completion
    ) {
        HTTPTask(through: session(), limit: limit).start(request, timeout: timeout, completion)
    }

    /// Sends a request once and returns the server's response; `timeout` is for the request and
    /// the response together, in seconds.
    ///
    /// Throws `URLError` if no response arrives, and `CancellationError` if the task was cancelled.
    func send(_ request: URLRequest, timeout: TimeInterval) async throws -> (Data, HTTPURLResponse) {
        let task = HTTPTask(through: session(), limit: HTTPTask.largestAnswer)
        return try await withTaskCancellationHandler {
            // A throwing continuation would wrap the error in another error.
            try await withCheckedContinuation { continuation in
                task.start(request, timeout: timeout) { continuation.resume(returning: $0) }
            }.get()
        } onCancel: {
            task.cancel()
        }
    }
}

/// The handlers of a session delegate's calls; a `nil` handler means the default.
///
/// Foundation on Linux reports only password challenges. On Linux, only the system decides whether a server is
/// trusted.
package struct SessionEvents: Sendable {
    /// Receives the decision about a challenge.
    package typealias ChallengeDecision =
        @Sendable (URLSession.AuthChallengeDisposition, URLCredential?) -> Void
    /// Receives the request that follows a redirect; `nil` if the redirect is not followed.
    package typealias RedirectDecision = @Sendable (URLRequest?) -> Void

    /// Handles a URL session's authentication challenge; `nil` means the system's default handling.
    package var challenge:
        (
            @Sendable (
                URLSession, URLSessionTask, URLAuthenticationChallenge, @escaping ChallengeDecision
            ) -> Void
        )?
    /// Decides whether to follow a redirect; by default, no redirect is followed.
    package var redirect:
        (
            @Sendable (
                URLSession, URLSessionTask, HTTPURLResponse, URLRequest, @escaping RedirectDecision
            ) -> Void
        )?

    /// Creates handlers that leave challenges to the system and follow no redirect.
    package init() {}
}
