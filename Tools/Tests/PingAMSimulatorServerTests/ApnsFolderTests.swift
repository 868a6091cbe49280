import Foundation
import PingAMSimulator
import PingAMSimulatorServer
import PushBridgeCore
import PushBridgeTestSupport
import Testing

struct ApnsFolderTests {
    @Test func thePushFileContainsTheBundleIdentifier() throws {
        let folder = try TemporaryFolder()
        let push = try service().createPush(PushOrder(mechanismUid: "m"))
        let file = try ApnsFolder(folder.url, bundleIdentifier: "com.example.app").write(push)
        let content = try #require(JSONValue(json: try Data(contentsOf: file)))
        #expect(file.pathExtension == "apns")
        let attributes = try FileManager.default.attributesOfItem(atPath: file.path)
        #expect(attributes[.posixPermissions] as? Int == 0o600)
        #expect(
            try FileManager.default.contentsOfDirectory(atPath: folder.url.path) == [file.lastPathComponent]
        )
        #expect(content["Simulator Target Bundle"] == "com.example.app")
        #expect(content["aps"] == push.payload["aps"])
    }

    /// The app's bundle identifier does not count towards the size of the file, because it is not part of the payload.
    ///
    /// The rest of the file is exactly the payload that the server writes.
    @Test func nameOfTheAppDoesNotCountTowardsTheSize() throws {
        let folder = try TemporaryFolder()
        var order = PushOrder(mechanismUid: "m")
        var largest: PushDelivery?
        for size in 1500..<2200 {
            order.message = String(repeating: "x", count: size)
            let push = try service().createPush(order)
            guard push.payloadText.utf8.count <= 4096 else { break }
            largest = push
        }
        let push = try #require(largest)
        #expect(push.payloadText.utf8.count > 4080)
        let file = try ApnsFolder(folder.url, bundleIdentifier: "com.example.app").write(push)
        let bytes = try Data(contentsOf: file)
        #expect(bytes.count > 4096)
        #expect(PushChannel.alert.delivers(bytes))
        #expect(String(decoding: bytes, as: UTF8.self).hasSuffix(String(push.payloadText.dropFirst())))
    }

    /// A custom payload can be so large that the server sends the push but APNs does not deliver it.
    @Test func pushLargerThanApnsDeliversIsNotWritten() throws {
        let folder = try TemporaryFolder()
        var order = PushOrder(mechanismUid: "m")
        order.customPayload = String(repeating: "x", count: 3072)
        let push = try service().createPush(order)
        let error = #expect(throws: SimulatorError.self) {
            try ApnsFolder(folder.url, bundleIdentifier: "com.example.app").write(push)
        }
        #expect(error?.code == .payloadTooLarge)
        #expect(try FileManager.default.contentsOfDirectory(atPath: folder.url.path).isEmpty)
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
