import Dispatch
package import Foundation
import PushBridgeCore

#if canImport(FoundationNetworking)
package import FoundationNetworking
#endif

/// One request on its way; ends once, with the first of the answer, the time-out and the cancellation.
///
/// Not a task group over `URLSession.data(for:)`, because legacy callers may block every thread that Swift tasks run
/// on until they are called back.
package final class HTTPTask: Sendable {
    /// How a task ended.
    package typealias Outcome = Result<(Data, HTTPURLResponse), any Error>
    /// Takes how a task ended, on a queue of URLSession's or of the system's, and must not block it.
    package typealias Completion = @Sendable (Outcome) -> Void

    /// The largest answer that is taken from a push service, in bytes: theirs are far below.
    package static let largestAnswer = 1 << 20

    private let state: Lock<State>
    private let limit: Int

    init(through session: OwnedSession, limit: Int) {
        state = Lock(State(session: session))
        self.limit = limit
    }

    /// Sends; `timeout` is for the whole exchange, in seconds.
    ///
    /// Foundation on Linux heeds the session's time-out only, and elsewhere one of a pause, not of the whole.
    func start(_ request: URLRequest, timeout: TimeInterval, _ completion: @escaping Completion) {
        let timer = DispatchWorkItem { [weak self] in self?.end(.failure(URLError(.timedOut))) }
        let task: URLSessionDataTask? = state.withValue { state in
            guard let session = state.session else { return nil }
            let task = session.task(for: request, of: self)
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

    /// Adds a part of the response; cancels a response that exceeds the limit.
    fileprivate func take(_ part: Data) {
        let isTooLarge = state.withValue { state in
            state.body.append(part)
            return state.body.count > limit
        }
        if isTooLarge { end(.failure(URLError(.dataLengthExceedsMaximum))) }
    }

    fileprivate func complete(_ response: URLResponse?, _ error: (any Error)?) {
        if let error { return end(.failure(error)) }
        guard let response = response as? HTTPURLResponse else {
            return end(.failure(URLError(.badServerResponse)))
        }
        end(.success((state.withValue(\.body), response)))
    }

    private struct State {
        /// Until the end; a session ends with its last holder.
        var session: OwnedSession?
        var task: URLSessionDataTask?
        var timer: DispatchWorkItem?
        var body = Data()
        var completion: Completion?
    }
}

/// A session that ends with its last holder, so that no request ever meets a session that was ended.
final class OwnedSession: Sendable {
    private let session: URLSession
    private let delegate: SessionDelegate

    /// Creates a session without cookies, cache and credentials, in any configuration.
    init(_ configuration: URLSessionConfiguration, events: SessionEvents) {
        // A cookie jar would override the load balancer's header field, and so reach the wrong node.
        configuration.httpCookieStorage = nil
        configuration.httpShouldSetCookies = false
        configuration.httpCookieAcceptPolicy = .never
        configuration.urlCache = nil
        configuration.urlCredentialStorage = nil
        delegate = SessionDelegate(events)
        session = URLSession(configuration: configuration, delegate: delegate, delegateQueue: nil)
    }

    fileprivate func task(for request: URLRequest, of owner: HTTPTask) -> URLSessionDataTask {
        let task = session.dataTask(with: request)
        delegate.owners.withValue { $0[task.taskIdentifier] = owner }
        return task
    }

    deinit {
        session.finishTasksAndInvalidate()
    }
}

/// Forwards the calls of a session; follows no redirects by default.
private final class SessionDelegate: NSObject, URLSessionDataDelegate {
    /// The tasks under way by their numbers.
    let owners = Lock<[Int: HTTPTask]>([:])
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

    func urlSession(_ session: URLSession, dataTask: URLSessionDataTask, didReceive data: Data) {
        owners.withValue { $0[dataTask.taskIdentifier] }?.take(data)
    }

    func urlSession(_ session: URLSession, task: URLSessionTask, didCompleteWithError error: (any Error)?) {
        owners.withValue { $0.removeValue(forKey: task.taskIdentifier) }?.complete(task.response, error)
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
