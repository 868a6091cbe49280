import Foundation
import PushBridgeCore
import PushBridgePlatform

/// How many requests are over, and how many of them succeeded, as the side sees it.
final class Exchanges: Sendable {
    private let counts = Lock((ended: 0, accepted: 0))

    var ended: Int { counts.withValue { $0.ended } }
    var accepted: Int { counts.withValue { $0.accepted } }

    func end(accepted: Bool) {
        counts.withValue { counts in
            counts.ended += 1
            counts.accepted += accepted ? 1 : 0
        }
    }
}

/// Counts requests, so that one can wait for those that a call set off without saying when they are over.
struct CountingTransport: PushTransport {
    private let transport: any PushTransport
    private let exchanges: Exchanges

    init(_ transport: any PushTransport, _ exchanges: Exchanges) {
        self.transport = transport
        self.exchanges = exchanges
    }

    func send(_ request: PushRequest, timeout: TimeInterval) async throws -> PushResponse {
        do {
            let response = try await transport.send(request, timeout: timeout)
            exchanges.end(accepted: response.status == 200)
            return response
        } catch {
            exchanges.end(accepted: false)
            throw error
        }
    }
}
