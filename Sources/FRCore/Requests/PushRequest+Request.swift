import Foundation
import PushBridgeCore
import PushBridgePlatform

extension Request {
    /// A push request as interceptors see it.
    convenience init(_ push: PushRequest, timeout: TimeInterval) {
        self.init(
            url: push.url,
            method: HTTPMethod(rawValue: push.method) ?? .POST,
            headers: Dictionary(push.headers.map { ($0.name, $0.value) }) { _, last in last },
            bodyParams: Self.members(of: push.body),
            timeoutInterval: timeout
        )
    }

    private static func members(of body: Data) -> [String: Any] {
        do {
            return try JSONSerialization.jsonObject(with: body) as? [String: Any] ?? [:]
        } catch {
            return [:]
        }
    }
}

extension Action {
    /// What a push request is for.
    convenience init(_ action: PushRequest.Action) {
        switch action {
        case .register: self.init(type: .PUSH_REGISTER)
        case .authenticate: self.init(type: .PUSH_AUTHENTICATE)
        case .refresh: self.init(type: .PUSH_UPDATE)
        }
    }
}

extension PushRequest {
    /// Becomes what interceptors made of it; what they left alone keeps its bytes.
    mutating func adopt(_ changed: Request, insteadOf original: Request) throws(PushTransportError) {
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

    /// What is left of the fields in their order, and then what is new.
    private func headers(replacedBy changed: [String: String]) -> [Header] {
        let known = headers.compactMap { header in changed[header.name].map { Header(header.name, $0) } }
        let names = Set(known.map(\.name))
        let new = changed.filter { !names.contains($0.key) }.sorted { $0.key < $1.key }
        return known + new.map { Header($0.key, $0.value) }
    }
}
