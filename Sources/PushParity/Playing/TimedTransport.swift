import Foundation
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

/// Sends over real HTTP and remembers the time-outs; what else is sent, the server's journal tells.
///
/// Waits far longer than it was told to: the comparison's server answers at once or closes the connection, and a busy
/// machine must not look like a difference.
struct TimedTransport: PushTransport {
    private let sent: SentTimeouts
    // The app's own session configuration and interceptors would reach one comparison and not the other.
    private let transport = URLSessionTransport(hooks: NetworkHooks())

    init(_ sent: SentTimeouts) {
        self.sent = sent
    }

    func send(_ request: PushRequest, timeout: TimeInterval) async throws -> PushResponse {
        sent.add(timeout)
        return try await transport.send(request, timeout: 600)
    }
}
