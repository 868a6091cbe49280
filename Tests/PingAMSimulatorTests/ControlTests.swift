import Foundation
import PingAMSimulator
import PushBridgeCore
import PushBridgePlatform
import Testing

struct ControlOverHTTP {
    @Test func loginRunsByHTTPAlone() async throws {
        let wire = Wire()
        let delivered = Lock<[PushDelivery]>([])
        let server = try await SimulatorServer.start(deliver: { push in
            delivered.withValue { $0.append(push) }
        })
        let control = "http://127.0.0.1:\(server.port)/control"

        let order: JSONValue = ["issuer": "Forge", "account": "demo", "realm": "/alpha"]
        let created = try #require(try await wire.send("POST", "\(control)/registrations", json: order).body)
        let registration = try PushRegistration(uri: try created.member("uri"))
        #expect(created["messageId"] == .string(registration.messageId))
        #expect(SharedSecret(base64: try created.member("secret")) == registration.sharedSecret)
        #expect(
            try await wire.send(registration.request(mechanismUid: "m", device: Enrolment.device))
                == .accepted
        )

        let login: JSONValue = [
            "mechanismUid": "m", "type": "challenge", "message": "Hello", "numbers": "1,2,3",
            "customPayload": ["a": 1], "contextInfo": #"{"remoteIp":"::1"}"#, "ttl": 60,
        ]
        let answer = try #require(try await wire.send("POST", "\(control)/pushes", json: login).body)
        let push = try #require(delivered.withValue { $0.first })
        #expect(answer == push.json)
        #expect(answer["payload"]?["aps"]?["messageId"] == .string(push.messageId))

        let credential = registration.credential(id: "m", createdAt: Date())
        let enrolment = Enrolment(server: server, clock: StoppedClock(), credential: credential)
        #expect(try enrolment.notification(push).customPayload == #"{"a":1}"#)
        let state = "\(control)/pushes/\(push.messageId)"
        #expect(try await wire.send("GET", state, json: nil).body == ["state": "waiting"])
        #expect(try await enrolment.answer(.approveChallenge("1"), to: push) == .accepted)
        #expect(try await wire.send("GET", state, json: nil).body == ["state": "approved"])

        let devices = try await wire.send("GET", "\(control)/devices", json: nil).body
        #expect(
            devices
                == .array([
                    [
                        "mechanismUid": "m", "deviceToken": "0a1b2c", "issuer": "Forge", "account": "demo",
                        "realm": "/alpha",
                    ]
                ])
        )
        let journal = try await wire.send("GET", "\(control)/journal", json: nil).body
        #expect(journal == .array(server.journal.map(\.json)))
        await server.stop()
    }

    @Test(arguments: [
        ("POST", "pushes", #"{"mechanismUid":"stranger","type":"default"}"#, 400),
        ("POST", "pushes", #"{"mechanismUid":"m","type":"shout"}"#, 400),
        ("POST", "pushes", #"{"mechanismUid":"m","type":"default","ttl":"x"}"#, 400),
        ("POST", "registrations", #"{"issuer":"Forge"}"#, 400),
        ("POST", "registrations", #"{"issuer":"Forge","account":"a","realm":"/nowhere"}"#, 400),
        ("POST", "registrations", "no JSON", 400),
        ("GET", "pushes/nothing", "", 404),
        ("GET", "secrets", "", 404),
    ])
    func nonsenseIsRefused(_ method: String, _ path: String, _ body: String, _ status: Int) async throws {
        let server = try await SimulatorServer.start()
        let address = "http://127.0.0.1:\(server.port)/control/\(path)"
        let content = body.isEmpty ? nil : Data(body.utf8)
        #expect(try await Wire().send(method, address, body: content).status == status)
        await server.stop()
    }

    @Test(arguments: ["/control", "/control/", "/control/journal"])
    func controlRequestsAreNotInTheJournal(_ path: String) {
        var service = SimulatedService()
        _ = service.handle(SimulatedRequest("GET", path: path), at: Date())
        #expect(service.journal == [])
    }

    @Test func failedDeliveryIsSaid() async throws {
        let server = try await SimulatorServer.start(deliver: { _ in throw CocoaError(.fileNoSuchFile) })
        server.withService {
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
            "http://127.0.0.1:\(server.port)/control/pushes",
            json: order
        )
        #expect(answer.status == 500)
        #expect(answer.body?["reason"] == "Internal Server Error")
        await server.stop()
    }

    @Test func journalShowsClaimsAndNoSecret() async throws {
        let enrolment = try await Enrolment.start()
        let push = try enrolment.push()
        _ = try await enrolment.answer(.deny, to: push)
        _ = try await enrolment.wire.send(
            "POST",
            enrolment.credential.authenticationEndpoint,
            body: Data("?".utf8)
        )
        let journal = enrolment.server.journal
        #expect(journal.map(\.action) == ["register", "authenticate", "authenticate"])
        #expect(journal.map(\.status) == [200, 200, 400])
        #expect(journal[0].claims?["communicationType"] == "apns")
        #expect(journal[1].claims == ["response": try enrolment.response(to: push), "deny": true])
        #expect(journal[1].headers["accept-api-version"] == "resource=1.0, protocol=1.0")
        #expect(journal[2].body == "?")
        let everything = JSONValue.array(journal.map(\.json)).text + "\(enrolment.server.withService { $0 })"
        for secret in enrolment.credential.sharedSecret.spellings {
            #expect(!everything.contains(secret))
        }
        await enrolment.server.stop()
    }
}

extension JSONValue {
    fileprivate func member(_ name: String) throws -> String {
        guard case .string(let text)? = self[name] else { throw CocoaError(.coderValueNotFound) }
        return text
    }
}

extension SharedSecret {
    fileprivate var spellings: [String] {
        [withBase64 { $0 }, withUnsafeBytes { Base64.encodeURLSafe($0) }]
    }
}
