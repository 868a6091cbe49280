public import Foundation
public import PushBridgeCore

#if canImport(FoundationNetworking)
import FoundationNetworking
#endif

/// Sends through a `URLSession` that keeps no cookie, no cache and no credential, and follows no redirect.
///
/// An app may configure that session, and decide about challenges and redirects, for all requests of the process:
/// see `RestClient` of FRCore.
public final class URLSessionTransport: PushTransport {
    let hooks: NetworkHooks

    /// Sends through the session of the process.
    public init() {
        hooks = .shared
    }

    /// Sends through the session of `hooks`.
    package init(hooks: NetworkHooks) {
        self.hooks = hooks
    }

    /// Sends a request once; `timeout` is for the whole exchange.
    public func send(_ request: PushRequest, timeout: TimeInterval) async throws -> PushResponse {
        let call = try Self.call(request, timeout: timeout)
        do {
            let (body, response) = try await hooks.exchange(call, timeout: timeout)
            return PushResponse(status: response.statusCode, body: body)
        } catch let error as URLError {
            throw PushTransportError(error)
        }
    }

    static func call(_ request: PushRequest, timeout: TimeInterval) throws -> URLRequest {
        guard let url = URL(string: request.url), url.host?.isEmpty == false else {
            throw PushTransportError.invalidAddress
        }
        var call = URLRequest(url: url, timeoutInterval: timeout)
        call.httpMethod = request.method
        if request.method != "GET" { call.httpBody = request.body }
        call.httpShouldHandleCookies = false
        for header in request.headers { call.setValue(header.value, forHTTPHeaderField: header.name) }
        return call
    }
}
