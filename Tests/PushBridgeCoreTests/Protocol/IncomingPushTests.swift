import Foundation
import PushBridgeCore
import Testing

@Suite struct IncomingPushTests {
    private let credential: PushCredential

    init() throws {
        credential = try #require(.sample(secret: PushCredential.recordedSecret))
    }

    private func claims(_ extra: [String: JSONValue] = [:]) -> JSONValue {
        let required: [String: JSONValue] = ["u": "id", "c": .string(PushCredential.recordedChallenge)]
        return .object(required.merging(extra) { _, new in new })
    }

    private func notification(_ extra: [String: JSONValue]) throws -> PushNotification {
        let payload = try PushPayload(json: credential.payload(claims(extra)).data)
        let push = try UnverifiedPush(#require(payload))
        return try #require(push).verified(with: credential, receivedAt: .sample).notification(id: "push")
    }

    private func expected(_ change: (inout PushNotification) -> Void = { _ in }) -> PushNotification {
        var notification = PushNotification(
            id: "push",
            credentialId: "id",
            message: PushMessage(id: "AUTHENTICATE:1", challenge: PushCredential.recordedChallenge),
            ttl: 120,
            sentAt: .sample,
            createdAt: .sample
        )
        change(&notification)
        return notification
    }

    @Test func requiredClaimsAreEnough() throws {
        #expect(try notification([:]) == expected())
    }

    @Test func allClaimsAreRead() throws {
        let notification = try notification([
            "l": "YW1sYmNvb2tpZT0wMQ==", "t": "60", "i": "1700000100250", "k": "CHALLENGE", "m": "Who?",
            "n": "34, 43,57", "p": #"{"orderId":"9912"}"#, "x": #"{"remoteIp":"10.0.0.1"}"#, "d": "id=demo",
        ])
        var expected = PushNotification(
            id: "push",
            credentialId: "id",
            message: PushMessage(id: "AUTHENTICATE:1", challenge: PushCredential.recordedChallenge),
            ttl: 60,
            sentAt: Date(timeIntervalSince1970: 1_700_000_100.25),
            createdAt: .sample
        )
        expected.loadBalancer = "amlbcookie=01"
        expected.pushType = .challenge
        expected.messageText = "Who?"
        expected.numbersChallenge = "34, 43,57"
        expected.customPayload = #"{"orderId":"9912"}"#
        expected.contextInfo = #"{"remoteIp":"10.0.0.1"}"#
        #expect(notification == expected)
        #expect(notification.numbers == [34, 43, 57])
        #expect(notification.expiresAt == Date(timeIntervalSince1970: 1_700_000_160.25))
    }

    @Test func numericClaimsMayBeJSONNumbers() throws {
        let notification = try notification(["t": 60, "i": 1_700_000_100_250])
        #expect(notification.ttl == 60)
        #expect(notification.sentAt == Date(timeIntervalSince1970: 1_700_000_100.25))
    }

    @Test func payloadAndContextClaimsMayBeJSONObjects() throws {
        let notification = try notification(["p": ["b": "x/y", "a": 1], "x": [:]])
        #expect(notification.customPayload == #"{"a":1,"b":"x/y"}"#)
        #expect(notification.contextInfo == "{}")
    }

    @Test(
        arguments: [
            ("default", .default), ("Biometric", .biometric), ("challenge", .challenge), ("voice", .default),
            ("", .default),
        ] as [(String, PushType)]
    )
    func pushTypesAreReadInAnyCase(_ name: String, _ type: PushType) throws {
        #expect(try notification(["k": .string(name), "n": "1,2"]).pushType == type)
        #expect(try notification(["k": .string(name), "n": "1"]).numbers == (type == .challenge ? [1] : []))
    }

    @Test func aClaimThatIsNullCountsAsAbsent() throws {
        let names = ["l", "t", "i", "k", "m", "n", "p", "x", "d"]
        #expect(try notification(Dictionary(uniqueKeysWithValues: names.map { ($0, .null) })) == expected())
    }

    @Test(arguments: ["u", "c"])
    func aMissingOrInvalidRequiredClaimThrows(_ name: String) {
        #expect(throws: PushReceptionError.missingClaim(name)) { try notification([name: .null]) }
        #expect(throws: PushReceptionError.invalidClaim(name)) { try notification([name: 1]) }
    }

    @Test(
        arguments: [
            ("l", "?"), ("l", 1), ("l", "YQ0KYjogYw=="), ("t", "soon"), ("t", -1),
            ("t", true), ("t", .number(1.5)), ("t", 3_000_000_000), ("i", "now"), ("i", .number(1e300)),
            ("i", [:]),
            ("k", 1), ("m", true), ("n", 34), ("p", 1), ("p", .array([])), ("x", false), ("d", 7),
        ] as [(String, JSONValue)]
    )
    func anInvalidOptionalClaimCountsAsAbsent(_ name: String, _ value: JSONValue) throws {
        #expect(try notification([name: value]) == expected())
    }

    @Test(arguments: ["?", ["a": 1]] as [JSONValue])
    func anInvalidChallengeIsRefused(_ value: JSONValue) {
        #expect(throws: PushReceptionError.invalidClaim("c")) { try notification(["c": value]) }
    }

    @Test(arguments: [
        "", "null", "[]", "7", "{", #"{"aps":null}"#, #"{"aps":{}}"#, #"{"aps":{"messageId":"1"}}"#,
        #"{"aps":{"data":"a.b.c"}}"#, #"{"aps":{"messageId":1,"data":"a.b.c"}}"#,
        #"{"messageId":"1","data":"a.b.c"}"#, #"{"aps":{"messageId":"","data":"a.b.c"}}"#,
    ])
    func aPayloadOfAnotherSenderIsNotHandled(_ json: String) throws {
        #expect(try PushPayload(json: Data(json.utf8)) == nil)
    }

    @Test(arguments: ["", "text", "a.b.c", "e30.e30.e30", "e30.e30"])
    func aTokenThatIsNotAJWTIsNotHandled(_ token: String) throws {
        #expect(try UnverifiedPush(PushPayload(messageId: "1", token: token)) == nil)
    }

    @Test func membersOutsideApsAreIgnored() throws {
        var members: [String: JSONValue] = ["messageId": "EVIL", "data": "e30.e30.e30"]
        members["aps"] = credential.payload(claims())["aps"]
        let payload = try #require(PushPayload(.object(members)))
        #expect(payload == PushPayload(messageId: "AUTHENTICATE:1", token: credential.token(claims())))
    }

    @Test func forgeriesAreRefused() throws {
        let other = try #require(PushCredential.sample(secret: "AQID"))
        let forged = try UnverifiedPush(PushPayload(messageId: "1", token: other.token(claims())))
        #expect(throws: PushReceptionError.token(.signatureMismatch)) {
            try #require(forged).verified(with: credential, receivedAt: .sample)
        }
        let foreign = credential.token(claims(["u": "another"]))
        let push = try UnverifiedPush(PushPayload(messageId: "1", token: foreign))
        #expect(throws: PushReceptionError.wrongCredential) {
            try #require(push).verified(with: credential, receivedAt: .sample)
        }
    }

    @Test(arguments: ["none", "HS512", "RS256"])
    func tokensWithOtherAlgorithmsAreRefused(_ algorithm: String) {
        let parts = [#"{"alg":"\#(algorithm)"}"#, claims().text].map { Base64.encodeURLSafe($0.utf8) }
        #expect(throws: PushReceptionError.token(.unsupportedAlgorithm)) {
            try UnverifiedPush(PushPayload(messageId: "1", token: parts.joined(separator: ".") + "."))
        }
    }

    @Test func anOversizedTokenPayloadOrMessageIdIsRejected() throws {
        let huge = String(repeating: "e30.", count: 300_000)
        #expect(throws: PushReceptionError.tooLarge) {
            try UnverifiedPush(PushPayload(messageId: "1", token: huge))
        }
        #expect(throws: PushReceptionError.tooLarge) { try PushPayload(json: Data(huge.utf8)) }
        #expect(throws: PushReceptionError.tooLarge) {
            try UnverifiedPush(PushPayload(messageId: huge, token: credential.token(claims())))
        }
    }

    @Test func deeplyNestedTextIsNotReadAsJSON() {
        for text in ["[", #"{"a":"#] {
            #expect(JSONValue(json: Data(String(repeating: text, count: 100_000).utf8)) == nil)
        }
        let nested = String(repeating: "[", count: 33) + String(repeating: "]", count: 33)
        #expect(JSONValue(json: Data(nested.utf8)) == nil)
        #expect(JSONValue(json: Data(nested.dropFirst().dropLast().utf8)) != nil)
        #expect(JSONValue(json: Data(#""[[[\"[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[""#.utf8)) != nil)
    }
}
