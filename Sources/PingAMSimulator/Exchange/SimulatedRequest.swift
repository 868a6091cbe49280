public import Foundation

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
