import Foundation
import PushBridgeCore
import PushBridgePlatform

/// Records requests and returns the configured responses.
final class RecordingTransport: PushTransport {
    private let recorded = Lock<[(PushRequest, TimeInterval)]>([])
    private let answer: @Sendable () throws -> PushResponse

    init(
        _ answer: @escaping @Sendable () throws -> PushResponse = {
            PushResponse(status: 200, body: Data("{}".utf8))
        }
    ) {
        self.answer = answer
    }

    var sent: [(PushRequest, TimeInterval)] { recorded.withValue { $0 } }

    func send(_ request: PushRequest, timeout: TimeInterval) async throws -> PushResponse {
        recorded.withValue { $0.append((request, timeout)) }
        return try answer()
    }
}
