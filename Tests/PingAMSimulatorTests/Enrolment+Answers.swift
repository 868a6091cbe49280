import PingAMSimulator
import PushBridgeCore

extension Enrolment {
    static let device = DeviceDescription(deviceId: "0a1b2c", deviceName: "Phone")

    func request(_ answer: PushAnswer, to push: PushDelivery) throws -> PushRequest {
        try credential.answerRequest(answer, to: try notification(push))
    }

    func answer(_ answer: PushAnswer, to push: PushDelivery) async throws -> Answer {
        try await wire.send(try request(answer, to: push))
    }
}
