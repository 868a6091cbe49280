import Foundation

#if canImport(FoundationNetworking)
import FoundationNetworking
#endif

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
