import Foundation
import PingPush
import PushBridgeCore
import PushBridgePlatform
import PushBridgeStore
import PushBridgeTestSupport
import Testing

/// PushBridge's requests equal the recorded requests of the successor SDK, except for the registered divergences.
///
/// The requests cover the life of two credentials.
@Suite("Wire")
struct WireTests {
    // The secrets, challenges and responses are test vectors of the push protocol.
    private static let alpha = Realm(
        secret: "5GuioYhLlh-xER3n5I8vrx0uuYQo3yD86aJi6KuWDsg",
        challenge: "KP0XQfZ21N_jsXP_xfVQMmsmoUiWvdDPWecHdb5_INQ",
        response: "r03LIyMM0RL2RH0tG7JbEs3KfDxIoDXXJa0nWejZyW8=",
        sdkAddress: "https://am.example.com/am/json/alpha/push/sns/message?_action=",
        ourAddress: "https://am.example.com/am/json/alpha/push/sns/message?_action="
    )
    private static let beta = Realm(
        secret: "1xwCy9oR9v5haessTjDm-K_HNfgvzZ3_MOm6X0cdeKw",
        challenge: "Y2hhbGxlbmdlLXByb2JlLTAwMDE",
        response: "qqzX/xpjUCQWFDdRqKDLMfLVO5/uJtHSdMJKJ4IIbWs=",
        sdkAddress: "https://am.example.com/am/json/push/sns/message?_action=",
        ourAddress: "https://am.example.com/am/json/push/sns/message?realm=/beta&_action="
    )
    /// The encoded header `{"typ":"JWT","alg":"HS256"}`.
    private static let header = "eyJ0eXAiOiJKV1QiLCJhbGciOiJIUzI1NiJ9"
    private static let cookie = "Cookie: amlbcookie=01"

    private struct Realm {
        let secret: String
        let challenge: String
        let response: String
        let sdkAddress: String
        let ourAddress: String
    }

    /// A request, with the claims of its token instead of the token.
    private struct Sent: Equatable, CustomStringConvertible {
        var address: String
        var headers: Set<String> = [
            "accept-api-version: resource=1.0, protocol=1.0", "Content-Type: application/json",
        ]
        var body: JSONValue
        var claims: JSONValue

        var description: String { "\(address)\n\(headers.sorted())\n\(body.text)\n\(claims.text)" }
    }

    /// A request of the SDK, and the changes that PushBridge makes to it.
    ///
    /// Each change is identified by its id in the register of divergences.
    private struct Expected {
        let sdk: Sent
        var divergences: [(id: String, change: (inout Sent) -> Void)] = []

        var ours: Sent { divergences.reduce(into: sdk) { $1.change(&$0) } }
    }

    @Test func requestsDifferFromThoseOfTheSDKOnlyAsRegistered() async throws {
        let server = FakeTransport()
        let client = try await PushClient.createClient { config in
            config.storage = CredentialStoreStorage(MemoryCredentialStore())
            config.transport = server
            config.hooks = NetworkHooks()
            config.logger = LogManager.none
            config.deviceName = "Phone"
        }
        try await client.setDeviceToken("00ff")
        let first = try await client.addCredentialFromUri(
            // The code contains the load-balancer cookie `amlbcookie=01` and the user `user-7`.
            uri(Self.alpha, messageId: "REGISTER:1") + "&l=YW1sYmNvb2tpZT0wMQ&uid=dXNlci03"
        )
        let second = try await client.addCredentialFromUri(uri(Self.beta, messageId: "REGISTER:2"))
        var expected = [
            registering(first.id, "00ff", at: Self.alpha, messageId: "REGISTER:1", hasCookie: true),
            registering(second.id, "00ff", at: Self.beta, messageId: "REGISTER:2"),
        ]
        for token in ["0a0b", "0c0d", "0e0f"] {
            try await client.setDeviceToken(token)
            expected.append(updating(first.id, token, at: Self.alpha, user: "user-7", hasCookie: true))
            expected.append(updating(second.id, token, at: Self.beta))
        }
        for (number, push) in Push.all.enumerated() {
            let (credential, realm) = push.isFirst ? (first, Self.alpha) : (second, Self.beta)
            let messageId = "AUTHENTICATE:\(number)"
            var claims: [String: JSONValue] = ["c": .string(realm.challenge), "k": .string(push.type)]
            if push.type == "challenge" { claims["n"] = "34,43,57" }
            if push.isFirst { claims["l"] = "YW1sYmNvb2tpZT0wMg==" }
            let payload = Sample.payload(of: credential, claims, messageId: messageId)
            let received = try #require(await client.processNotification(messageData: payload))
            #expect(try await push.answer(client, received.id))
            expected.append(answering(push, at: realm, messageId: messageId))
        }

        let sent = try server.requests.map(read)
        #expect(sent.count == 14)
        #expect(sent == expected.map(\.ours))
        for (sent, expected) in zip(sent, expected) {
            #expect((sent == expected.sdk) == expected.divergences.isEmpty)
        }
        let ids = Set(expected.flatMap { $0.divergences.map(\.id) })
        #expect(ids == ["endpoints-word-by-word", "user-of-an-update"])
        let guide = try String(contentsOf: Guide.url, encoding: .utf8)
        for id in ids { #expect(guide.contains("| <a id=\"\(id)\"></a>`\(id)` |")) }
    }

    private struct Push {
        let isFirst: Bool
        let type: String
        /// The claims of the answer, without the response.
        let claims: [String: JSONValue]
        let answer: (PushClient, String) async throws -> Bool

        static var all: [Push] {
            [
                Push(isFirst: true, type: "default", claims: [:]) { try await $0.approveNotification($1) },
                Push(isFirst: true, type: "challenge", claims: ["challengeResponse": "34"]) {
                    try await $0.approveChallengeNotification($1, challengeResponse: "34")
                },
                Push(isFirst: true, type: "biometric", claims: [:]) {
                    try await $0.approveBiometricNotification($1, authenticationMethod: "face")
                },
                Push(isFirst: true, type: "default", claims: ["deny": true]) {
                    try await $0.denyNotification($1)
                },
                Push(isFirst: false, type: "default", claims: [:]) { try await $0.approveNotification($1) },
                Push(isFirst: false, type: "challenge", claims: ["deny": true]) {
                    try await $0.denyNotification($1)
                },
            ]
        }
    }

    private func uri(_ realm: Realm, messageId: String) -> String {
        func encoded(_ text: String) -> String { Base64.encodeURLSafe(text.utf8) }
        return "pushauth://push/forgerock:babs?issuer=RXhhbXBsZQ&m=\(messageId)&s=\(realm.secret)"
            + "&c=\(realm.challenge)&r=\(encoded("\(realm.ourAddress)register"))"
            + "&a=\(encoded("\(realm.ourAddress)authenticate"))"
    }

    private func device(_ id: String, _ token: String) -> [String: JSONValue] {
        [
            "mechanismUid": .string(id), "deviceId": .string(token), "deviceName": "Phone",
            "deviceType": "ios", "communicationType": "apns",
        ]
    }

    private func registering(
        _ id: String,
        _ token: String,
        at realm: Realm,
        messageId: String,
        hasCookie: Bool = false
    ) -> Expected {
        var claims = device(id, token)
        claims["response"] = .string(realm.response)
        var sdk = Sent(
            address: "POST \(realm.sdkAddress)register",
            body: ["messageId": .string(messageId)],
            claims: .object(claims)
        )
        if hasCookie { sdk.headers.insert(Self.cookie) }
        return expected(sdk, at: realm, "register")
    }

    private func updating(
        _ id: String,
        _ token: String,
        at realm: Realm,
        user: String? = nil,
        hasCookie: Bool = false
    ) -> Expected {
        var body: [String: JSONValue] = ["mechanismUid": .string(id)]
        if let user { body["userId"] = .string(user) }
        var sdk = Sent(
            address: "POST \(realm.sdkAddress)refresh",
            body: .object(body),
            claims: .object(device(id, token))
        )
        if hasCookie { sdk.headers.insert(Self.cookie) }
        var result = expected(sdk, at: realm, "refresh")
        result.divergences.append(
            (
                "user-of-an-update",
                { $0.body = ["mechanismUid": .string(id), "username": .string(user ?? "babs")] }
            )
        )
        return result
    }

    private func answering(_ push: Push, at realm: Realm, messageId: String) -> Expected {
        var claims = push.claims
        claims["response"] = .string(realm.response)
        var sdk = Sent(
            address: "POST \(realm.sdkAddress)authenticate",
            body: ["messageId": .string(messageId)],
            claims: .object(claims)
        )
        if push.isFirst { sdk.headers.insert("Cookie: amlbcookie=02") }
        return expected(sdk, at: realm, "authenticate")
    }

    private func expected(_ sdk: Sent, at realm: Realm, _ action: String) -> Expected {
        guard realm.sdkAddress != realm.ourAddress else { return Expected(sdk: sdk) }
        let change = { (sent: inout Sent) in sent.address = "POST \(realm.ourAddress)\(action)" }
        return Expected(sdk: sdk, divergences: [("endpoints-word-by-word", change)])
    }

    private func read(_ request: PushRequest) throws -> Sent {
        guard case .object(var body)? = JSONValue(json: request.body),
            case .string(let token)? = body.removeValue(forKey: "jwt")
        else { throw PushError.messageParsingFailed("The request has no token.") }
        let parts = token.split(separator: ".").map(String.init)
        #expect(parts.count == 3 && parts[0] == Self.header)
        let secret = request.url.contains("beta") ? Self.beta.secret : Self.alpha.secret
        let key = try #require(SharedSecret(base64: secret))
        return Sent(
            address: "\(request.method) \(request.url)",
            headers: Set(request.headers.map { "\($0.name): \($0.value)" }),
            body: .object(body),
            claims: try #require(JSONValue(json: JSONWebToken(token).verified(with: key).claims))
        )
    }
}

/// The page with the register of divergences from the successor SDK.
enum Guide {
    static let url = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
        .appendingPathComponent("../../docs/successor.md")
}
