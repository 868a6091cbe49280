import Foundation
import PushBridgeCore
import PushBridgeTestSupport
import Testing

extension LoopbackServer {
    static let acceptance = "HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\n{}"

    var base: String { "http://127.0.0.1:\(port)/json/push/sns/message?_action=" }

    /// Returns a registration at this server.
    func registration() throws -> PushRegistration {
        var registration = PushRegistration(
            account: AccountProfile(issuer: "Example", accountName: "babs"),
            endpoints: try #require(
                PushEndpoints(registration: "\(base)register", authentication: "\(base)authenticate")
            ),
            sharedSecret: .random(),
            challenge: Data("challenge".utf8),
            messageId: "REGISTER:1"
        )
        registration.loadBalancer = "amlbcookie=01"
        return registration
    }

    /// Returns the request that registers at this server.
    func request() throws -> PushRequest {
        try registration().request(
            mechanismUid: "id",
            device: DeviceDescription(deviceId: "00ff", deviceName: "Phone")
        )
    }
}
