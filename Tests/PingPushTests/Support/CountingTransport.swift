import Foundation
import PingPush
import PushBridgeCore
import PushBridgePlatform
import PushBridgeTestSupport

/// A server that accepts everything and counts requests by message id.
///
/// The server suspends during each request so that other tasks run.
final class CountingTransport: PushTransport {
    private let counts = Lock<[String: Int]>([:])

    var requestsByMessage: [String: Int] { counts.withValue { $0 } }

    func send(_ request: PushRequest, timeout: TimeInterval) async throws -> PushResponse {
        let messageId =
            switch request["messageId"] {
            case .string(let id): id
            default: ""
            }
        counts.withValue { $0[messageId, default: 0] += 1 }
        for _ in 0..<10 { await Task.yield() }
        return .ok
    }
}
