import Foundation
import PingPush
import PushBridgeCore
import PushBridgePlatform

/// Sends every request to a port of this machine instead of its address's host; path and query stay as they are.
final class RedirectingTransport: PushTransport {
    private let port: UInt16
    private let transport = URLSessionTransport()
    private let recorded = Lock<[String]>([])

    init(port: UInt16) {
        self.port = port
    }

    /// The addresses that were asked for, in order.
    var addresses: [String] { recorded.withValue { $0 } }

    func send(_ request: PushRequest, timeout: TimeInterval) async throws -> PushResponse {
        recorded.withValue { $0.append(request.url) }
        var redirected = request
        redirected.url = "http://127.0.0.1:\(port)\(Self.pathAndQuery(of: request.url))"
        return try await transport.send(redirected, timeout: timeout)
    }

    /// What follows scheme, host and port, as it is spelled.
    static func pathAndQuery(of address: String) -> Substring {
        guard let authority = address.range(of: "://")?.upperBound else { return "" }
        return address[authority...].drop { !"/?#".contains($0) }
    }
}
