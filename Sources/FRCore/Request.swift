public import Foundation
package import PushBridgeCore

#if canImport(FoundationNetworking)
public import FoundationNetworking
#endif

/// A request that interceptors receive and ``RestClient`` sends.
public struct Request {
    /// The HTTP methods.
    public enum HTTPMethod: String, Sendable {
        /// Reads a resource.
        case GET
        /// Sends data.
        ///
        /// All push requests use this method.
        case POST
        /// Replaces a resource.
        case PUT
        /// Removes a resource.
        case DELETE
    }

    /// The encoding of a body.
    public enum ContentType: String, Sendable {
        /// Text, which is encoded like a form.
        case plainText = "text/plain"
        /// A JSON object.
        case json = "application/json"
        /// An encoded form.
        case urlEncoded = "application/x-www-form-urlencoded"
    }

    /// The time-out of the legacy API, in seconds.
    package static let standardTimeout = 60.0

    /// The address, which may contain a query.
    public let url: String
    /// The HTTP method.
    public let method: HTTPMethod
    /// The header fields.
    public private(set) var headers: [String: String]
    /// The members of the body.
    ///
    /// They are untyped because existing interceptors expect untyped values.
    public let bodyParams: [String: Any]
    /// Query items that are added to the query of the address.
    public let urlParams: [String: String]
    /// The encoding of the body.
    public let requestType: ContentType
    /// The expected type of the response.
    ///
    /// With `nil`, ``build()`` sets the header field `Accept` to `application/json`, unless ``headers`` contains it.
    public let responseType: ContentType?
    /// The time-out of the request, in seconds.
    public let timeoutInterval: TimeInterval

    /// Creates a request.
    ///
    /// The values are not checked before ``build()`` is called.
    ///
    /// The initialiser has so many parameters because interceptors of the legacy API copy requests with it.
    /// - Parameters:
    ///   - url: The address (RFC 3986), with the scheme `http` or `https`. It may contain a query.
    ///   - method: The HTTP method.
    ///   - headers: The header fields.
    ///   - bodyParams: The members of the body.
    ///   - urlParams: Query items that are added to the query of the address.
    ///   - requestType: How the body is encoded.
    ///   - responseType: The expected type of the response. With `nil`, the header field `Accept` is
    ///     `application/json`, unless `headers` contains it.
    ///   - timeoutInterval: The time-out of the request, in seconds.
    public init(
        url: String,
        method: HTTPMethod,
        headers: [String: String] = [:],
        bodyParams: [String: Any] = [:],
        urlParams: [String: String] = [:],
        requestType: ContentType = .json,
        responseType: ContentType? = .json,
        timeoutInterval: TimeInterval = 60
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

    /// Sets header fields.
    ///
    /// Fields that have the same name, regardless of case, are replaced.
    /// - Parameter headers: The values of the header fields by their names.
    public mutating func updateHeader(headers: [String: String]) {
        let replaced = Set(headers.keys.map { $0.lowercased() })
        self.headers = self.headers.filter { !replaced.contains($0.key.lowercased()) }
            .merging(headers) { _, new in new }
    }
}

extension Request: CustomStringConvertible, Concealed {
    /// The method, and the address without its query.
    ///
    /// The description never contains a header field or the body.
    public var description: String {
        "\(method.rawValue) \(url.prefix { $0 != "?" && $0 != "#" })"
    }
}

extension Request {
    /// Creates the request that URLSession sends.
    ///
    /// The method adds the header fields that the legacy API sends with every request, unless the request
    /// already contains them.
    /// - Returns: The request, or `nil` if the address is not an HTTP address or if the body cannot be
    ///   encoded.
    public func build() -> URLRequest? {
        let hasBody = method != .GET && !(method == .DELETE && bodyParams.isEmpty)
        let body = hasBody ? jsonOrFormBody : nil
        guard let address, body != nil || !hasBody else { return nil }
        var request = URLRequest(url: address, timeoutInterval: timeoutInterval)
        request.httpMethod = method.rawValue
        request.httpShouldHandleCookies = false
        for (name, value) in LegacyHeaders.all { request.setValue(value, forHTTPHeaderField: name) }
        request.setValue(requestType.rawValue, forHTTPHeaderField: "Content-Type")
        if let responseType { request.setValue(responseType.rawValue, forHTTPHeaderField: "Accept") }
        if hasBody { request.httpBody = body }
        for (name, value) in headers { request.setValue(value, forHTTPHeaderField: name) }
        return request
    }

    /// The address with the added query items; `nil` if it is not an HTTP address.
    ///
    /// The other characters of the address do not change.
    var address: URL? { URL(web: urlParams.isEmpty ? url : urlWithParams) }

    private var urlWithParams: String {
        let fragment = url.drop { $0 != "#" }
        let base = url.dropLast(fragment.count)
        let separator = base.contains("?") ? "&" : "?"
        return base + separator + Self.form(urlParams) + fragment
    }

    /// The encoded body, or `nil` if the body has to be JSON and cannot be encoded.
    var jsonOrFormBody: Data? {
        guard requestType == .json else {
            return Data(Self.form(bodyParams.mapValues { "\($0)" }).utf8)
        }
        guard JSONSerialization.isValidJSONObject(bodyParams) else { return nil }
        do {
            return try JSONSerialization.data(
                withJSONObject: bodyParams,
                options: [.sortedKeys, .withoutEscapingSlashes]
            )
        } catch {
            Log.e("The body of \(description) cannot be encoded.")
            return nil
        }
    }

    private static func form(_ values: [String: String]) -> String {
        values.sorted { $0.key < $1.key }
            .map { "\($0.key.percentEncoded)=\($0.value.percentEncoded)" }
            .joined(separator: "&")
    }
}
