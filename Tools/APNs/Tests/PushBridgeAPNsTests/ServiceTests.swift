import Foundation
import NIOHPACK
import PushBridgeCore
import PushBridgeTestSupport
import Testing

@testable import PushBridgeAPNs

/// The stand-in's answers, compared with Apple's documentation.
@Suite struct ServiceTests {
    private var world: TestEnvironment

    init() throws {
        world = try TestEnvironment()
    }

    /// An invalid request and the reason of its refusal.
    struct Wrong: Sendable, CustomTestStringConvertible {
        let reason: APNsReason
        let change: @Sendable (inout APNsRequest) -> Void
        var testDescription: String { reason.rawValue }

        init(_ reason: APNsReason, _ change: @escaping @Sendable (inout APNsRequest) -> Void) {
            self.reason = reason
            self.change = change
        }

        /// Replaces one header with an invalid value; `nil` removes the header.
        init(_ reason: APNsReason, _ header: String, _ value: String?) {
            self.init(reason) { $0.headers.set(header, value) }
        }
    }

    static let wrongRequests: [Wrong] = [
        Wrong(.badCollapseId, "apns-collapse-id", String(repeating: "é", count: 33)),
        Wrong(.badDeviceToken, ":path", "/3/device/0a0b"),
        // The token has 64 bytes, but most of its digits are not ASCII.
        Wrong(.badDeviceToken, ":path", "/3/device/\(String(repeating: "\u{FF11}", count: 21))a"),
        Wrong(.badDeviceToken, ":path", "/3/device/\(String(repeating: "xy", count: 32))"),
        Wrong(.badExpirationDate, "apns-expiration", "tomorrow"),
        Wrong(.badExpirationDate, "apns-expiration", "-1"),
        Wrong(.badMessageId, "apns-id", "1"),
        Wrong(.badPriority, "apns-priority", "7"),
        Wrong(.badPriority) { request in
            request.headers.set("apns-push-type", "background")
            request.headers.set("apns-priority", "10")
        },
        Wrong(.badTopic, "apns-topic", "com example app"),
        Wrong(.badTopic, "apns-push-type", "voip"),
        Wrong(.badTopic, "apns-topic", "com.example.app.voip"),
        Wrong(.duplicateHeaders) { $0.headers.add(name: "apns-topic", value: "com.example.app") },
        Wrong(.invalidPushType, "apns-push-type", "telegram"),
        Wrong(.missingDeviceToken, ":path", "/3/device/"),
        Wrong(.missingTopic, "apns-topic", nil),
        Wrong(.payloadEmpty) { $0.body = Data() },
        Wrong(.payloadEmpty) { $0.body = Data("hello".utf8) },
        Wrong(.topicDisallowed, "apns-topic", "com.stranger.app"),
        Wrong(.missingProviderToken, "authorization", nil),
        Wrong(.invalidProviderToken, "authorization", "bearer a.b.c"),
        Wrong(.badPath, ":path", "/4/device/\(TestEnvironment.token)"),
        Wrong(.methodNotAllowed, ":method", "GET"),
        Wrong(.payloadTooLarge) { $0.body = TestEnvironment.payload(bytes: 4097) },
    ]

    @Test(arguments: wrongRequests)
    mutating func wrongRequestIsRefused(_ wrong: Wrong) {
        let decision = world.service.decide(world.request(wrong.change), at: TestEnvironment.now)
        #expect(decision.answer.reason == wrong.reason)
        #expect(decision.answer.status == wrong.reason.status)
        #expect(decision.push == nil)
    }

    /// An independent copy of Apple's table, with two more reasons that users of other senders have reported.
    @Test func everyReasonHasItsPublishedStatus() {
        let published: [Int: Set<String>] = [
            400: [
                "BadCollapseId", "BadDeviceToken", "BadExpirationDate", "BadMessageId", "BadPriority",
                "BadTopic", "DeviceTokenNotForTopic", "DuplicateHeaders", "IdleTimeout", "InvalidPushType",
                "MissingDeviceToken", "MissingTopic", "PayloadEmpty", "TopicDisallowed",
            ],
            403: [
                "BadCertificate", "BadCertificateEnvironment", "BadEnvironmentKeyIdInToken",
                "ExpiredProviderToken", "Forbidden", "InvalidProviderToken", "MissingProviderToken",
                "UnrelatedKeyIdInToken",
            ],
            404: ["BadPath"], 405: ["MethodNotAllowed"], 410: ["ExpiredToken", "Unregistered"],
            413: ["PayloadTooLarge"], 429: ["TooManyProviderTokenUpdates", "TooManyRequests"],
            500: ["InternalServerError"], 503: ["ServiceUnavailable", "Shutdown"],
        ]
        let ours = Dictionary(grouping: APNsReason.allCases, by: \.status)
            .mapValues { Set($0.map(\.rawValue)) }
        #expect(ours == published)
    }

    @Test mutating func everyPublishedReasonCanBeProduced() {
        for reason in APNsReason.allCases {
            world.service.faults = [APNsFault(reason)]
            let answer = world.service.decide(world.request(), at: TestEnvironment.now).answer
            let time = reason.status == 410 ? #","timestamp":1700000000000"# : ""
            let body = #"{"reason":"\#(reason.rawValue)"\#(time)}"#
            #expect(String(decoding: answer.body, as: UTF8.self) == body)
            #expect(answer.status == reason.status)
            #expect(world.service.decide(world.request(), at: TestEnvironment.now).answer.status == 200)
        }
    }

    @Test mutating func randomRequestsAreAnsweredAsPublished() {
        let texts = ["", "0", "-1", "10", "voip", "a/b", "é", "\u{0}", "9999999999999999999", "bearer ."]
        let published = Dictionary(grouping: APNsReason.allCases, by: \.status)
        var chance = SeededGenerator(seed: 5)
        for round in 0..<5000 {
            let request = world.request { request in
                for name in request.headers.map(\.name) where Bool.random(using: &chance) {
                    let value = Bool.random(using: &chance) ? nil : texts.randomElement(using: &chance)
                    request.headers.set(name, value)
                }
                let text = texts[round % texts.count]
                if Bool.random(using: &chance) { request.headers.add(name: "apns-priority", value: text) }
                if Bool.random(using: &chance) {
                    request.body = Data((0..<round % 50).map { _ in .random(in: 0...255, using: &chance) })
                }
            }
            let answer = world.service.decide(request, at: TestEnvironment.now).answer
            let reasons = published[answer.status, default: []].map(Optional.some)
            #expect(answer.status == 200 || reasons.contains(answer.reason), "round \(round)")
        }
    }

    @Test mutating func faultAffectsItsTokenTheGivenNumberOfTimes() {
        var fault = APNsFault(.shutdown)
        fault.times = 2
        fault.token = TestEnvironment.token
        world.service.faults = [fault]
        world.push.token = String(repeating: "0b", count: 32)
        #expect(world.service.decide(world.request(), at: TestEnvironment.now).answer.status == 200)
        world.push.token = TestEnvironment.token
        let statuses = (0..<3).map { _ in
            world.service.decide(world.request(), at: TestEnvironment.now).answer.status
        }
        #expect(statuses == [503, 503, 200])
    }

    @Test(arguments: [("alert", "", 4096), ("voip", ".voip", 5120)])
    mutating func payloadIsLimitedByItsChannel(_ type: String, _ suffix: String, _ limit: Int) {
        world.push.type = type
        world.push.topic += suffix
        world.push.payload = TestEnvironment.payload(bytes: limit)
        #expect(world.push.payload.count == limit)
        #expect(world.service.decide(world.request(), at: TestEnvironment.now).answer.status == 200)
        world.push.payload = TestEnvironment.payload(bytes: limit + 1)
        #expect(world.service.decide(world.request(), at: TestEnvironment.now).answer.status == 413)
    }

    /// The suffix that each push type adds to the bundle identifier, from Apple's table.
    @Test(arguments: [
        ("alert", ""), ("background", ""), ("mdm", ""), ("location", ".location-query"), ("voip", ".voip"),
        ("complication", ".complication"), ("fileprovider", ".pushkit.fileprovider"),
        ("liveactivity", ".push-type.liveactivity"), ("pushtotalk", ".voip-ptt"),
        ("controls", ".push-type.controls"), ("widgets", ".push-type.widgets"),
    ])
    mutating func topicFollowsFromThePushType(_ type: String, _ suffix: String) {
        world.push.type = type
        world.push.payload = Data(#"{"aps":{"content-available":1}}"#.utf8)
        world.push.topic = APNsService.topic(ofType: type, bundle: "com.example.app")
        #expect(world.push.topic == "com.example.app\(suffix)")
        #expect(APNsService.bundle(ofTopic: world.push.topic) == "com.example.app")
        #expect(world.service.decide(world.request(), at: TestEnvironment.now).answer.status == 200)
        world.push.topic = suffix.isEmpty ? "com.example.app.voip" : "com.example.app"
        #expect(world.service.decide(world.request(), at: TestEnvironment.now).answer.reason == .badTopic)
    }

    /// A push of the type `background` is refused unless its payload is silent.
    @Test(arguments: [
        (#"{"aps":{"content-available":1}}"#, nil), (#"{"aps":{"content-available":"1"}}"#, nil),
        (#"{"aps":{}}"#, APNsReason.invalidPushType),
        (#"{"aps":{"content-available":0}}"#, .invalidPushType),
        (#"{"aps":{"content-available":1,"alert":"x"}}"#, .invalidPushType),
    ])
    mutating func backgroundPushRequiresASilentPayload(_ payload: String, _ refusal: APNsReason?) {
        world.push.type = "background"
        world.push.payload = Data(payload.utf8)
        #expect(world.service.decide(world.request(), at: TestEnvironment.now).answer.reason == refusal)
    }

    @Test mutating func validRequestIsDeliveredWithItsId() {
        world.push.id = "123e4567-e89b-12d3-a456-42665544000a"
        world.push.priority = "5"
        world.push.expiration = "1700000100"
        world.push.collapseId = String(repeating: "c", count: 64)
        let decision = world.service.decide(world.request(), at: TestEnvironment.now)
        #expect(decision.answer == APNsAnswer(id: "123e4567-e89b-12d3-a456-42665544000a"))
        #expect(decision.push == world.push)
        #expect(decision.answer.body.isEmpty)
        world.push.id = nil
        let answer = world.service.decide(world.request(), at: TestEnvironment.now).answer
        #expect(UUID(uuidString: answer.id) != nil)
    }

    @Test mutating func invalidTokenIsRefusedWithItsTimestamp() {
        let since = Date(timeIntervalSince1970: 1_600_000_000.25)
        for (state, reason) in [
            (APNsService.DeviceTokenState.unregistered(since: since), APNsReason.unregistered),
            (.expired(since: since), .expiredToken),
        ] {
            world.service.tokens[TestEnvironment.token] = state
            let answer = world.service.decide(world.request(), at: TestEnvironment.now).answer
            #expect(answer.reason == reason)
            #expect(answer.timestamp == 1_600_000_000_250)
            #expect(answer.advice == .forgetToken)
        }
    }

    @Test mutating func tokenOfAnotherEnvironmentOrAppIsRefused() {
        let (topic, other) = ("com.example.app", "com.example.other")
        _ = world.service.connect(TestEnvironment.token, topic: topic, .production, at: TestEnvironment.now)
        let foreign = world.service.decide(world.request(), at: TestEnvironment.now).answer
        #expect(foreign.reason == .badDeviceToken)
        _ = world.service.connect(TestEnvironment.token, topic: other, .sandbox, at: TestEnvironment.now)
        let misled = world.service.decide(world.request(), at: TestEnvironment.now).answer
        #expect(misled.reason == .deviceTokenNotForTopic)
    }

    @Test mutating func pushWaitsForItsDeviceUntilItExpires() {
        var pushes: [APNsPush] = []
        for (id, expiration) in [("once", "0"), ("late", "1700000010"), ("kept", "1700000100")] {
            world.push.collapseId = id
            world.push.expiration = expiration
            world.service.keep(world.push)
            pushes.append(world.push)
        }
        world.service.keep(world.push)
        let later = TestEnvironment.now + 60
        let arrived = world.service.connect(
            TestEnvironment.token,
            topic: "com.example.app",
            .sandbox,
            at: later
        )
        #expect(arrived == [pushes[2]])
    }

    @Test mutating func pushForAnotherTopicIsNotDelivered() {
        world.service.keep(world.push)
        let (topic, other) = (world.push.topic, "com.example.other")
        let foreign = world.service.connect(
            TestEnvironment.token,
            topic: other,
            .sandbox,
            at: TestEnvironment.now
        )
        #expect(foreign.isEmpty)
        let own = world.service.connect(
            TestEnvironment.token,
            topic: topic,
            .sandbox,
            at: TestEnvironment.now
        )
        #expect(own == [world.push])
    }

    @Test mutating func aFaultForLessThanOnePushIsRejected() {
        for times in [0, -5] {
            let order = Data(#"{"reason":"Shutdown","times":\#(times)}"#.utf8)
            let isAccepted = world.service.control("faults", order, at: TestEnvironment.now)
            #expect(!isAccepted)
        }
        #expect(world.service.faults.isEmpty)
    }

    @Test mutating func requestWithAnOldProviderTokenIsRefused() {
        let later = TestEnvironment.now + 3601
        let answer = world.service.decide(world.request(), at: later).answer
        #expect(answer.status == 403)
        #expect(answer.reason == .expiredProviderToken)
        #expect(answer.advice == .renewProviderToken)
        // After an hour, the token is refused even if the stand-in accepted the token earlier.
        #expect(world.service.decide(world.request(), at: TestEnvironment.now).answer.status == 200)
        #expect(world.service.decide(world.request(), at: later).answer.reason == .expiredProviderToken)
    }

    @Test(arguments: [
        (-3600.0, nil), (-3601, APNsReason.expiredProviderToken), (300, nil),
        (301, .invalidProviderToken),
    ])
    mutating func providerTokenIsValidForAnHour(_ offset: Double, _ refusal: APNsReason?) throws {
        let token = try world.key.token(issuedAt: TestEnvironment.now + offset)
        let issued = world.key.issueDate(of: token)
        #expect(issued == TestEnvironment.now + offset)
        #expect(ProviderKey.refusal(issuedAt: issued, at: TestEnvironment.now) == refusal)
    }

    @Test mutating func providerTokenOfAnotherKeyTeamOrIdIsRefused() throws {
        let others = [
            ProviderKey(keyId: world.key.keyId, teamId: world.key.teamId),
            try ProviderKey(pem: world.key.pem, keyId: "OTHER12345", teamId: world.key.teamId),
            try ProviderKey(pem: world.key.pem, keyId: world.key.keyId, teamId: "OTHER12345"),
        ]
        for other in others {
            let token = try other.token(issuedAt: TestEnvironment.now)
            #expect(world.key.issueDate(of: token) == nil)
        }
        #expect(ProviderKey.refusal(issuedAt: nil, at: TestEnvironment.now) == .invalidProviderToken)
        #expect("\(world.key)" == "ProviderKey(ABC1234567)")
    }

    @Test(arguments: [false, true])
    mutating func providerTokenIsNotRenewedWithinTwentyMinutes(_ countsByKey: Bool) throws {
        world.service.settings.countsRenewalsByKey = countsByKey
        func reason(afterMinutes minutes: Double, connection: Int = 1) throws -> APNsReason? {
            let now = TestEnvironment.now + minutes * 60
            var request = APNsRequest(world.push, providerToken: try world.key.token(issuedAt: now))
            request.connection = connection
            return world.service.decide(request, at: now).answer.reason
        }
        #expect(try reason(afterMinutes: 0) == nil)
        #expect(try reason(afterMinutes: 19.9) == .tooManyProviderTokenUpdates)
        let elsewhere = try reason(afterMinutes: 19.9, connection: 2)
        #expect(elsewhere == (countsByKey ? .tooManyProviderTokenUpdates : nil))
        #expect(try reason(afterMinutes: 20) == nil)
    }

    @Test(arguments: [
        (APNsAdvice.forgetToken, ["Unregistered", "ExpiredToken"]),
        (.checkEnvironment, ["BadDeviceToken", "DeviceTokenNotForTopic"]),
        (.reconnect, ["IdleTimeout", "UnrelatedKeyIdInToken"]),
        (.renewProviderToken, ["ExpiredProviderToken"]),
        (.shrink, ["PayloadTooLarge"]),
        (
            .waitAndTryAgain,
            [
                "TooManyRequests", "InternalServerError", "ServiceUnavailable", "Shutdown",
            ]
        ),
        (.keepProviderToken, ["TooManyProviderTokenUpdates"]),
    ])
    func adviceFollowsFromTheReason(_ advice: APNsAdvice, _ reasons: [String]) {
        for reason in APNsReason.allCases {
            let given = APNsAnswer(id: "", reason).advice
            #expect((given == advice) == reasons.contains(reason.rawValue))
        }
    }
}
