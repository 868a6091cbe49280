import Foundation
import PingAMSimulator
import PushBridgeCore
import PushBridgePlatform
import PushParity

/// Sends every request to the simulator, whatever host it is for, and remembers the addresses.
final class RecordingTransport: PushTransport {
    private let simulator: Simulator
    private let recorded = Lock<[String]>([])

    init(_ simulator: Simulator) {
        self.simulator = simulator
    }

    /// The addresses that were asked for, in order.
    var addresses: [String] { recorded.withValue { $0 } }

    func send(_ request: PushRequest, timeout: TimeInterval) async throws -> PushResponse {
        recorded.withValue { $0.append(request.url) }
        return try await simulator.send(request, timeout: timeout)
    }
}
