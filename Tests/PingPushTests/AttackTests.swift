import Foundation
import PingPush
import PushBridgeCore
import PushBridgeTestSupport
import Testing

import struct Crypto.SHA256

/// Pushes that attackers send to an app are rejected, and no part of them is stored.
@Suite("Attacks")
struct AttackTests {
    struct Attack: Sendable, CustomTestStringConvertible {
        let testDescription: String
        /// Creates the payload from the attacked credential and another credential of the same device.
        let payload: @Sendable (PushCredential, PushCredential) -> JSONValue
        /// The reason for the rejection; `nil` if the payload is not a push and therefore causes no error.
        let reason: String?

        init(
            _ name: String,
            _ reason: String?,
            _ payload: @escaping @Sendable (PushCredential, PushCredential) -> JSONValue
        ) {
            testDescription = name
            self.reason = reason
            self.payload = payload
        }
    }

    static let attacks: [Attack] = [
        Attack("a forged signature", "The signature is wrong.") { victim, _ in
            PushClientFixture.payload(["d": "mallory"], for: victim, signedWith: .random())
        },
        Attack("another credential's key", "The signature is wrong.") { victim, other in
            PushClientFixture.payload(["d": "mallory"], for: victim, signedWith: other.sharedSecret)
        },
        Attack("no algorithm", "The token is not signed with HS256.") { victim, _ in
            aps(token(["alg": "none", "typ": "JWT"], claims(victim), ""))
        },
        Attack("no algorithm, signed", "The token is not signed with HS256.") { victim, _ in
            aps(token(["alg": "none", "typ": "JWT"], claims(victim), victim.sharedSecret))
        },
        Attack("HS384", "The token is not signed with HS256.") { victim, _ in
            aps(token(["alg": "HS384", "typ": "JWT"], claims(victim), victim.sharedSecret))
        },
        Attack("RS256", "The token is not signed with HS256.") { victim, _ in
            aps(token(["alg": "RS256", "typ": "JWT"], claims(victim), victim.sharedSecret))
        },
        Attack("an algorithm that is not text", nil) { victim, _ in
            aps(token(["alg": 256], claims(victim), victim.sharedSecret))
        },
        Attack("a changed claim", "The signature is wrong.") { victim, _ in
            let honest = parts(PushClientFixture.payload(["m": "Pay 1"], for: victim))
            let forged = parts(
                PushClientFixture.payload(["m": "Pay 1000"], for: victim, signedWith: .random())
            )
            return aps([honest[0], forged[1], honest[2]].joined(separator: "."))
        },
        Attack("a truncated token", "The signature is wrong.") { victim, _ in
            let whole = parts(PushClientFixture.payload(for: victim)).joined(separator: ".")
            return aps(String(whole.dropLast(4)))
        },
        Attack("a token without a signature", "The signature is wrong.") { victim, _ in
            aps(parts(PushClientFixture.payload(for: victim)).prefix(2).joined(separator: ".") + ".")
        },
        Attack("a token of a megabyte", "The push is too large.") { victim, _ in
            PushClientFixture.payload(["m": .string(String(repeating: "m", count: 1 << 20))], for: victim)
        },
        Attack("an unknown mechanism", "The push's credential is not stored.") { victim, _ in
            PushClientFixture.payload(["u": "nobody"], for: victim)
        },
        Attack("a mechanism that is not text", "The token's claim u is invalid.") { victim, _ in
            PushClientFixture.payload(["u": 7], for: victim)
        },
        Attack("a challenge that is not text", "The token's claim c is invalid.") { victim, _ in
            PushClientFixture.payload(["c": .array(["x"])], for: victim)
        },
        Attack("a challenge that is not base64", "The token's claim c is invalid.") { victim, _ in
            PushClientFixture.payload(["c": "!"], for: victim)
        },
        Attack("keys outside aps", nil) { victim, _ in
            PushClientFixture.payload(for: victim)["aps"] ?? .null
        },
    ]

    @Test(arguments: StoreKind.allCases, attacks)
    func attacksStoreNothing(_ kind: StoreKind, _ attack: Attack) async throws {
        let fixture = try await PushClientFixture(kind)
        let victim = try await fixture.enrol("babs")
        let other = try await fixture.enrol("scarter")
        let message = attack.payload(victim, other).text
        if let reason = attack.reason {
            await #expect(throws: PushError.messageParsingFailed(reason)) {
                try await fixture.client.processNotification(message: message)
            }
        } else {
            #expect(try await fixture.client.processNotification(message: message) == nil)
        }
        #expect(try await fixture.client.getAllNotifications() == [])
        #expect(Set(try await fixture.client.getCredentials().map(\.userId)) == [nil])
        #expect(fixture.server.requests.filter { $0.action != .register } == [])
    }

    @Test func keysOutsideApsDoNotOverrideThoseInside() async throws {
        let fixture = try await PushClientFixture()
        let credential = try await fixture.enrol()
        let inside = PushClientFixture.payload(for: credential, messageId: "inside")
        let outside = PushClientFixture.payload(for: credential, messageId: "outside")
        guard let aps = inside["aps"], case .object(var members)? = outside["aps"] else {
            Issue.record("The payload has no object aps.")
            return
        }
        members["aps"] = aps
        let push = try await fixture.client.processNotification(message: JSONValue.object(members).text)
        #expect(push?.messageId == "inside")
    }

    private static func claims(_ credential: PushCredential) -> JSONValue {
        ["u": .string(credential.id), "c": "Y2g="]
    }

    private static func aps(_ token: String) -> JSONValue {
        ["aps": ["messageId": "AUTHENTICATE:1", "data": .string(token)]]
    }

    private static func parts(_ payload: JSONValue) -> [String] {
        guard case .string(let token)? = payload["aps"]?["data"] else { return [] }
        return token.split(separator: ".", omittingEmptySubsequences: false).map(String.init)
    }

    private static func token(_ header: JSONValue, _ claims: JSONValue, _ signature: String) -> String {
        [header, claims].map { Base64.encodeURLSafe($0.data) }.joined(separator: ".") + "." + signature
    }

    /// Returns a token with a valid signature and a header that the attacker chose.
    private static func token(_ header: JSONValue, _ claims: JSONValue, _ secret: SharedSecret) -> String {
        let text = [header, claims].map { Base64.encodeURLSafe($0.data) }.joined(separator: ".")
        let signature = secret.authenticationCode(for: Data(text.utf8), using: SHA256.self)
        return text + "." + Base64.encodeURLSafe(signature)
    }
}
