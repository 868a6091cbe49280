public import Foundation
import PushBridgeCore
public import PushBridgePlatform

#if canImport(FoundationNetworking)
public import FoundationNetworking
#endif

/// Handles authentication challenges and redirects of both APIs' requests; see
/// `setURLSessionConfiguration(config:handler:)` of ``RestClient``.
///
/// Called on URLSession's queue; every method must call its `completionHandler` once. On Linux Foundation has only
/// password challenges and none for server trust, so certificates cannot be pinned. The protocol does not refine
/// Foundation's `URLSessionTaskDelegate`, because that is `Sendable`, and the handlers of apps are not.
public protocol FRURLSessionHandlerProtocol: NSObjectProtocol, NonisolatedConformance {
    /// Handles an authentication challenge of the session; by default the system handles it.
    /// - Parameters:
    ///   - session: The session.
    ///   - challenge: The challenge.
    ///   - completionHandler: Receives the decision; call it once, on any thread.
    func urlSession(
        _ session: URLSession,
        didReceive challenge: URLAuthenticationChallenge,
        completionHandler: @escaping (URLSession.AuthChallengeDisposition, URLCredential?) -> Void
    )

    /// Handles an authentication challenge of a request; by default calls the method for the session.
    /// - Parameters:
    ///   - session: The session.
    ///   - task: The request.
    ///   - challenge: The challenge.
    ///   - completionHandler: Receives the decision; call it once, on any thread.
    func urlSession(
        _ session: URLSession,
        task: URLSessionTask,
        didReceive challenge: URLAuthenticationChallenge,
        completionHandler: @escaping (URLSession.AuthChallengeDisposition, URLCredential?) -> Void
    )

    /// Handles a redirect; by default none is followed, because requests contain signed answers.
    /// - Parameters:
    ///   - session: The session.
    ///   - task: The request.
    ///   - response: The server's answer, with a status of 300...399.
    ///   - request: The request to the new address.
    ///   - completionHandler: Receives the request to send; with `nil`, the redirect is the response. Call it once, on
    ///     any thread.
    func urlSession(
        _ session: URLSession,
        task: URLSessionTask,
        willPerformHTTPRedirection response: HTTPURLResponse,
        newRequest request: URLRequest,
        completionHandler: @escaping (URLRequest?) -> Void
    )
}

extension FRURLSessionHandlerProtocol {
    /// Leaves the challenge to the system.
    public func urlSession(
        _ session: URLSession,
        didReceive challenge: URLAuthenticationChallenge,
        completionHandler: @escaping (URLSession.AuthChallengeDisposition, URLCredential?) -> Void
    ) {
        completionHandler(.performDefaultHandling, nil)
    }

    /// Asks the method for the session.
    public func urlSession(
        _ session: URLSession,
        task: URLSessionTask,
        didReceive challenge: URLAuthenticationChallenge,
        completionHandler: @escaping (URLSession.AuthChallengeDisposition, URLCredential?) -> Void
    ) {
        urlSession(session, didReceive: challenge, completionHandler: completionHandler)
    }

    /// Follows no redirect: the server's answer is the redirect itself.
    public func urlSession(
        _ session: URLSession,
        task: URLSessionTask,
        willPerformHTTPRedirection response: HTTPURLResponse,
        newRequest request: URLRequest,
        completionHandler: @escaping (URLRequest?) -> Void
    ) {
        completionHandler(nil)
    }
}

/// The default handling, whose methods an app can override.
///
/// The class is open, because existing apps pin certificates in a subclass.
open class FRURLSessionHandler: NSObject, FRURLSessionHandlerProtocol {
    /// Creates a handler.
    override public init() {}

    /// Leaves the challenge to the system.
    open func urlSession(
        _ session: URLSession,
        didReceive challenge: URLAuthenticationChallenge,
        completionHandler: @escaping (URLSession.AuthChallengeDisposition, URLCredential?) -> Void
    ) {
        completionHandler(.performDefaultHandling, nil)
    }

    /// Asks the method for the session.
    open func urlSession(
        _ session: URLSession,
        task: URLSessionTask,
        didReceive challenge: URLAuthenticationChallenge,
        completionHandler: @escaping (URLSession.AuthChallengeDisposition, URLCredential?) -> Void
    ) {
        urlSession(session, didReceive: challenge, completionHandler: completionHandler)
    }

    /// Follows no redirect: the server's answer is the redirect itself.
    open func urlSession(
        _ session: URLSession,
        task: URLSessionTask,
        willPerformHTTPRedirection response: HTTPURLResponse,
        newRequest request: URLRequest,
        completionHandler: @escaping (URLRequest?) -> Void
    ) {
        completionHandler(nil)
    }
}

extension SessionEvents {
    /// Passes every challenge and redirect to a handler, which need not be `Sendable`, because existing handlers are
    /// not.
    package init(_ handler: any FRURLSessionHandlerProtocol) {
        self.init()
        let handler = Lock(handler)
        challenge = { session, task, challenge, decide in
            let handler = handler.withValue { $0 }
            guard challenge.protectionSpace.isOfSession else {
                return handler.urlSession(
                    session,
                    task: task,
                    didReceive: challenge,
                    completionHandler: decide
                )
            }
            // URLSession calls only the session's method. The task's method is called too, because an app may pin
            // certificates in it.
            handler.urlSession(session, didReceive: challenge) { disposition, credential in
                guard disposition == .performDefaultHandling else { return decide(disposition, credential) }
                handler.urlSession(
                    session,
                    task: task,
                    didReceive: challenge,
                    completionHandler: decide
                )
            }
        }
        redirect = { session, task, response, request, decide in
            handler.withValue { $0 }.urlSession(
                session,
                task: task,
                willPerformHTTPRedirection: response,
                newRequest: request,
                completionHandler: decide
            )
        }
    }
}

extension URLProtectionSpace {
    /// Whether URLSession calls the session's method, because the decision applies to the whole connection.
    fileprivate var isOfSession: Bool {
        // Compares the constants' values, because Foundation on Linux lacks some of the constants.
        ["ServerTrust", "ClientCertificate", "Negotiate", "NTLM"].contains {
            authenticationMethod == "NSURLAuthenticationMethod\($0)"
        }
    }
}
