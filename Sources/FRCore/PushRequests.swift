import Foundation
package import PushBridgeCore
package import PushBridgePlatform

#if canImport(FoundationNetworking)
import FoundationNetworking
#endif

extension PushTransport {
    /// Performs an operation with the legacy API's headers and time-out.
    ///
    /// See ``PushTransport/perform(_:timeout:hooks:preparing:completion:)``.
    package func invoke<Operation: PushOperation>(
        _ operation: Operation,
        hooks: NetworkHooks = .shared,
        providerName: String? = nil,
        completion: @escaping (Swift.Result<Operation, PushFailure>) -> Void
    ) {
        perform(
            operation,
            timeout: Request.standardTimeout,
            hooks: hooks,
            preparing: { request in
                request = request.withLegacyHeaders
                request.providerName = providerName
            },
            completion: completion
        )
    }
}

extension PushFailure {
    /// The error that callers of the legacy API receive: a ``NetworkError`` or, if the server did not respond, a
    /// `URLError`.
    package var networkError: any Error {
        switch self {
        case .refused(_, let response, to: let request):
            NetworkError.apiRequestFailure(response.body, response.urlResponse(to: request), nil)
        case .unanswered(let cause), .failed(let cause):
            switch cause {
            case PushTransportError.invalidAddress: NetworkError.invalidRequest("The address is invalid.")
            case PushTransportError.invalidRequest:
                NetworkError.invalidRequest("An interceptor made the request invalid.")
            case let error as PushTransportError: error.urlError
            case is URLError: cause
            default: NetworkError.apiRequestFailure(nil, nil, cause)
            }
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

/// The header fields that the legacy API sends in addition to the header fields of the protocol.
package enum LegacyHeaders {
    static let all = [
        "Accept": "application/json",
        "x-requested-with": "forgerock-sdk",
        "x-requested-platform": "ios",
    ]
}

extension PushRequest {
    /// The request as the legacy API sends it.
    fileprivate var withLegacyHeaders: PushRequest {
        var request = self
        request.headers += LegacyHeaders.all.sorted { $0.key < $1.key }.map { Header($0.key, $0.value) }
        return request
    }
}

extension Request {
    /// Creates the request that interceptors receive for a push request.
    init(_ push: PushRequest, timeout: TimeInterval) {
        self.init(
            url: push.url,
            method: HTTPMethod(rawValue: push.method) ?? .POST,
            headers: Dictionary(push.headers.map { ($0.name, $0.value) }) { _, last in last },
            bodyParams: Response.members(of: push.body) ?? [:],
            timeoutInterval: timeout
        )
    }
}

extension Action {
    /// Creates the action of a push request.
    init(_ request: PushRequest) {
        let provider = request.providerName.map { ["providerName": $0] }
        switch request.action {
        case .register: self.init(type: .PUSH_REGISTER, payload: provider)
        case .authenticate: self.init(type: .PUSH_AUTHENTICATE)
        case .refresh: self.init(type: .PUSH_UPDATE, payload: provider)
        case .unregister: self.init(type: .LOGOUT)
        }
    }
}

extension PushRequest {
    /// Applies the changes that interceptors made.
    ///
    /// Unchanged parts keep their bytes.
    mutating func adopt(_ changed: Request, insteadOf original: Request) throws(PushTransportError) {
        var changed = changed
        guard let address = changed.address else { throw .invalidAddress }
        guard let newBody = changed.jsonOrFormBody else { throw .invalidRequest }
        if newBody != original.jsonOrFormBody { body = newBody }
        url = changed.urlParams.isEmpty ? changed.url : address.absoluteString
        method = changed.method.rawValue
        if changed.requestType != .json {
            changed.updateHeader(headers: ["Content-Type": changed.requestType.rawValue])
        }
        headers = headers(replacedBy: changed.headers)
    }

    /// Returns the existing fields that remain, in their order and with their new values, followed by the new fields.
    private func headers(replacedBy changed: [String: String]) -> [Header] {
        let known = headers.compactMap { header in changed[header.name].map { Header(header.name, $0) } }
        let names = Set(known.map(\.name))
        let new = changed.filter { !names.contains($0.key) }.sorted { $0.key < $1.key }
        return known + new.map { Header($0.key, $0.value) }
    }
}
