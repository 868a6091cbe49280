// swift-format-ignore-file
// A stand-in for the legacy SDK's module. It suffices, because a symbol's USR does not depend on the module's build.
public class Log {
    public static func i(_ message: String) {}
}

public struct Request {
    public enum HTTPMethod: String, Sendable {
        case GET, POST
    }

    public let url: String
    public private(set) var headers: [String: String] = [:]
    public init(url: String, method: HTTPMethod) { self.url = url }
    public mutating func updateHeader(headers: [String: String]) { self.headers = headers }
}

public struct Action {
    public let type: String
}

public protocol RequestInterceptor {
    func intercept(request: Request, action: Action) -> Request
}

public protocol FRError: Error {}

extension String {
    public func base64Encoded() -> String? { nil }
    public var isValidUrl: Bool { true }
}
