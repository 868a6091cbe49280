import Foundation
import PingAMSimulator
import PushBridgeCore
import Testing

struct Deliveries {
    /// Servers refuse more than 3,072 bytes, where they write the payload at all: nodes since 7.2.
    @Test(arguments: [
        (ServerVersion.v7_2, PushSender.node, 3072, true), (.v7_2, .node, 3073, false),
        (.v8_0_2, .node, 3072, true), (.v8_0_2, .node, 3073, false),
        (.v7_1, .node, 3073, true), (.v8_0_2, .module, 3073, true),
    ])
    func customPayloadHasALimitOfItsOwn(
        _ version: ServerVersion,
        _ sender: PushSender,
        _ size: Int,
        _ isSent: Bool
    ) throws {
        var service = service(version, sender)
        var order = PushOrder(mechanismUid: "m")
        order.customPayload = String(repeating: "ö", count: size / 2) + (size % 2 == 0 ? "" : "x")
        guard !isSent else {
            _ = try service.createPush(order, at: Date())
            return
        }
        let error = #expect(throws: SimulatorError.self) { try service.createPush(order, at: Date()) }
        #expect(error?.code == .payloadTooLarge)
    }

    /// Servers do not count the whole: that is left to APNs.
    @Test func pushLargerThanApnsAllowsIsSent() throws {
        var service = service()
        var order = PushOrder(mechanismUid: "m")
        order.message = String(repeating: "x", count: 2048)
        let push = try service.createPush(order, at: Date())
        #expect(push.payloadText.utf8.count > 4096)
    }

    /// Servers of 7.2 draw each number by itself, later ones draw three different ones.
    @Test(arguments: [(ServerVersion.v7_2, true), (.v7_3, false), (.v8_0_2, false)])
    func numbersOfAChallengeMayRepeatBefore73(_ version: ServerVersion, _ mayRepeat: Bool) throws {
        var service = service(version, seed: 7)
        var repeats = 0
        for _ in 0..<300 {
            let push = try service.createPush(PushOrder(mechanismUid: "m", type: .challenge), at: Date())
            let numbers = try Self.numbers(push)
            #expect(numbers.count == 3)
            #expect(numbers == numbers.sorted())
            #expect(numbers.allSatisfy { (10...99).contains($0) })
            let shown = try #require(push.number)
            #expect(numbers.contains(shown))
            if Set(numbers).count < 3 { repeats += 1 }
        }
        #expect((repeats > 0) == mayRepeat)
    }

    private static func numbers(_ push: PushDelivery) throws -> [Int] {
        guard case .string(let token)? = push.payload["aps"]?["data"] else { return [] }
        let claims = Base64.decode(String(token.split(separator: ".")[1])).flatMap(JSONValue.init(json:))
        guard case .string(let text)? = claims?["n"] else { return [] }
        return text.split(separator: ",").compactMap { Int($0) }
    }

    private func service(
        _ version: ServerVersion = .v8_0_2,
        _ sender: PushSender = .node,
        seed: UInt64? = nil
    ) -> SimulatedService {
        var settings = ServiceSettings()
        settings.version = version
        settings.sender = sender
        settings.seed = seed
        var service = SimulatedService(settings: settings)
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
