import Foundation
import PushBridgeCore
import PushBridgeTestSupport
import Testing

@Suite struct PushRequestTests {
    private let credential: PushCredential
    private let device = DeviceDescription(deviceId: "00FFAB", deviceName: "Zoë’s phone")

    init() throws {
        credential = try #require(.sample(secret: PushCredential.recordedSecret))
    }

    /// Checks everything in a request except the token, and returns the token's claims.
    private func claims(
        of request: PushRequest,
        _ action: PushRequest.Action,
        url: String,
        cookie: String? = nil,
        body expected: [String: JSONValue]
    ) throws -> JSONValue? {
        var headers: Set = [
            PushRequest.Header("accept-api-version", "resource=1.0, protocol=1.0"),
            PushRequest.Header("Content-Type", "application/json"),
        ]
        if let cookie { headers.insert(PushRequest.Header("Cookie", cookie)) }
        #expect(request.action == action)
        #expect(request.url == url)
        #expect(Set(request.headers) == headers)
        #expect(request.headers.count == headers.count)
        guard case .object(var body)? = JSONValue(json: request.body), case .string(let jwt)? = body["jwt"]
        else { return nil }
        body["jwt"] = nil
        #expect(body == expected)
        return JSONValue(json: try JSONWebToken(jwt).verified(with: credential.sharedSecret).claims)
    }

    private func deviceClaims(response: String? = nil) -> JSONValue {
        var claims: [String: JSONValue] = [
            "mechanismUid": "id", "deviceId": "00FFAB", "deviceName": "Zoë’s phone", "deviceType": "ios",
            "communicationType": "apns",
        ]
        claims["response"] = response.map(JSONValue.string)
        return .object(claims)
    }

    @Test(arguments: [nil, "amlbcookie=01"])
    func aRegistrationRequestDescribesTheDevice(_ loadBalancer: String?) throws {
        var registration = PushRegistration(
            account: credential.account,
            endpoints: credential.endpoints,
            sharedSecret: credential.sharedSecret,
            challenge: try #require(Base64.decode(PushCredential.recordedChallenge)),
            messageId: "REGISTER:1"
        )
        registration.loadBalancer = loadBalancer
        let claims = try claims(
            of: registration.request(mechanismUid: "id", device: device),
            .register,
            url: "https://am.example.com/push?_action=register",
            cookie: loadBalancer,
            body: ["messageId": "REGISTER:1"]
        )
        #expect(claims == deviceClaims(response: PushCredential.recordedResponse))
    }

    @Test(
        arguments: [
            (.approve, .default, [:]), (.approveBiometric, .biometric, [:]),
            (.approveChallenge("43"), .challenge, ["challengeResponse": "43"]),
            (.deny, .default, ["deny": true]),
            (.deny, .challenge, ["deny": true]), (.deny, .biometric, ["deny": true]),
        ] as [(PushAnswer, PushType, [String: JSONValue])]
    )
    func anAnswerContainsItsClaimsAndNoOthers(
        _ answer: PushAnswer,
        _ type: PushType,
        _ extra: [String: JSONValue]
    ) throws {
        var notification = PushNotification.sample(type: type)
        for loadBalancer in [nil, "", "amlbcookie=02"] {
            notification.loadBalancer = loadBalancer
            let claims = try claims(
                of: credential.answerRequest(answer, to: notification),
                .authenticate,
                url: "https://am.example.com/push?_action=authenticate",
                cookie: loadBalancer == "" ? nil : loadBalancer,
                body: ["messageId": "AUTHENTICATE:push"]
            )
            let response: [String: JSONValue] = ["response": .string(PushCredential.recordedResponse)]
            #expect(claims == .object(response.merging(extra) { _, new in new }))
        }
    }

    /// A token update contains the user's name, which by default is the account's name.
    ///
    /// From AM 8.0.1 on, servers reject an update without a user name.
    @Test func aRefreshRequestContainsTheNameOfTheUserOrTheAccount() throws {
        var credential = credential
        for (userId, name) in [nil: "name", "id=demo": "id=demo"] as [String?: String] {
            credential.userId = userId
            let claims = try claims(
                of: credential.refreshRequest(device: device),
                .refresh,
                url: "https://am.example.com/push?_action=refresh",
                body: ["mechanismUid": "id", "username": .string(name)]
            )
            #expect(claims == deviceClaims())
        }
    }

    @Test func aRefreshRequestContainsTheLoadBalancersCookie() throws {
        var credential = credential
        credential.legacy = LegacyDetails(
            registration: LegacyRegistration(messageId: nil, challenge: nil, loadBalancer: "amlbcookie=01")
        )
        let cookie = PushRequest.Header("Cookie", "amlbcookie=01")
        #expect(credential.refreshRequest(device: device).headers.contains(cookie))
    }

    @Test func theBodyOfARequestIsDeterministic() throws {
        let request = credential.refreshRequest(device: device)
        #expect(request == credential.refreshRequest(device: device))
        let body = String(decoding: request.body, as: UTF8.self)
        #expect(body.hasPrefix(#"{"jwt":"eyJ0eXAiOiJKV1QiLCJhbGciOiJIUzI1NiJ9."#))
        #expect(body.hasSuffix(#"","mechanismUid":"id","username":"name"}"#))
    }

    @Test func anInvalidAnswerThrowsAndMakesNoRequest() throws {
        #expect(throws: PushAnswerError.wrongKind(.challenge)) {
            try credential.answerRequest(.approve, to: .sample(type: .challenge))
        }
        #expect(throws: PushAnswerError.credentialNotFound) {
            try credential.answerRequest(.approve, to: .sample(of: "another"))
        }
        let unsignable = PushNotification(
            id: "1",
            credentialId: "id",
            message: PushMessage(id: "1", challenge: "?"),
            ttl: 1,
            sentAt: .sample,
            createdAt: .sample
        )
        #expect(throws: PushAnswerError.invalidChallenge) {
            try credential.answerRequest(.deny, to: unsignable)
        }
    }

    @Test func printedRequestsContainNoTokens() {
        var text = ""
        dump(credential.refreshRequest(device: device), to: &text)
        dump(device, to: &text)
        #expect(!text.contains("00FFAB") && !text.contains("eyJ"))
    }

    @Test(arguments: [
        (
            "https://am.example.com/am/json/push/sns/message?realm=/alpha&_action=register",
            "https://am.example.com/am/json/push/sns/message?realm=/alpha&_action=refresh"
        ),
        ("https://h/m?_action=register&x=1", "https://h/m?_action=refresh&x=1"),
        ("https://h/m", "https://h/m"),
    ])
    func theUpdateAddressKeepsTheOtherQueryItems(_ registration: String, _ update: String) throws {
        let endpoints = PushEndpoints(registration: registration, authentication: "https://h/a")
        #expect(try #require(endpoints).update == update)
    }

    /// For every push mechanism in the fixtures, the device token is updated at the address that the legacy
    /// SDK uses.
    @Test(arguments: ["everyday", "edges"])
    func tokensOfTheFixturesAreUpdatedAtTheAddressOfTheSDK(_ name: String) throws {
        let records = try JSONDecoder().decode(
            [Record].self,
            from: LegacyFixtures.data("\(name).expected.json")
        )
        let pushes = records.filter { $0.updateEndpoint != nil }
        #expect(!pushes.isEmpty)
        for push in pushes {
            let json = try #require(JSONValue(json: Data(push.json.utf8)))
            guard case .string(let registration)? = json["registrationEndpoint"] else {
                Issue.record("The mechanism has no registration endpoint.")
                continue
            }
            let endpoints = PushEndpoints(registration: registration, authentication: registration)
            #expect(endpoints?.update == push.updateEndpoint)
        }
    }

    private struct Record: Decodable {
        let json: String
        let updateEndpoint: String?
    }
}
