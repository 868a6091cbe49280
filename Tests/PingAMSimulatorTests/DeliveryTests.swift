import Foundation
import PingAMSimulator
import PushBridgeCore
import Testing

struct Deliveries {
    @Test func pushLargerThanApnsAllowsIsNotMade() throws {
        var service = service()
        var order = PushOrder(mechanismUid: "m")
        order.customPayload = String(repeating: "x", count: 4096)
        let error = #expect(throws: SimulatorError.self) { try service.createPush(order, at: Date()) }
        #expect(error?.code == .payloadTooLarge)
    }

    private func service() -> SimulatedService {
        var service = SimulatedService()
        service.add(
            SimulatedDevice(
                mechanismUid: "m",
                sharedSecret: .random(),
                deviceToken: "t",
                account: AccountKey(issuer: "Forge", accountName: "demo")
            )
        )
        return service
    }
}

extension SimulatedService {
    fileprivate func createPush(_ order: PushOrder) throws -> PushDelivery {
        var copy = self
        return try copy.createPush(order, at: Date())
    }
}
