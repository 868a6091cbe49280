import Foundation
import PingAMSimulator
import PushBridgeCore
import Testing

struct Deliveries {
    /// From 7.2 on, a node writes a custom payload and rejects a payload that is larger than 3,072 bytes.
    ///
    /// Other senders do not write the custom payload.
    @Test(arguments: [
        (ServerVersion.v7_2, PushSender.node, 3072, true), (.v7_2, .node, 3073, false),
        (.v8_0_2, .node, 3072, true), (.v8_0_2, .node, 3073, false),
        (.v7_1, .node, 3073, true), (.v8_0_2, .module, 3073, true),
    ])
    func customPayloadHasASeparateLimit(
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

    /// A push that is larger than APNs allows is sent, because the server does not limit the size of the whole payload.
    @Test func pushLargerThanApnsAllowsIsSent() throws {
        var service = service()
        var order = PushOrder(mechanismUid: "m")
        order.message = String(repeating: "x", count: 2048)
        let push = try service.createPush(order, at: Date())
        #expect(push.payloadText.utf8.count > 4096)
    }

    /// Servers of version 7.2 draw each number independently.
    ///
    /// Servers of later versions draw three different numbers.
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

    /// A disabled endpoint is enabled again only when the device sends a token.
    ///
    /// The token may be the same token as before.
    @Test func disabledEndpointReceivesNothingUntilATokenIsSent() async throws {
        let enrolment = try await Enrolment.start()
        let id = enrolment.credential.id
        let isThere = enrolment.server.withService { $0.enableEndpoint(false, of: id) }
        #expect(isThere)
        let error = #expect(throws: SimulatorError.self) { try enrolment.push() }
        #expect(error?.code == .unreachable)
        var credential = enrolment.credential
        credential.userId = "user-1"
        let request = credential.refreshRequest(device: Enrolment.device)
        #expect(try await enrolment.wire.send(request) == .accepted)
        _ = try enrolment.push()
        let isStranger = enrolment.server.withService { $0.enableEndpoint(false, of: "stranger") }
        #expect(!isStranger)
    }

    /// From 6.5.2 on, a binding message replaces the text of a push, and may contain the same placeholders as the text.
    ///
    /// From 7.2 on, the binding message is also a claim.
    @Test(arguments: [(ServerVersion.v6_5, false), (.v7_1, false), (.v7_2, true), (.v8_1_0, true)])
    func bindingMessageReplacesTheText(_ version: ServerVersion, _ hasClaim: Bool) throws {
        var service = service(version)
        var order = PushOrder(mechanismUid: "m", message: "Hello")
        order.bindingMessage = "Pay as {{user}} at {{issuer}}"
        order.userName = "d.emo"
        let push = try service.createPush(order, at: Date())
        let text: JSONValue = "Pay as d.emo at Forge"
        #expect(push.payload["aps"]?["alert"] == text)
        #expect(push.publication.subject == "Pay as d.emo at Forge")
        #expect(try Self.claims(push)["m"] == (hasClaim ? text : nil))
    }

    @Test func moduleSendsNoBindingMessage() throws {
        var service = service(.v8_0_2, .module)
        var order = PushOrder(mechanismUid: "m")
        order.bindingMessage = "Pay"
        let error = #expect(throws: SimulatorError.self) { try service.createPush(order, at: Date()) }
        #expect(error?.code == .invalidOrder)
    }

    /// Version 8.0.0 still writes the key `PRIORITY`, which 7.5.2 had already replaced with `priority`.
    @Test(arguments: [
        (ServerVersion.v6_5, "PRIORITY"), (.v7_5, "PRIORITY"), (.v8_0_0, "PRIORITY"), (.v8_0_2, "priority"),
        (.v8_1_0, "priority"),
    ])
    func amazonsServiceGetsATextForEachKindOfEndpoint(_ version: ServerVersion, _ priority: String) throws {
        var service = service(version)
        let push = try service.createPush(PushOrder(mechanismUid: "m", message: "Hi"), at: Date())
        let published = push.publication
        #expect(published.targetArn.hasPrefix("arn:aws:sns:"))
        #expect(
            published.message.hasPrefix(
                #"{ "default": "Hi", "GCM": "{ \"\#(priority)\": \"high\", \"data\": { "#
            )
        )
        let document = try #require(JSONValue(json: Data(published.message.utf8)))
        #expect(document["APNS"] == .string(push.payloadText))
        #expect(document["APNS_SANDBOX"] == document["APNS"])
        guard case .string(let google)? = document["GCM"] else { throw CocoaError(.coderInvalidValue) }
        let aps = try #require(push.payload["aps"])
        let data: JSONValue = ["message": try #require(aps["data"]), "messageId": .string(push.messageId)]
        #expect(JSONValue(json: Data(google.utf8)) == [priority: "high", "data": data])
    }

    private static func claims(_ push: PushDelivery) throws -> JSONValue {
        guard case .string(let token)? = push.payload["aps"]?["data"] else { return [:] }
        return try #require(
            Base64.decode(String(token.split(separator: ".")[1])).flatMap(JSONValue.init(json:))
        )
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
