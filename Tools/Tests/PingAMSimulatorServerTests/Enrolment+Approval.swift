import PingAMSimulator
import PushBridgeCore
import PushBridgeInternals

extension Enrolment {
    /// Approves a push, with the number that the user chose if the push asks for one.
    func approve(_ push: PushDelivery, number: String? = nil) async throws -> Answer {
        try await wire.send(try credential.approvalRequest(of: try notification(push), number: number))
    }
}
