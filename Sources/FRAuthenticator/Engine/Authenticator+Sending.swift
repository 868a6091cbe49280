import AuthenticatorCore
import AuthenticatorNetwork
import FRCore
import Foundation

#if canImport(FoundationNetworking)
import FoundationNetworking
#endif

extension Authenticator {
    /// Sends a request and returns once the server accepted it; throws `NetworkError` elsewhere.
    func send(_ request: PushRequest) async throws {
        let response = try await answer(to: request)
        do {
            try response.accepted()
        } catch {
            throw NetworkError.apiRequestFailure(response.body, response.inFoundation(of: request), error)
        }
    }

    private func answer(to request: PushRequest) async throws -> PushResponse {
        do {
            return try await configuration.transport.send(
                request.withLegacyHeaders,
                timeout: configuration.timeout
            )
        } catch PushTransportError.invalidAddress {
            throw NetworkError.invalidRequest(PushTransportError.invalidAddress.reason)
        } catch {
            throw NetworkError.apiRequestFailure(nil, nil, error)
        }
    }
}

extension PushResponse {
    fileprivate func inFoundation(of request: PushRequest) -> URLResponse? {
        URL(string: request.url).flatMap {
            HTTPURLResponse(url: $0, statusCode: status, httpVersion: nil, headerFields: nil)
        }
    }
}
