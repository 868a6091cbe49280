public import Foundation
public import PushBridgeCore

/// One HTTP request as the simulated service sees it.
public struct SimulatedRequest: Equatable, Sendable {
    /// The method, in capitals.
    public let method: String
    /// Path and query as they were sent; the path alone for a request that did not come over HTTP.
    public let target: String
    /// The path, percent-decoded.
    public let path: String
    /// The query items; of a repeated name the first counts.
    public let query: [String: String]
    /// The header fields, names in lower case.
    public let headers: [String: String]
    /// The body.
    public let body: Data

    /// Creates a request; the names of `headers` may be in any case.
    /// - Parameters:
    ///   - method: The method, as `POST`.
    ///   - path: The path.
    ///   - query: The query items.
    ///   - headers: The header fields.
    ///   - body: The body.
    ///   - target: Path and query as they came, for the journal; `nil` for `path`.
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
    /// Creates a request to an address, with the `Host` that it names.
    /// - Parameters:
    ///   - method: The method, as `POST`.
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

    /// Creates a refusal in the shape of PingAM's errors.
    /// - Parameters:
    ///   - status: The HTTP status, 400 or more.
    ///   - message: The server's words.
    public init(status: Int, refusal message: String) {
        let reason = JSONValue.string(Self.phrase(of: status))
        let body: JSONValue = ["code": .integer(status), "reason": reason, "message": .string(message)]
        self.init(status: status, json: body)
    }

    /// The words that go with a status that the simulator answers.
    @_spi(PushBridgeTools) public static func phrase(of status: Int) -> String {
        switch status {
        case 200: "OK"
        case 307: "Temporary Redirect"
        case 400: "Bad Request"
        case 401: "Unauthorized"
        case 403: "Forbidden"
        case 404: "Not Found"
        case 409: "Conflict"
        case 411: "Length Required"
        case 413: "Content Too Large"
        case 415: "Unsupported Media Type"
        case 501: "Not Implemented"
        default: "Internal Server Error"
        }
    }
}

/// What the service does about a request.
public struct SimulatedReply: Equatable, Sendable {
    /// The response, or `nil` to close the connection without one.
    public var response: SimulatedResponse?
    /// How long to wait before.
    public var delay: Duration

    init(_ response: SimulatedResponse?, delay: Duration = .zero) {
        self.response = response
        self.delay = delay
    }
}

/// Why the service refuses a request.
struct Refusal: Error, Equatable {
    let status: Int
    /// The reason, for the journal.
    let message: String
    /// Whether the device is told the reason.
    var isTold = false

    static func badRequest(_ message: String) -> Refusal { Refusal(status: 400, message: message) }

    static func notFound(_ message: String) -> Refusal {
        Refusal(status: 404, message: message, isTold: true)
    }

    /// What the server does not expect and so does not catch.
    static func uncaught(_ message: String) -> Refusal { Refusal(status: 500, message: message) }

    /// The response of a server that is set up so.
    func response(_ settings: ServiceSettings = ServiceSettings()) -> SimulatedResponse {
        if status == 500, settings.has(.caughtErrors) {
            return Refusal.badRequest(message).response(settings)
        }
        let text =
            isTold
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
