import Foundation
import PingAMSimulator
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

/// The time-outs that a side asked for, request by request.
final class SentTimeouts: Sendable {
    private let timeouts = Lock<[TimeInterval]>([])

    func add(_ timeout: TimeInterval) {
        timeouts.withValue { $0.append(timeout) }
    }

    func take() -> [TimeInterval] {
        timeouts.withValue { timeouts in
            defer { timeouts = [] }
            return timeouts
        }
    }
}

/// Sends to the simulator and remembers the time-outs; what else is sent, the simulator's journal tells.
struct TimedTransport: PushTransport {
    private let sent: SentTimeouts
    private let server: Simulator

    init(_ server: Simulator, _ sent: SentTimeouts) {
        self.server = server
        self.sent = sent
    }

    func send(_ request: PushRequest, timeout: TimeInterval) async throws -> PushResponse {
        sent.add(timeout)
        return try await server.send(request, timeout: timeout)
    }
}
