import Foundation
import PingAMSimulator
import PushBridgeCore
import Testing

struct Registrations {
    @Test(arguments: RealmStyle.allCases, [Realm.root, "/alpha", "/alpha/staff", "/Köln & co"])
    func deviceRegistersInEveryRealm(_ style: RealmStyle, _ realm: Realm) async throws {
        var settings = ServiceSettings()
        settings.realms = [realm]
        settings.realmStyle = style
        let enrolment = try await Enrolment.start(realm: realm, settings: settings)
        let device = try #require(enrolment.server.withService { $0.devices[enrolment.credential.id] })
        #expect(device.realm == realm)
        #expect(device.deviceToken == "0a1b2c")
        #expect(device.account == AccountKey(issuer: "Forge", accountName: "demo"))
        #expect(device.sharedSecret == enrolment.credential.sharedSecret)
    }

    @Test func qrCarriesTheUserAndPathIssuerOfRealServers() async throws {
        let server = Simulator()
        var order = RegistrationOrder(issuer: "Forge", account: "demo")
        order.userId = "user-1"
        order.resourceId = "device-1"
        let registration = try server.createRegistration(order)
        let uri = registration.uri(labelIssuer: "forgerock")
        #expect(uri.hasPrefix("pushauth://push/forgerock:demo?"))
        #expect(try PushRegistration(uri: uri) == registration)
        #expect(registration.userId == "user-1")
        #expect(registration.endpoints.registration.hasPrefix("\(server.base)/json/push"))
    }

    @Test func registrationIsSingleUse() async throws {
        let server = Simulator()
        let registration = try server.createRegistration(RegistrationOrder(issuer: "Forge", account: "demo"))
        let request = registration.request(mechanismUid: "m", device: Enrolment.device)
        #expect(try await Wire().send(request) == .accepted)
        #expect(try await Wire().send(request) == unknownMessage)
    }

    @Test func registrationExpires() async throws {
        let clock = StoppedClock()
        let server = Simulator(now: { clock.now })
        let registration = try server.createRegistration(RegistrationOrder(issuer: "Forge", account: "demo"))
        clock.advance(120)
        let request = registration.request(mechanismUid: "m", device: Enrolment.device)
        #expect(try await Wire().send(request) == unknownMessage)
        #expect(server.withService { $0.devices }.isEmpty)
    }

    @Test(arguments: ["gcm", "APNS", nil])
    func onlyApnsIsRegistered(_ type: String?) async throws {
        let server = Simulator()
        let registration = try server.createRegistration(RegistrationOrder(issuer: "Forge", account: "demo"))
        let secret = registration.sharedSecret
        var claims: [String: JSONValue] = [
            "response": .string(ChallengeResponse.compute(challenge: registration.challenge, secret: secret)),
            "mechanismUid": "m", "deviceId": "t",
        ]
        claims["communicationType"] = type.map(JSONValue.string)
        let jwt = secret.signedToken(claims: JSONValue.object(claims).data)
        let body: JSONValue = ["messageId": .string(registration.messageId), "jwt": .string(jwt)]
        let answer = try await Wire().send("POST", registration.endpoints.registration, json: body)
        #expect(answer == .refused("The communicationType must be apns."))
        #expect(server.withService { $0.devices }.isEmpty)
    }

    @Test func realmWithoutPushServiceIsNotFound() async throws {
        let enrolment = try await Enrolment.start()
        let address = enrolment.credential.registrationEndpoint.replacingOccurrences(
            of: "alpha",
            with: "beta"
        )
        let answer = try await enrolment.wire.send("POST", address, json: [:])
        #expect(answer.status == 404)
        #expect(answer.body?["reason"] == "Not Found")
        #expect(throws: SimulatorError.self) {
            try enrolment.server.createRegistration(
                RegistrationOrder(issuer: "Forge", account: "demo", realm: "/beta")
            )
        }
    }

    @Test func refreshReplacesTheDeviceToken() async throws {
        let enrolment = try await Enrolment.start()
        let device = DeviceDescription(deviceId: "ffff", deviceName: "Phone")
        #expect(
            try await enrolment.wire.send(enrolment.credential.refreshRequest(device: device)) == .accepted
        )
        #expect(try enrolment.push().deviceToken == "ffff")
        #expect(enrolment.server.journal.last?.body["username"] == "user-1")
    }

    @Test func refreshWithAnotherSecretChangesNothing() async throws {
        let enrolment = try await Enrolment.start()
        let known = enrolment.credential
        let stranger = PushCredential(
            id: known.id,
            account: known.account,
            endpoints: known.endpoints,
            sharedSecret: .random(),
            createdAt: known.createdAt
        )
        let device = DeviceDescription(deviceId: "ffff", deviceName: "Phone")
        let answer = try await enrolment.wire.send(stranger.refreshRequest(device: device))
        #expect(answer == .refused("The signature of the jwt is wrong."))
        #expect(try enrolment.push().deviceToken == "0a1b2c")
    }
}
