import Foundation
import PingAMSimulator
import PingAMSimulatorServer
import PushBridgeCore
import PushBridgeToolsTestSupport
import Testing

struct ApnsFolderTests {
    @Test func fileNamesItsApp() throws {
        let folder = try TemporaryFolder()
        let push = try service().createPush(PushOrder(mechanismUid: "m"))
        let file = try ApnsFolder(folder.url, bundleIdentifier: "com.example.app").write(push)
        let content = try #require(JSONValue(json: try Data(contentsOf: file)))
        #expect(file.pathExtension == "apns")
        #expect(content["Simulator Target Bundle"] == "com.example.app")
        #expect(content["aps"] == push.payload["aps"])
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
