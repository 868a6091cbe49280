public import Foundation
import PushBridgeCore
public import PushBridgePlatform

#if canImport(FoundationNetworking)
public import FoundationNetworking
#endif

/// Decides about challenges and redirects of the requests of both APIs; see `setURLSessionConfiguration(config:handler:)`
/// of ``RestClient``.
///
/// Called on URLSession's queue; every method calls its `completionHandler` once. On Linux Foundation asks about
/// passwords only, never whether a server is trusted: certificates cannot be pinned there. Does not refine Foundation's
/// `URLSessionTaskDelegate`, because that is `Sendable`, and the handlers of apps are not.
public protocol FRURLSessionHandlerProtocol: NSObjectProtocol, NonisolatedConformance {
    /// Decides about a challenge to the session; the standard is the system's handling.
    /// - Parameters:
    ///   - session: The session.
    ///   - challenge: The challenge.
    ///   - completionHandler: Receives the decision; call it once, on any thread.
    func urlSession(
        _ session: URLSession,
        didReceive challenge: URLAuthenticationChallenge,
        completionHandler: @escaping (URLSession.AuthChallengeDisposition, URLCredential?) -> Void
    )

    /// Decides about a challenge to a request; by default the method for the session decides.
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

    /// Decides about a redirect; by default none is followed, because requests contain signed answers.
    /// - Parameters:
    ///   - session: The session.
    ///   - task: The request.
    ///   - response: The server's answer, with a status of 300...399.
    ///   - request: The request to the new address.
    ///   - completionHandler: Receives the request to send; `nil` makes the redirect the answer. Call it once, on any
    ///     thread.
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

/// The standard decisions, for an app to override those it takes itself.
///
/// Open, because existing apps pin certificates in a subclass.
open class FRURLSessionHandler: NSObject, FRURLSessionHandlerProtocol {
    /// Creates the standard.
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
    /// Leaves every decision to a handler, which need not be `Sendable`, as no existing one is.
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
            // As URLSession does, and then the other method too: an app may pin certificates in either.
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
    /// Whether URLSession asks the session's method, because the answer holds for the whole connection.
    fileprivate var isOfSession: Bool {
        // By the constants' values, because Foundation on Linux has not all of them.
        ["ServerTrust", "ClientCertificate", "Negotiate", "NTLM"].contains {
            authenticationMethod == "NSURLAuthenticationMethod\($0)"
        }
    }
}
