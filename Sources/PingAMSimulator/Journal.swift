import Foundation
public import PushBridgeCore

/// One request to the push service, and its outcome.
///
/// The entry does not contain the header `Authorization`. Requests never contain a shared secret.
public struct JournalEntry: Equatable, Sendable {
    /// The HTTP method in upper case, such as `POST`.
    public let method: String
    /// The path and the query, verbatim.
    public let target: String
    /// The `_action` in the address, verbatim; empty if the address has none.
    public let action: String
    /// The status of the response; `nil` if the connection was closed without a response.
    public let status: Int?
    /// The reason why the service rejected the request; `nil` for an accepted request, and for a request that was not
    /// handled because of a ``Fault``.
    ///
    /// As on real servers, the response does not always contain the reason.
    public let refusal: String?
    /// A note on an accepted request that had no effect, because the registration page or login page had stopped
    /// polling; otherwise `nil`.
    ///
    /// The response does not contain the note.
    public let note: String?
    /// The body: a JSON value, or text if the body is not JSON or has too many members.
    public let body: JSONValue
    /// The unverified claims of the token in the body; `nil` if the body has no readable token.
    public let claims: JSONValue?
    /// The header fields except `authorization`; the names are in lower case.
    public let headers: [String: String]

    init(_ request: SimulatedRequest, status: Int?, refusal: String?, note: String?) {
        self.refusal = refusal
        self.note = note
        method = request.method
        target = request.target
        action = request.query["_action"] ?? ""
        self.status = status
        body = JSONValue(message: request.body) ?? .string(String(decoding: request.body, as: UTF8.self))
        claims = Self.claims(of: body)
        headers = request.headers.filter { $0.key != "authorization" }
    }

    /// The entry as JSON.
    public var json: JSONValue {
        [
            "method": .string(method),
            "target": .string(target),
            "action": .string(action),
            "status": status.map(JSONValue.integer) ?? .null,
            "refusal": refusal.map(JSONValue.string) ?? .null,
            "note": note.map(JSONValue.string) ?? .null,
            "body": body,
            "claims": claims ?? .null,
            "headers": .object(headers.mapValues(JSONValue.string)),
        ]
    }

    static func claims(of body: JSONValue) -> JSONValue? {
        guard case .string(let token)? = body["jwt"] else { return nil }
        let parts = token.split(separator: ".", omittingEmptySubsequences: false)
        guard parts.count == 3 else { return nil }
        return Base64.decode(String(parts[1])).flatMap(JSONValue.init(message:))
    }
}

/// The latest requests, oldest first.
///
/// The total size of the requests is limited, because any process on the machine can send requests.
struct Journal: Sendable {
    /// The maximum total size in bytes; a login test sends far less.
    static let capacity = 4 << 20

    private(set) var entries: [JournalEntry] = []
    /// The number of requests, including requests that were removed.
    private(set) var count = 0
    private var sizes: [Int] = []
    private var size = 0

    /// Adds a request, and removes the oldest requests until the remaining requests fit.
    mutating func append(_ entry: JournalEntry, of request: SimulatedRequest) {
        count += 1
        entries.append(entry)
        sizes.append(request.size)
        size += request.size
        var excess = 0
        while size > Self.capacity {
            size -= sizes[excess]
            excess += 1
        }
        entries.removeFirst(excess)
        sizes.removeFirst(excess)
    }
}

extension SimulatedRequest {
    /// The size in bytes of the request's parts in the journal.
    fileprivate var size: Int {
        headers.reduce(target.utf8.count + body.count) { $0 + $1.key.utf8.count + $1.value.utf8.count }
    }
}
