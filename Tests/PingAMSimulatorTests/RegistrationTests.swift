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

    @Test func aRegistrationURIIsReadWithTheValuesOfItsOrder() async throws {
        let server = Simulator()
        var order = RegistrationOrder(issuer: "Forge", account: "demo")
        order.userId = "user-1"
        order.resourceId = "device-1"
        let code = try server.createCode(order)
        #expect(try PushRegistration(uri: code.uri) == code.registration)
        #expect(code.registration.userId == "user-1")
        #expect(code.registration.deviceResourceId == "device-1")
        #expect(code.registration.endpoints.registration.hasPrefix("\(server.base)/json/push"))
    }

    @Test func registrationIsSingleUse() async throws {
        let server = Simulator()
        let registration = try server.createRegistration(RegistrationOrder(issuer: "Forge", account: "demo"))
        let request = registration.request(mechanismUid: "m", device: Enrolment.device)
        #expect(try await Wire().send(request) == .accepted)
        #expect(try await Wire().send(request) == refused)
    }

    @Test func registrationExpires() async throws {
        let clock = StoppedClock()
        let server = Simulator(now: { clock.now })
        let registration = try server.createRegistration(RegistrationOrder(issuer: "Forge", account: "demo"))
        clock.advance(120)
        let request = registration.request(mechanismUid: "m", device: Enrolment.device)
        #expect(try await Wire().send(request) == refused)
        #expect(server.withService { $0.devices }.isEmpty)
    }

    @Test(arguments: [("gcm", 200), ("APNS", 200), (nil, 500)])
    func aCommunicationTypeIsRequiredAndAnyTypeIsAccepted(_ type: String?, _ status: Int) async throws {
        let server = Simulator()
        let registration = try server.createRegistration(RegistrationOrder(issuer: "Forge", account: "demo"))
        let secret = registration.sharedSecret
        var claims: [String: JSONValue] = [
            "response": .string(ChallengeResponse.compute(challenge: registration.challenge, secret: secret)),
            "mechanismUid": "m", "deviceId": "t", "deviceType": "ios",
        ]
        claims["communicationType"] = type.map(JSONValue.string)
        let jwt = secret.signedToken(claims: JSONValue.object(claims).data)
        let body: JSONValue = ["messageId": .string(registration.messageId), "jwt": .string(jwt)]
        let answer = try await Wire().send("POST", registration.endpoints.registration, json: body)
        #expect(answer.status == status)
        #expect(server.withService { $0.devices }.isEmpty == (status != 200))
    }

    @Test func deviceWithoutAnIdIsAcceptedAndNotStored() async throws {
        let server = Simulator()
        let registration = try server.createRegistration(RegistrationOrder(issuer: "Forge", account: "demo"))
        let request = registration.request(mechanismUid: "", device: Enrolment.device)
        #expect(try await Wire().send(request) == .accepted)
        #expect(server.withService { $0.devices }.isEmpty)
    }

    @Test(arguments: ["mechanismUid", "deviceId", "deviceType"])
    func deviceThatOmitsAParameterFailsAtTheLoginPage(_ name: String) async throws {
        let clock = StoppedClock()
        var settings = ServiceSettings()
        settings.pagesLook = false
        let server = Simulator(settings: settings, now: { clock.now })
        let registration = try server.createRegistration(RegistrationOrder(issuer: "Forge", account: "demo"))
        let answer = try await registration.send([name: ""])
        #expect(answer == .accepted)
        #expect(server.look(afterRegistration: registration.messageId) == .failed)
        #expect(server.withService { $0.devices }.isEmpty)
    }

    @Test func deviceIsStoredWhenTheLoginPagePolls() async throws {
        let clock = StoppedClock()
        var settings = ServiceSettings()
        settings.pagesLook = false
        let server = Simulator(settings: settings, now: { clock.now })
        let registration = try server.createRegistration(RegistrationOrder(issuer: "Forge", account: "demo"))
        #expect(server.look(afterRegistration: registration.messageId) == .waiting)
        #expect(try await registration.send() == .accepted)
        #expect(try await registration.send() == refused)
        #expect(server.withService { $0.devices }.isEmpty)
        #expect(server.look(afterRegistration: registration.messageId) == .registered)
        #expect(server.withService { Array($0.devices.keys) } == ["m"])
        #expect(server.look(afterRegistration: "REGISTER:other") == nil)
    }

    /// From 7.1 on, the registration page of a node times out after one minute.
    ///
    /// The registration page of a module has no timeout.
    @Test(arguments: [
        (PushSender.node, ServerVersion.v8_0_2, 59.9, RegistrationState.registered),
        (.node, .v7_1, 60, .expired),
        (.node, .v6_5, 60, .registered), (.module, .v8_0_2, 119.9, .registered),
    ])
    func deviceAfterTheLoginPageTimedOutIsAcceptedAndNotStored(
        _ sender: PushSender,
        _ version: ServerVersion,
        _ seconds: TimeInterval,
        _ state: RegistrationState
    ) async throws {
        let clock = StoppedClock()
        var settings = ServiceSettings()
        settings.sender = sender
        settings.version = version
        let server = Simulator(settings: settings, now: { clock.now })
        let registration = try server.createRegistration(RegistrationOrder(issuer: "Forge", account: "demo"))
        clock.advance(seconds)
        #expect(try await registration.send() == .accepted)
        #expect(server.look(afterRegistration: registration.messageId) == state)
        #expect(server.withService { $0.devices }.isEmpty == (state == .expired))
    }

    /// From 8.0.1 on, a registration or an update gets status 400 if Amazon's service rejects the token.
    @Test(arguments: [(ServerVersion.v8_0_0, 500), (.v8_0_2, 400)])
    func tokenWithoutAnEndpointIsRefused(_ version: ServerVersion, _ status: Int) async throws {
        var settings = ServiceSettings()
        settings.version = version
        settings.tokensWithoutEndpoint = ["bad"]
        let server = Simulator(settings: settings)
        let registration = try server.createRegistration(RegistrationOrder(issuer: "Forge", account: "demo"))
        #expect(try await registration.send(["deviceId": "bad"]).status == status)
        #expect(try await registration.send() == .accepted)
        guard version.takesNewTokens else { return }
        let credential = registration.credential(id: "m", createdAt: Date())
        let update = credential.refreshRequest(device: DeviceDescription(deviceId: "bad", deviceName: ""))
        #expect(try await Wire().send(update) == refused)
    }

    @Test func severalDevicesAreListedInTheOrderOfTheirRegistration() async throws {
        var settings = ServiceSettings()
        settings.allowsSeveralDevices = true
        let server = Simulator(settings: settings)
        for id in ["z", "a"] {
            let order = RegistrationOrder(issuer: "Forge", account: "demo")
            let registration = try server.createRegistration(order)
            #expect(try await registration.send(["mechanismUid": .string(id)]) == .accepted)
        }
        #expect(server.withService { $0.devices(of: "demo").map(\.mechanismUid) } == ["z", "a"])
    }

    @Test func aDeviceWithAForgottenTokenIsUnreachableUntilItSendsAnotherToken() async throws {
        let enrolment = try await Enrolment.start()
        let id = enrolment.credential.id
        #expect(enrolment.server.withService { $0.forgetToken("0a1b2c") } == [id])
        let error = #expect(throws: SimulatorError.self) { try enrolment.push() }
        #expect(error?.code == .unreachable)
        let device = DeviceDescription(deviceId: "ffff", deviceName: "Phone")
        let update = enrolment.credential.refreshRequest(device: device)
        #expect(try await enrolment.wire.send(update) == .accepted)
        #expect(try enrolment.push().deviceToken == "ffff")
    }

    /// The server keeps a token that the device sent again after the token had become invalid.
    ///
    /// APNs reports the date when the token became invalid.
    @Test func tokenThatWasSentAgainIsNotForgotten() async throws {
        let enrolment = try await Enrolment.start()
        let id = enrolment.credential.id
        let sentAt = try #require(enrolment.server.withService { $0.devices[id]?.tokenTime })
        #expect(enrolment.server.withService { $0.forgetToken("0a1b2c", goneAt: sentAt - 1) } == [])
        #expect(try enrolment.push().deviceToken == "0a1b2c")
        #expect(enrolment.server.withService { $0.forgetToken("0a1b2c", goneAt: sentAt) } == [id])
        let device = DeviceDescription(deviceId: "0a1b2c", deviceName: "Phone")
        let update = enrolment.credential.refreshRequest(device: device)
        #expect(try await enrolment.wire.send(update) == .accepted)
        let again = try #require(enrolment.server.withService { $0.devices[id]?.tokenTime })
        #expect(again >= sentAt)
        #expect(enrolment.server.withService { $0.forgetToken("0a1b2c", goneAt: again - 0.001) } == [])
        #expect(try enrolment.push().deviceToken == "0a1b2c")
    }

    @Test func aUserWithADeviceReceivesNoCodeBeforeAReset() async throws {
        let enrolment = try await Enrolment.start(realm: .root)
        var order = RegistrationOrder(issuer: "Forge", account: "demo")
        order.userId = "user-1"
        let error = #expect(throws: SimulatorError.self) { try enrolment.server.createCode(order) }
        #expect(error?.code == .alreadyRegistered)
        enrolment.server.withService { $0.resetDevices(of: "user-1") }
        #expect(throws: Never.self) { try enrolment.server.createCode(order) }
        enrolment.server.withService { $0.settings.allowsSeveralDevices = true }
        #expect(throws: Never.self) { try enrolment.server.createCode(order) }
    }

    /// A combined code requires a user who has neither a push profile nor a one-time-password profile.
    ///
    /// A push-only code requires only that the user has no push profile.
    @Test func userWithOneTimePasswordsGetsNoCombinedCode() async throws {
        let server = Simulator()
        let plain = RegistrationOrder(issuer: "Forge", account: "demo")
        var combined = plain
        combined.codes = OneTimeCodeOrder()
        #expect(throws: Never.self) { try server.createCode(combined) }
        #expect(try await server.createRegistration(combined).send() == .accepted)
        server.withService { $0.resetDevices(of: "demo") }
        let error = #expect(throws: SimulatorError.self) { try server.createCode(combined) }
        #expect(error?.code == .alreadyRegistered)
        #expect(throws: Never.self) { try server.createCode(plain) }
        server.withService { $0.resetOneTimePasswords(of: "demo") }
        #expect(throws: Never.self) { try server.createCode(combined) }
    }

    @Test func secondDeviceReplacesTheFirst() async throws {
        let server = Simulator()
        let order = RegistrationOrder(issuer: "Forge", account: "demo")
        let codes = [try server.createRegistration(order), try server.createRegistration(order)]
        for (id, code) in zip(["first", "second"], codes) {
            let request = code.request(mechanismUid: id, device: Enrolment.device)
            #expect(try await Wire().send(request) == .accepted)
        }
        #expect(server.withService { $0.devices.keys.sorted() } == ["second"])
    }

    @Test func realmWithoutPushServiceIsNotFound() async throws {
        let enrolment = try await Enrolment.start()
        let address = enrolment.credential.registrationEndpoint.replacingOccurrences(
            of: "alpha",
            with: "beta"
        )
        // The server reads the message id before it looks up the push service.
        #expect(try await enrolment.wire.send("POST", address, json: [:]).status == 400)
        let answer = try await enrolment.wire.send("POST", address, json: ["messageId": 7])
        #expect(answer.status == 404)
        #expect(answer.body?["message"] == "Cannot find Push Notification Service.")
        #expect(answer.body?["reason"] == "Not Found")
        let error = #expect(throws: SimulatorError.self) {
            try enrolment.server.createRegistration(
                RegistrationOrder(issuer: "Forge", account: "demo", realm: "/beta")
            )
        }
        #expect(error?.code == .noPushService)
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
        var stranger = PushCredential(
            id: known.id,
            account: known.account,
            endpoints: known.endpoints,
            sharedSecret: .random(),
            createdAt: known.createdAt
        )
        let device = DeviceDescription(deviceId: "ffff", deviceName: "Phone")
        stranger.userId = known.userId
        let answer = try await enrolment.wire.send(stranger.refreshRequest(device: device))
        #expect(answer == refused)
        #expect(enrolment.server.journal.last?.refusal == "The signature of the jwt is wrong.")
        #expect(try enrolment.push().deviceToken == "0a1b2c")
    }

    @Test(arguments: [nil, "user-2"])
    func refreshNeedsTheUsersName(_ name: String?) async throws {
        let enrolment = try await Enrolment.start()
        var credential = enrolment.credential
        credential.userId = name
        let device = DeviceDescription(deviceId: "ffff", deviceName: "Phone")
        #expect(try await enrolment.wire.send(credential.refreshRequest(device: device)) == refused)
        #expect(try enrolment.push().deviceToken == "0a1b2c")
    }

    @Test(arguments: [ServerVersion.v6_5, .v7_1, .v7_2, .v7_3, .v7_5, .v8_0_0])
    func serversBeforeVersion801RejectARefresh(_ version: ServerVersion) async throws {
        var settings = ServiceSettings()
        settings.version = version
        let enrolment = try await Enrolment.start(settings: settings)
        let device = DeviceDescription(deviceId: "ffff", deviceName: "Phone")
        let answer = try await enrolment.wire.send(enrolment.credential.refreshRequest(device: device))
        #expect(answer.status == 501)
        #expect(answer.body?["message"] == "refresh not supported")
    }
}
