package import Foundation
package import PingAMSimulator
import PushBridgeCommandLine
package import PushBridgeCore
import PushBridgePlatform

/// Sends every request to the simulator, regardless of the host of the request.
///
/// The transport also records data that the simulator's journal does not contain.
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

    /// Returns the addresses and time-outs of all requests that were sent since the last call of this
    /// function.
    package func takeSent() -> [(address: String, timeout: TimeInterval)] {
        sent.withValue { sent in
            defer { sent = [] }
            return sent
        }
    }
}
