import Foundation
import PingAMSimulator
import PushBridgeCore
import PushBridgePlatform

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
