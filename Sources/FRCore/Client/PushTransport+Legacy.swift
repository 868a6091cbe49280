import Foundation
package import PushBridgeCore
package import PushBridgePlatform

#if canImport(FoundationNetworking)
import FoundationNetworking
#endif

extension PushTransport {
    /// Sends a push request as the legacy API does, and calls `completion` once on a background queue: with `nil` if
    /// the server accepted, else with why not.
    package func invoke(
        _ request: PushRequest,
        hooks: NetworkHooks = .shared,
        completion: @escaping (NetworkError?) -> Void
    ) {
        let report = { (outcome: Swift.Result<PushResponse, any Error>) in
            completion(NetworkError(outcome, of: request))
        }
        deliver(
            request.withLegacyHeaders,
            timeout: Request.standardTimeout,
            hooks: hooks,
            completion: report
        )
    }
}

extension NetworkError {
    /// Why a push request did not succeed; `nil` if it did.
    init?(_ outcome: Swift.Result<PushResponse, any Error>, of request: PushRequest) {
        switch outcome {
        case .success(let response):
            do {
                try response.accepted()
                return nil
            } catch {
                self = .apiRequestFailure(response.body, response.urlResponse(to: request), nil)
            }
        case .failure(PushTransportError.invalidAddress): self = .invalidRequest("Its address is none.")
        case .failure(PushTransportError.invalidRequest):
            self = .invalidRequest("An interceptor made it one that cannot be sent.")
        case .failure(let error as PushTransportError): self = .apiRequestFailure(nil, nil, error.urlError)
        case .failure(let error): self = .apiRequestFailure(nil, nil, error)
        }
    }
}

extension PushResponse {
    fileprivate func urlResponse(to request: PushRequest) -> URLResponse? {
        URL(string: request.url).flatMap {
            HTTPURLResponse(url: $0, statusCode: status, httpVersion: "HTTP/1.1", headerFields: nil)
        }
    }
}
