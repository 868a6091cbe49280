import Dispatch
package import Foundation
import PushBridgeCore

#if canImport(FoundationNetworking)
package import FoundationNetworking
#endif

/// One request on its way; ends once, with whatever comes first: the answer, the time-out or the cancelling.
///
/// Not a task group over `URLSession.data(for:)`, because legacy callers may block every thread that Swift tasks run
/// on until they are called back.
package final class HTTPTask: Sendable {
    /// How a task ended.
    package typealias Outcome = Result<(Data, HTTPURLResponse), any Error>
    /// Takes how a task ended, on a queue of URLSession's or of the system's, and must not block it.
    package typealias Completion = @Sendable (Outcome) -> Void

    private let state: Lock<State>

    init(through session: OwnedSession) {
        state = Lock(State(session: session))
    }

    /// Sends; `timeout` is for the whole exchange, in seconds.
    ///
    /// Foundation on Linux heeds the session's time-out only, and elsewhere one of a pause, not of the whole.
    func start(_ request: URLRequest, timeout: TimeInterval, _ completion: @escaping Completion) {
        let timer = DispatchWorkItem { [weak self] in self?.end(.failure(URLError(.timedOut))) }
        let task: URLSessionDataTask? = state.withValue { state in
            guard let session = state.session else { return nil }
            let task = session.session.dataTask(with: request) { body, response, error in
                self.end(Self.outcome(body, response, error))
            }
            (state.task, state.timer, state.completion) = (task, timer, completion)
            return task
        }
        guard let task else { return completion(.failure(CancellationError())) }
        // Far in the future, Dispatch would take the deadline for one that passed.
        let limit = timeout < 86_400 ? max(0, timeout) : 86_400
        DispatchQueue.global().asyncAfter(deadline: .now() + limit, execute: timer)
        task.resume()
    }

    /// Ends the task with `CancellationError`, or keeps it from beginning.
    ///
    /// `URLError.cancelled` is something else: there a session's handler refused a challenge.
    package func cancel() {
        end(.failure(CancellationError()))
    }

    private func end(_ outcome: Outcome) {
        let ended = state.withValue { state in
            defer { state = State() }
            return state
        }
        ended.timer?.cancel()
        ended.task?.cancel()
        ended.completion?(outcome)
    }

    private static func outcome(_ body: Data?, _ response: URLResponse?, _ error: (any Error)?) -> Outcome {
        if let error { return .failure(error) }
        guard let response = response as? HTTPURLResponse else {
            return .failure(URLError(.badServerResponse))
        }
        return .success((body ?? Data(), response))
    }

    private struct State {
        /// Until the end; a session ends with its last holder.
        var session: OwnedSession?
        var task: URLSessionDataTask?
        var timer: DispatchWorkItem?
        var completion: Completion?
    }
}

/// A session that ends with its last holder, so that no request ever meets a session that was ended.
final class OwnedSession: Sendable {
    let session: URLSession

    /// Makes a session that keeps no cookie, no cache and no credential, whatever the configuration says.
    init(_ configuration: URLSessionConfiguration, events: SessionEvents) {
        // A cookie jar would override the load balancer's header field, and so reach the wrong node.
        configuration.httpCookieStorage = nil
        configuration.httpShouldSetCookies = false
        configuration.httpCookieAcceptPolicy = .never
        configuration.urlCache = nil
        configuration.urlCredentialStorage = nil
        session = URLSession(
            configuration: configuration,
            delegate: SessionDelegate(events),
            delegateQueue: nil
        )
    }

    deinit {
        session.finishTasksAndInvalidate()
    }
}

/// Passes on what a session asks; stays where it was sent unless told otherwise.
private final class SessionDelegate: NSObject, URLSessionTaskDelegate {
    private let events: SessionEvents

    init(_ events: SessionEvents) {
        self.events = events
    }

    func urlSession(
        _ session: URLSession,
        task: URLSessionTask,
        willPerformHTTPRedirection response: HTTPURLResponse,
        newRequest request: URLRequest,
        completionHandler: @escaping @Sendable (URLRequest?) -> Void
    ) {
        guard let decide = events.redirect else { return completionHandler(nil) }
        decide(session, task, response, request, completionHandler)
    }

    func urlSession(
        _ session: URLSession,
        task: URLSessionTask,
        didReceive challenge: URLAuthenticationChallenge,
        completionHandler: @escaping @Sendable (URLSession.AuthChallengeDisposition, URLCredential?) -> Void
    ) {
        guard let decide = events.challenge else { return completionHandler(.performDefaultHandling, nil) }
        decide(session, task, challenge, completionHandler)
    }
}
