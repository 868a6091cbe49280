import Foundation
import PushBridgeCore
import PushBridgeTestSupport

extension LoopbackServer {
    static let acceptance = "HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\n{}"

    var base: String { "http://127.0.0.1:\(port)/json/push/sns/message?_action=" }

    /// Returns a registration at this server.
    func registration() throws -> PushRegistration {
        try .sample(service: "http://127.0.0.1:\(port)/json/push/sns/message")
    }

    /// Returns the request that registers at this server.
    func request() throws -> PushRequest {
        try registration().request(
            mechanismUid: "id",
            device: DeviceDescription(deviceId: "00ff", deviceName: "Phone")
        )
    }
}
