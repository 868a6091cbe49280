public import Foundation
public import PushBridgeCore

/// One HTTP request to the simulated service.
public struct SimulatedRequest: Equatable, Sendable {
    /// The HTTP method in upper case, such as `POST`.
    public let method: String
    /// The path and query as they were sent; only the path if the request was created without a target.
    public let target: String
    /// The path, percent-decoded.
    public let path: String
    /// The query items.
    ///
    /// If a name occurs several times, the first item counts.
    public let query: [String: String]
    /// The header fields; the names are in lower case.
    public let headers: [String: String]
    /// The body.
    public let body: Data

    /// Creates a request.
    ///
    /// The names in `headers` may be in upper or lower case.
    /// - Parameters:
    ///   - method: The method, for example `POST`.
    ///   - path: The path.
    ///   - query: The query items.
    ///   - headers: The header fields.
    ///   - body: The body.
    ///   - target: The path and query as they were sent, for the journal; `nil` means `path`.
    public init(
        _ method: String,
        path: String,
        query: [String: String] = [:],
        headers: [String: String] = [:],
        body: Data = Data(),
        target: String? = nil
    ) {
        self.method = method.uppercased()
        self.path = path
        self.target = target ?? path
        self.query = query
        self.headers = Dictionary(headers.map { ($0.key.lowercased(), $0.value) }) { first, _ in first }
        self.body = body
    }
}

extension SimulatedRequest {
    /// Creates a request to an address.
    ///
    /// The `Host` header is the address's host unless `headers` contains a host.
    /// - Parameters:
    ///   - method: The method, for example `POST`.
    ///   - url: The whole address.
    ///   - headers: The header fields.
    ///   - body: The body.
    public init(_ method: String, url: URL, headers: [String: String], body: Data) {
        let parts = URLComponents(url: url, resolvingAgainstBaseURL: true)
        let items = (parts?.queryItems ?? []).map { ($0.name, $0.value ?? "") }
        let host = (parts?.host ?? "") + (parts?.port.map { ":\($0)" } ?? "")
        let query = parts?.percentEncodedQuery.map { "?\($0)" } ?? ""
        self.init(
            method,
            path: parts?.path ?? "",
            query: Dictionary(items) { first, _ in first },
            headers: headers.merging(["host": host]) { given, _ in given },
            body: body,
            target: (parts?.percentEncodedPath ?? "") + query
        )
    }
}

extension JSONValue {
    /// Parses the JSON of a client; `nil` if it is invalid or has more than about 100 members.
    ///
    /// The members are counted before the JSON is decoded, because decoding thousands of members delays all
    /// other clients. Real messages have fewer than 20 members.
    init?(message: Data) {
        guard message.hasCommas(atMost: 100) else { return nil }
        self.init(json: message)
    }
}

extension Data {
    /// Returns whether JSON has at most `limit` commas outside its strings.
    fileprivate func hasCommas(atMost limit: Int) -> Bool {
        var count = 0
        var isText = false
        var isEscaped = false
        for byte in self {
            switch byte {
            case _ where isEscaped: isEscaped = false
            case UInt8(ascii: "\\"): isEscaped = isText
            case UInt8(ascii: "\""): isText.toggle()
            case UInt8(ascii: ",") where !isText: count += 1
            default: continue
            }
            guard count <= limit else { return false }
        }
        return true
    }
}

/// One HTTP response of the simulated service.
public struct SimulatedResponse: Equatable, Sendable {
    /// The status code.
    public var status: Int
    /// The header fields.
    public var headers: [String: String]
    /// The body.
    public var body: Data

    /// Creates a response with a JSON body.
    /// - Parameters:
    ///   - status: The HTTP status.
    ///   - json: The body.
    public init(status: Int = 200, json: JSONValue = [:]) {
        self.status = status
        headers = ["Content-Type": "application/json"]
        body = json.data
    }

    /// Creates a rejection in the format of PingAM's errors.
    /// - Parameters:
    ///   - status: The HTTP status, 400 or more.
    ///   - message: The server's message.
    public init(status: Int, refusal message: String) {
        let reason = JSONValue.string(Self.phrase(of: status))
        let body: JSONValue = ["code": .integer(status), "reason": reason, "message": .string(message)]
        self.init(status: status, json: body)
    }

    /// Returns the reason phrase of a status that the simulator uses.
    @_spi(PushBridgeTools) public static func phrase(of status: Int) -> String {
        switch status {
        case 200: "OK"
        case 307: "Temporary Redirect"
        case 400: "Bad Request"
        case 401: "Unauthorized"
        case 403: "Forbidden"
        case 404: "Not Found"
        case 408: "Request Timeout"
        case 409: "Conflict"
        case 411: "Length Required"
        case 413: "Content Too Large"
        case 415: "Unsupported Media Type"
        case 501: "Not Implemented"
        default: "Internal Server Error"
        }
    }
}

/// The service's reply to a request.
public struct SimulatedReply: Equatable, Sendable {
    /// The response; `nil` means that the connection is closed without a response.
    public var response: SimulatedResponse?
    /// The delay before the response.
    public var delay: Duration

    init(_ response: SimulatedResponse?, delay: Duration = .zero) {
        self.response = response
        self.delay = delay
    }
}

/// The error for a request that is rejected.
struct Refusal: Error, Equatable {
    let status: Int
    /// The reason, for the journal.
    let message: String
    /// Whether the response to the device contains the reason.
    var isReported = false

    static func badRequest(_ message: String) -> Refusal { Refusal(status: 400, message: message) }

    static func notFound(_ message: String) -> Refusal {
        Refusal(status: 404, message: message, isReported: true)
    }

    /// Creates the rejection for an error that the server does not catch.
    static func uncaught(_ message: String) -> Refusal { Refusal(status: 500, message: message) }

    /// Returns the response that a server with these settings sends.
    func response(_ settings: ServiceSettings = ServiceSettings()) -> SimulatedResponse {
        if status == 500, settings.has(.caughtErrors) {
            return Refusal.badRequest(message).response(settings)
        }
        let text =
            isReported
            ? message
            : status == 400 ? "Bad request." : "Exception from invocation expected to be handled by promise"
        var response = SimulatedResponse(status: status, refusal: text)
        if settings.has(.bareRefusals) { response.body = JSONValue.object(["message": .string(text)]).data }
        if status == 500, settings.has(.errorPages) {
            response.headers["Content-Type"] = "text/html"
            response.body = Data("<html><body>Internal Server Error</body></html>".utf8)
        }
        return response
    }
}
