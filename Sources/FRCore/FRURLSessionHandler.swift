public import Foundation
import PushBridgeCore
public import PushBridgePlatform

#if canImport(FoundationNetworking)
public import FoundationNetworking
#endif

/// Handles the authentication challenges and the redirects of the requests that both APIs send.
///
/// Pass a handler to `setURLSessionConfiguration(config:handler:)` of ``RestClient``.
///
/// The methods are called on URLSession's queue. Each method must call its `completionHandler` once. On Linux,
/// Foundation has password challenges but no challenges for server trust, so certificates cannot be pinned. The
/// protocol does not inherit from Foundation's `URLSessionTaskDelegate`, which is `Sendable`, because the handlers
/// of existing apps are not `Sendable`.
public protocol FRURLSessionHandlerProtocol: NSObjectProtocol, NonisolatedConformance {
    /// Handles an authentication challenge of the session.
    ///
    /// By default, the system handles the challenge.
    /// - Parameters:
    ///   - session: The session.
    ///   - challenge: The challenge.
    ///   - completionHandler: Receives the decision. Call this closure once, on any thread.
    func urlSession(
        _ session: URLSession,
        didReceive challenge: URLAuthenticationChallenge,
        completionHandler: @escaping (URLSession.AuthChallengeDisposition, URLCredential?) -> Void
    )

    /// Handles an authentication challenge of a request.
    ///
    /// By default, the method for the session is called.
    /// - Parameters:
    ///   - session: The session.
    ///   - task: The request.
    ///   - challenge: The challenge.
    ///   - completionHandler: Receives the decision. Call this closure once, on any thread.
    func urlSession(
        _ session: URLSession,
        task: URLSessionTask,
        didReceive challenge: URLAuthenticationChallenge,
        completionHandler: @escaping (URLSession.AuthChallengeDisposition, URLCredential?) -> Void
    )

    /// Handles a redirect.
    ///
    /// By default, no redirect is followed, because requests contain signed answers.
    /// - Parameters:
    ///   - session: The session.
    ///   - task: The request.
    ///   - response: The server's response, whose status is 300...399.
    ///   - request: The request to the new address.
    ///   - completionHandler: Receives the request to send. With `nil`, the redirect itself is the response.
    ///     Call this closure once, on any thread.
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

    /// Calls the method for the session.
    public func urlSession(
        _ session: URLSession,
        task: URLSessionTask,
        didReceive challenge: URLAuthenticationChallenge,
        completionHandler: @escaping (URLSession.AuthChallengeDisposition, URLCredential?) -> Void
    ) {
        urlSession(session, didReceive: challenge, completionHandler: completionHandler)
    }

    /// Follows no redirect; the redirect itself is the response.
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

/// Handles challenges and redirects in the default way; an app can override the methods.
///
/// The class is open because existing apps pin certificates in a subclass.
open class FRURLSessionHandler: NSObject, FRURLSessionHandlerProtocol {
    /// Creates a handler that leaves challenges to the system and follows no redirect.
    override public init() {}

    /// Leaves the challenge to the system.
    open func urlSession(
        _ session: URLSession,
        didReceive challenge: URLAuthenticationChallenge,
        completionHandler: @escaping (URLSession.AuthChallengeDisposition, URLCredential?) -> Void
    ) {
        completionHandler(.performDefaultHandling, nil)
    }

    /// Calls the method for the session.
    open func urlSession(
        _ session: URLSession,
        task: URLSessionTask,
        didReceive challenge: URLAuthenticationChallenge,
        completionHandler: @escaping (URLSession.AuthChallengeDisposition, URLCredential?) -> Void
    ) {
        urlSession(session, didReceive: challenge, completionHandler: completionHandler)
    }

    /// Follows no redirect; the redirect itself is the response.
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
    /// Passes every challenge and redirect to a handler.
    ///
    /// The handler does not have to be `Sendable`, because the handlers of existing apps are not `Sendable`.
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
            // URLSession calls only the method for the session. If that method leaves the challenge to the system,
            // the method for the task is called as well, because an app may pin certificates there.
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
    /// Whether URLSession passes the challenge only to the method for the session, because the decision applies to
    /// the whole connection.
    fileprivate var isOfSession: Bool {
        // The values of the constants are compared, because Foundation on Linux lacks some of the constants.
        ["ServerTrust", "ClientCertificate", "Negotiate", "NTLM"].contains {
            authenticationMethod == "NSURLAuthenticationMethod\($0)"
        }
    }
}
