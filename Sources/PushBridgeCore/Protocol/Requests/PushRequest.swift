public import Foundation

/// One HTTP POST to the push service, ready to send; the address is verbatim from the registration.
///
/// What is sent may be changed by an app's interceptors, for gateways before the server; no one else has reason to.
public struct PushRequest: Equatable, Sendable {
    /// What is asked of the push service.
    public enum Action: String, CaseIterable, Sendable {
        /// Proves possession of the secret and names the device.
        case register
        /// Answers a login.
        case authenticate
        /// Replaces the device token.
        case refresh
    }

    /// One header field.
    public struct Header: Hashable, Sendable {
        /// The field's name.
        public let name: String
        /// The field's value.
        public let value: String

        /// Creates a header field.
        public init(_ name: String, _ value: String) {
            self.name = name
            self.value = value
        }
    }

    /// What is asked.
    public let action: Action
    /// The HTTP method; anything but `POST` is an interceptor's.
    public var method = "POST"
    /// The address.
    public var url: String
    /// The header fields; an API may append its own.
    public var headers: [Header]
    /// The body, JSON with sorted keys.
    public var body: Data

    init(_ action: Action, url: String, body: JSONValue, loadBalancer: String?) {
        self.action = action
        self.url = url
        self.body = body.data
        headers = Self.standardHeaders
        if let loadBalancer, !loadBalancer.isEmpty, loadBalancer.isHeaderValue {
            headers.append(Header("Cookie", loadBalancer))
        }
    }

    private static let standardHeaders = [
        Header("accept-api-version", "resource=1.0, protocol=1.0"),
        Header("Content-Type", "application/json"),
    ]
}

extension PushRequest: CustomStringConvertible, CustomReflectable {
    /// The action and the size, never the cookie, the device token or the signature.
    public var description: String { "PushRequest(\(action.rawValue), \(body.count) bytes)" }
    /// An empty mirror, so that `dump` finds nothing to show.
    public var customMirror: Mirror { Mirror(self, children: []) }
}
