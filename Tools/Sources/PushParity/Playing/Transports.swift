package import Foundation
package import PingAMSimulator
package import PushBridgeCore
import PushBridgePlatform

/// Sends every request to the simulator, whatever host it is for, and remembers what its journal does not tell.
package final class RecordingTransport: PushTransport {
    private let server: Simulator
    private let sent = Lock<[(address: String, timeout: TimeInterval)]>([])

    package init(_ server: Simulator) {
        self.server = server
    }

    package func send(_ request: PushRequest, timeout: TimeInterval) async throws -> PushResponse {
        sent.withValue { $0.append((request.url, timeout)) }
        return try await server.send(request, timeout: timeout)
    }

    /// Where requests went since the last call, and the time-outs asked for.
    package func takeSent() -> [(address: String, timeout: TimeInterval)] {
        sent.withValue { sent in
            defer { sent = [] }
            return sent
        }
    }
}
