import Foundation
import PingAMSimulator
import PingAMSimulatorServer
import PushBridgeCore
import PushBridgeInternals
import PushBridgeTestSupport
import Testing

struct ControlOverHTTP {
    @Test func loginWorksWithHTTPRequestsAlone() async throws {
        let wire = Wire()
        let delivered = Guarded<[PushDelivery]>([])
        let simulator = Simulator(deliver: { push in delivered.withValue { $0.append(push) } })
        let server = try await SimulatorServer.start(simulator, offersControl: true)
        let control = try #require(server.control)

        let order: JSONValue = ["issuer": "Forge", "account": "demo", "realm": "/alpha"]
        let created = try #require(try await wire.send("POST", "\(control)/registrations", json: order).body)
        let registration = try PushRegistration(uri: try created.member("uri"))
        #expect(created["messageId"] == .string(registration.messageId))
        #expect(SharedSecret(base64: try created.member("secret")) == registration.sharedSecret)
        #expect(
            try await wire.send(
                registration.request(mechanismUid: "m", deviceId: "0a1b2c", deviceName: "Phone")
            )
                == .accepted
        )

        let login: JSONValue = [
            "mechanismUid": "m", "type": "challenge", "message": "Hello", "numbers": "34, 43,57",
            "customPayload": ["a": 1], "contextInfo": #"{"remoteIp":"::1"}"#, "ttl": 60,
        ]
        let answer = try #require(try await wire.send("POST", "\(control)/pushes", json: login).body)
        let push = try #require(delivered.withValue { $0.first })
        #expect(answer == push.json)
        #expect(answer["payload"]?["aps"]?["messageId"] == .string(push.messageId))

        let credential = registration.credential(id: "m", createdAt: Date())
        let enrolment = Enrolment(server: simulator, clock: StoppedClock(), credential: credential)
        #expect(try enrolment.notification(push).customPayload == #"{ "a": 1 }"#)
        #expect(answer["payloadText"] == .string(push.payloadText))
        let state = "\(control)/pushes/\(push.messageId)"
        #expect(try await wire.send("GET", state, json: nil).body == ["state": "waiting", "number": 34])
        #expect(try await enrolment.approve(push, number: "34") == .accepted)
        let page: JSONValue = ["state": "approved", "number": 34]
        #expect(try await wire.send("GET", state, json: nil).body == page)

        let devices = try await wire.send("GET", "\(control)/devices", json: nil).body
        #expect(
            devices
                == .array([
                    [
                        "mechanismUid": "m", "deviceToken": "0a1b2c", "issuer": "Forge", "account": "demo",
                        "realm": "/alpha", "user": "demo",
                        "resourceId": .string(try #require(registration.deviceResourceId)),
                        "endpointEnabled": true,
                    ]
                ])
        )
        let journal = try await wire.send("GET", "\(control)/journal", json: nil).body
        #expect(journal == .array(server.simulator.journal.map(\.json)))
        await server.stop()
    }

    @Test(arguments: [
        ("POST", "pushes", #"{"mechanismUid":"stranger","type":"default"}"#, 400),
        ("POST", "pushes", #"{"mechanismUid":"m","type":"shout"}"#, 400),
        ("POST", "pushes", #"{"mechanismUid":"m","type":"default","ttl":"x"}"#, 400),
        ("POST", "pushes", #"{"mechanismUid":"m","type":"challenge","numbers":"1,2,3"}"#, 400),
        ("POST", "pushes", #"{"mechanismUid":"m","type":"challenge","numbers":[34,43]}"#, 400),
        ("POST", "pushes", #"{"mechanismUid":"m","type":"challenge","numbers":[34,43,true]}"#, 400),
        ("POST", "registrations", #"{"issuer":"Forge","account":"a","digits":6}"#, 400),
        ("POST", "registrations", #"{"issuer":"Forge","account":"a","codes":"totp","digits":7}"#, 400),
        ("POST", "registrations", #"{"issuer":"Forge","account":"a","codes":"totp","counter":1}"#, 400),
        ("POST", "registrations", #"{"issuer":"Forge","account":"a","codes":"totp","algorithm":"md5"}"#, 400),
        ("POST", "registrations", #"{"issuer":"Forge","account":"a","color":"b&c"}"#, 400),
        ("POST", "registrations", #"{"issuer":"Forge","account":"a","push":false}"#, 400),
        ("POST", "registrations", #"{"issuer":"Forge","account":"a","push":"no"}"#, 400),
        ("POST", "pushes", #"{"mechanismUid":"m","type":"default","bindingMessage":1}"#, 400),
        ("POST", "endpoints", #"{"user":"demo"}"#, 400),
        ("POST", "endpoints", #"{"mechanismUid":"stranger","enabled":false}"#, 400),
        ("POST", "resets", #"{"user":"demo","kind":"all"}"#, 400),
        ("POST", "registrations", #"{"issuer":"Forge"}"#, 400),
        ("POST", "registrations", #"{"issuer":"Forge","account":"a","realm":"/nowhere"}"#, 400),
        ("POST", "registrations", "no JSON", 400),
        ("GET", "pushes/nothing", "", 404),
        ("GET", "secrets", "", 404),
    ])
    func invalidOrderIsRefused(_ method: String, _ path: String, _ body: String, _ status: Int) async throws {
        let server = try await SimulatorServer.start(offersControl: true)
        let address = "\(try #require(server.control))/\(path)"
        let content = body.isEmpty ? nil : Data(body.utf8)
        #expect(try await Wire().send(method, address, body: content).status == status)
        await server.stop()
    }

    @Test(arguments: [
        ("registrations", #"{"issuer":"Forge","account":"a","colour":"1","digit":6}"#, "colour, digit"),
        ("pushes", #"{"mechanismUid":"m","type":"default","text":"Hi"}"#, "text"),
        ("sessions", #"{"user":"demo","kind":"push"}"#, "kind"), ("resets", #"{"users":"demo"}"#, "users"),
    ])
    func anOrderWithUnknownMembersIsRefusedWithTheirNames(_ path: String, _ body: String, _ names: String)
        async throws
    {
        let server = try await SimulatorServer.start(offersControl: true)
        let address = "\(try #require(server.control))/\(path)"
        let answer = try await Wire().send("POST", address, body: Data(body.utf8))
        #expect(answer == .refused("The body has unknown members: \(names)."))
        await server.stop()
    }

    @Test func codeContainsEveryMemberOfTheRequest() async throws {
        let server = try await SimulatorServer.start(offersControl: true)
        let control = try #require(server.control)
        let order: JSONValue = [
            "issuer": "Forge", "account": "demo", "image": "https://x.example.com/y.png", "color": "#a1b2c3",
            "policies": ["biometricAvailable": [:]], "codes": "totp", "digits": 8, "algorithm": "sha512",
            "period": 60,
        ]
        let code = try #require(try await Wire().send("POST", "\(control)/registrations", json: order).body)
        let uri = try code.member("uri")
        #expect(uri.hasPrefix("mfauth://totp/Forge:demo?"))
        let policies = Data(#"{"biometricAvailable":{}}"#.utf8).base64URLText
        for parameter in [
            "image=https://x.example.com/y.png", "b=a1b2c3", "digits=8", "algorithm=SHA512", "period=60",
            "policies=\(policies)",
        ] {
            #expect(uri.split(whereSeparator: { "?&".contains($0) }).contains { $0 == parameter })
        }
        let counting: JSONValue = ["issuer": "Forge", "account": "other", "codes": "hotp", "counter": 7]
        let other = try #require(
            try await Wire().send("POST", "\(control)/registrations", json: counting).body
        )
        #expect(try other.member("uri").contains("&counter=7&"))
        await server.stop()
    }

    /// A reset of the push profile does not change the separate profile of the one-time passwords.
    @Test func aResetOfPushDoesNotResetOneTimePasswords() async throws {
        let server = try await SimulatorServer.start(offersControl: true)
        let control = try #require(server.control)
        let order: JSONValue = ["issuer": "Forge", "account": "demo", "codes": "totp"]
        let wire = Wire()
        func enrol() async throws -> Int {
            let answer = try await wire.send("POST", "\(control)/registrations", json: order)
            guard answer.status == 200, let code = answer.body else { return answer.status }
            let registration = try PushRegistration(uri: try code.member("uri"))
            return try await wire.send(
                registration.request(mechanismUid: "m", deviceId: "0a1b2c", deviceName: "Phone")
            )
            .status
        }
        #expect(try await enrol() == 200)
        let resets: [(kind: String?, status: Int)] = [
            ("push", 409), ("oath", 200), ("oath", 409), (nil, 200),
        ]
        for (kind, status) in resets {
            var reset: [String: JSONValue] = ["user": "demo"]
            reset["kind"] = kind.map(JSONValue.string)
            let answer = try await wire.send("POST", "\(control)/resets", json: .object(reset))
            #expect(answer.status == 200)
            #expect(try await enrol() == status)
        }
        await server.stop()
    }

    @Test func controlRequestsAreNotInTheJournal() async throws {
        let server = try await SimulatorServer.start(offersControl: true)
        for path in ["", "/", "/journal"] {
            _ = try await Wire().send("GET", try #require(server.control) + path)
        }
        #expect(server.simulator.journal == [])
        await server.stop()
    }

    @Test func aFailedDeliveryReturnsStatus500() async throws {
        let simulator = Simulator(deliver: { _ in throw CocoaError(.fileNoSuchFile) })
        let server = try await SimulatorServer.start(simulator, offersControl: true)
        server.simulator.withService {
            $0.add(
                SimulatedDevice(
                    mechanismUid: "m",
                    sharedSecret: .random(),
                    deviceToken: "t",
                    account: AccountKey(issuer: "Forge", accountName: "demo")
                )
            )
        }
        let order: JSONValue = ["mechanismUid": "m", "type": "default"]
        let answer = try await Wire().send(
            "POST",
            "\(try #require(server.control))/pushes",
            json: order
        )
        #expect(answer.status == 500)
        #expect(answer.body?["reason"] == "Internal Server Error")
        await server.stop()
    }
}

extension JSONValue {
    fileprivate func member(_ name: String) throws -> String {
        guard case .string(let text)? = self[name] else { throw CocoaError(.coderValueNotFound) }
        return text
    }
}
