import PingAMSimulator
import PushBridgeCore
import PushBridgeInternals

extension Enrolment {
    /// Approves a push.
    ///
    /// If the push asks for a number, the answer contains the number that the user chose.
    func approve(_ push: PushDelivery, number: String? = nil) async throws -> Answer {
        try await wire.send(try credential.approvalRequest(of: try notification(push), number: number))
    }
}
