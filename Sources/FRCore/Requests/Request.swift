public import Foundation

/// A request as interceptors see it and as ``RestClient`` sends it.
public final class Request: NSObject {
    /// The HTTP methods.
    public enum HTTPMethod: String, Sendable {
        /// Reads.
        case GET
        /// Sends; the method of all push requests.
        case POST
        /// Replaces.
        case PUT
        /// Removes.
        case DELETE
    }

    /// How a body is encoded.
    public enum ContentType: String, Sendable {
        /// Text; sent like a form.
        case plainText = "text/plain"
        /// A JSON object.
        case json = "application/json"
        /// An encoded form.
        case urlEncoded = "application/x-www-form-urlencoded"
    }

    /// The time-out of the legacy API, in seconds.
    public static let standardTimeout = 60.0

    /// The address; may hold a query.
    public let url: String
    /// The HTTP method.
    public let method: HTTPMethod
    /// The header fields.
    public private(set) var headers: [String: String]
    /// The members of the body, untyped because interceptors read and change them so.
    public let bodyParams: [String: Any]
    /// Query items that are added to those of the address.
    public let urlParams: [String: String]
    /// How the body is encoded.
    public let requestType: ContentType
    /// What the answer is expected to be.
    public let responseType: ContentType
    /// The longest the request may take, in seconds.
    public let timeoutInterval: Double

    /// Creates a request; nothing is checked before ``build()``.
    ///
    /// More parameters than usual here: interceptors of the legacy API copy requests with this initialiser.
    public init(
        url: String,
        method: HTTPMethod,
        headers: [String: String] = [:],
        bodyParams: [String: Any] = [:],
        urlParams: [String: String] = [:],
        requestType: ContentType = .json,
        responseType: ContentType = .json,
        timeoutInterval: Double = Request.standardTimeout
    ) {
        self.url = url
        self.method = method
        self.headers = headers
        self.bodyParams = bodyParams
        self.urlParams = urlParams
        self.requestType = requestType
        self.responseType = responseType
        self.timeoutInterval = timeoutInterval
    }

    /// Sets header fields, replacing those of the same name in any case, and returns the request itself.
    @discardableResult
    public func updateHeader(headers: [String: String]) -> Request {
        let replaced = Set(headers.keys.map { $0.lowercased() })
        self.headers = self.headers.filter { !replaced.contains($0.key.lowercased()) }
            .merging(headers) { _, new in new }
        return self
    }

    /// The method and the address without its query, never a header or the body.
    override public var description: String {
        "\(method.rawValue) \(url.prefix { $0 != "?" && $0 != "#" })"
    }

    /// The same as ``description``.
    override public var debugDescription: String { description }
}

extension Request: CustomReflectable {
    /// An empty mirror, so that `dump` finds nothing to show.
    public var customMirror: Mirror { Mirror(self, children: []) }
}
