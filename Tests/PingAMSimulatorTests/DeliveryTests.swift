import Foundation
import PingAMSimulator
import PushBridgeCore
import PushBridgeTestSupport
import Testing

struct Deliveries {
    @Test func fileNamesItsApp() throws {
        let folder = try TemporaryFolder()
        let push = try service().createPush(PushOrder(mechanismUid: "m"))
        let file = try ApnsFolder(folder.url, bundleIdentifier: "com.example.app").write(push)
        let content = try #require(JSONValue(json: try Data(contentsOf: file)))
        #expect(file.pathExtension == "apns")
        #expect(content["Simulator Target Bundle"] == "com.example.app")
        #expect(content["aps"] == push.payload["aps"])
    }

    @Test func pushLargerThanApnsAllowsIsNotMade() throws {
        var service = service()
        var order = PushOrder(mechanismUid: "m")
        order.customPayload = String(repeating: "x", count: 4096)
        let error = #expect(throws: SimulatorError.self) { try service.createPush(order, at: Date()) }
        #expect(error?.code == .payloadTooLarge)
    }

    @Test func fileLargerThanApnsAllowsIsNotWritten() throws {
        let folder = try TemporaryFolder()
        let push = try service().createPush(PushOrder(mechanismUid: "m"))
        let bundle = String(repeating: "b", count: 4096)
        #expect(throws: SimulatorError.self) {
            try ApnsFolder(folder.url, bundleIdentifier: bundle).write(push)
        }
        #expect(try folder.names().isEmpty)
    }

    @Test func takenPortIsReported() async throws {
        let first = try await SimulatorServer.start()
        let error = await #expect(throws: SimulatorError.self) {
            try await SimulatorServer.start(port: first.port)
        }
        #expect(error?.code == .portUnavailable)
        await first.stop()
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
