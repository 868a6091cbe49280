import Foundation
import PingAMSimulator
import PushBridgeCore
import Testing

struct Deliveries {
    @Test(arguments: [3072, 3073])
    func customPayloadHasALimitOfItsOwn(_ size: Int) throws {
        var order = PushOrder(mechanismUid: "m")
        order.customPayload = String(repeating: "ö", count: size / 2) + (size % 2 == 0 ? "" : "x")
        let result = Result { try service().createPush(order) }
        #expect((result.failure as? SimulatorError)?.code == .payloadTooLarge)
        #expect((result.failure as? SimulatorError)?.reason.contains("custom payload") == (size > 3072))
    }

    @Test func pushLargerThanApnsAllowsIsNotMade() throws {
        var service = service()
        var order = PushOrder(mechanismUid: "m")
        order.message = String(repeating: "x", count: 2048)
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

extension Result {
    fileprivate var failure: Failure? {
        if case .failure(let error) = self { error } else { nil }
    }
}
