import Dispatch
package import Foundation
import PushBridgeCore

#if canImport(FoundationNetworking)
package import FoundationNetworking
#endif

/// One request in flight.
///
/// The task ends once: with a response, an error, the time-out or a cancellation, whichever comes first.
///
/// The task does not use a task group with `URLSession.data(for:)`, because legacy callers may block all of
/// Swift's task threads until their callback is called.
package final class HTTPTask: Sendable {
    /// The outcome of a request.
    package typealias Outcome = Result<(Data, HTTPURLResponse), any Error>
    /// Receives the outcome on a queue of URLSession or of the system, or on the thread that starts or cancels the
    /// task; the handler must not block.
    package typealias Completion = @Sendable (Outcome) -> Void

    /// The maximum size of a push service's response, in bytes; typical responses are far smaller.
    package static let largestAnswer = 1 << 20

    private let state: Lock<State>
    private let limit: Int

    init(through session: OwnedSession, limit: Int) {
        state = Lock(State(session: session))
        self.limit = limit
    }

    /// Sends the request; `timeout` is for the whole exchange, in seconds.
    ///
    /// On Linux, Foundation uses only the session's time-out. On other platforms, the time-out of a request
    /// applies to a pause in the exchange, not to the whole exchange. So the task has its own timer.
    func start(_ request: URLRequest, timeout: TimeInterval, _ completion: @escaping Completion) {
        let timer = DispatchWorkItem { [weak self] in self?.end(.failure(URLError(.timedOut))) }
        let task: URLSessionDataTask? = state.withValue { state in
            guard let session = state.session else { return nil }
            let task = session.task(for: request, of: self)
            (state.task, state.timer, state.completion) = (task, timer, completion)
            return task
        }
        guard let task else { return completion(.failure(CancellationError())) }
        // If the deadline were too far in the future, Dispatch would treat it as past.
        let limit = timeout < 86_400 ? max(0, timeout) : 86_400
        DispatchQueue.global().asyncAfter(deadline: .now() + limit, execute: timer)
        task.resume()
    }

    /// Ends the task with `CancellationError`, or prevents its start.
    ///
    /// `URLError.cancelled` has a different meaning: the session's handler rejected an authentication challenge.
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

    /// Adds a part of the response; ends the task with an error if the response exceeds the limit.
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
        /// The session, until the task ends; a session is invalidated when its last reference is released.
        var session: OwnedSession?
        var task: URLSessionDataTask?
        var timer: DispatchWorkItem?
        var body = Data()
        var completion: Completion?
    }
}

/// A session that is invalidated when its last reference is released, so that no request uses an invalidated
/// session.
final class OwnedSession: Sendable {
    private let session: URLSession
    private let delegate: SessionDelegate

    /// Creates a session without cookie storage, cache or credential storage, even if the configuration
    /// specifies them.
    init(_ configuration: URLSessionConfiguration, events: SessionEvents) {
        // Cookie storage would replace the request's own cookie for the load balancer, so the request would
        // reach the wrong server of a cluster.
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

/// Forwards the delegate calls of a session; follows no redirects by default.
private final class SessionDelegate: NSObject, URLSessionDataDelegate {
    /// The tasks in flight, by their identifiers.
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
