import Foundation
import NIOHPACK
import PushBridgeCore
import PushBridgeInternals
import PushBridgeTestSupport
import Testing

@testable import PushBridgeAPNs

/// The reactions of a provider to the answers of APNs and to the passage of time.
@Suite struct ProviderTests {
    private let world: TestEnvironment
    private let clock = TestClock()

    init() throws {
        world = try TestEnvironment()
    }

    private func provider(_ transport: some APNsTransport, in folder: URL? = nil) -> APNsProvider {
        APNsProvider(
            name: "main",
            topic: "com.example.app",
            key: world.key,
            transport: transport,
            clock: clock.clock,
            keepingTokensIn: folder
        )
    }

    @Test func tokenIsUsedForFiftyFiveMinutes() async throws {
        let transport = ScriptedTransport([])
        let provider = provider(transport)
        for minutes in [0, 20, 34.9, 0.2, 54.9, 0.2] {
            clock.advance(minutes: minutes)
            _ = try await provider.send(world.push)
        }
        let tokens = transport.requests.compactMap { $0.headers.first(name: "authorization") }
        #expect(tokens.map { tokens.firstIndex(of: $0) } == [0, 0, 0, 3, 3, 5])
    }

    @Test func expiredTokenIsRenewedAndThePushSentAgain() async throws {
        let transport = ScriptedTransport([nil, .expiredProviderToken, nil])
        let provider = provider(transport)
        _ = try await provider.send(world.push)
        clock.advance(minutes: 20)
        #expect(try await provider.send(world.push) == APNsOutcome(answer: APNsAnswer(id: ""), attempts: 2))
        let tokens = transport.requests.compactMap { $0.headers.first(name: "authorization") }
        #expect(tokens[0] == tokens[1])
        #expect(tokens[1] != tokens[2])
    }

    @Test func tokenIsNotRenewedWithinTwentyMinutes() async throws {
        let transport = ScriptedTransport([nil, .expiredProviderToken])
        let provider = provider(transport)
        _ = try await provider.send(world.push)
        clock.advance(minutes: 19.9)
        let outcome = try await provider.send(world.push)
        #expect(outcome.attempts == 1)
        #expect(outcome.answer.reason == .expiredProviderToken)
        #expect(Set(transport.requests.map { $0.headers.first(name: "authorization") }).count == 1)
    }

    /// Each push is sent by a new provider, as in separate runs of a command.
    @Test func laterProvidersReuseTheStoredToken() async throws {
        let folder = try TemporaryFolder()
        let place = URL(fileURLWithPath: folder.path("tokens"))
        let transport = ScriptedTransport([])
        for minutes in [0, 34.9, 20, 0.2, 54.9] {
            clock.advance(minutes: minutes)
            _ = try await provider(transport, in: place).send(world.push)
        }
        let files = try FileManager.default.contentsOfDirectory(atPath: place.path)
        let file = place.appendingPathComponent(try #require(files.first)).path
        #expect(files.count == 1)
        let attributes = try FileManager.default.attributesOfItem(atPath: file)
        #expect(attributes[.posixPermissions] as? Int == 0o600)
        // Each key has a separate file. The provider does not send a token that its key did not sign.
        try Data("bearer of another".utf8).write(to: URL(fileURLWithPath: file))
        _ = try await provider(transport, in: place).send(world.push)
        let other = APNsProvider(
            name: "other",
            topic: "com.example.app",
            key: ProviderKey(keyId: world.key.keyId, teamId: world.key.teamId),
            transport: transport,
            clock: clock.clock,
            keepingTokensIn: place
        )
        _ = try await other.send(world.push)
        #expect(try FileManager.default.contentsOfDirectory(atPath: place.path).count == 2)
        let tokens = transport.requests.compactMap { $0.headers.first(name: "authorization") }
        #expect(tokens.map { tokens.firstIndex(of: $0) } == [0, 0, 0, 3, 3, 5, 6])
    }

    @Test(arguments: ["0a 0b", "0a\n0b", "0a\u{7F}", "0é"])
    func unprintableValuesAreNotSent(_ text: String) async throws {
        let changes: [(inout APNsPush) -> Void] = [
            { $0.token = text }, { $0.topic = text }, { $0.type = text }, { $0.priority = text },
            { $0.expiration = text }, { $0.collapseId = text }, { $0.id = text },
        ]
        for change in changes {
            let transport = ScriptedTransport([])
            var push = world.push
            change(&push)
            do {
                _ = try await provider(transport).send(push)
                Issue.record("The invalid push \(push) was sent.")
            } catch let error as APNsError {
                #expect(error.code == .invalidRequest)
            }
            #expect(transport.requests.isEmpty)
        }
    }

    @Test(arguments: APNsReason.allCases)
    func onlyTemporaryRefusalsAreRetried(_ reason: APNsReason) async throws {
        let transport = ScriptedTransport([reason, reason])
        let outcome = try await provider(transport).send(world.push)
        switch reason.status {
        // APNs accepts a new provider token only after 20 minutes, so a short wait does not help.
        case 429 where reason == .tooManyProviderTokenUpdates: fallthrough
        case 400..<429:
            #expect(outcome.answer.reason == reason)
            #expect(outcome.attempts == 1)
            #expect(clock.pauses.isEmpty)
        case 429, 500, 503:
            #expect(outcome == APNsOutcome(answer: APNsAnswer(id: ""), attempts: 3))
            #expect(clock.pauses == [.seconds(1), .seconds(2)])
        default: Issue.record("\(reason.status) has no advice.")
        }
    }

    @Test func busyServiceIsTriedALimitedNumberOfTimes() async throws {
        let transport = ScriptedTransport(Array(repeating: .tooManyRequests, count: 9))
        let outcome = try await provider(transport).send(world.push)
        #expect(outcome.attempts == 5)
        #expect(outcome.words == "429 TooManyRequests: wait and try again")
        #expect(clock.pauses == [1, 2, 4, 8].map { Duration.seconds($0) })
    }

    @Test func providerIsFoundByTopicAndBundle() throws {
        let folder = try TemporaryFolder()
        let key = try folder.file("key.p8", Data(world.key.pem.utf8)).path
        let members = #""keyFile":"\#(key)","keyId":"ABC1234567","teamId":"TEAM123456""#
        let file = try folder.file(
            "apns.json",
            Data(
                """
                [{"name":"main","topic":"com.example.app","topics":["com.example.beta"],\(members)},
                {"name":"second","topic":"com.example.second","host":"api.push.apple.com",\(members)}]
                """.utf8
            )
        )
        let empty = try folder.file("empty.json", Data("[]".utf8)).path
        #expect(throws: APNsError(code: .unreadableKey, reason: "\(empty) contains no provider.")) {
            try APNsAccess.read(empty)
        }
        let all = try APNsAccess.read(file.path)
        #expect(try all.map { try $0.provider().name } == ["main", "second"])
        #expect(all.access(named: nil, topic: "com.example.beta")?.name == "main")
        #expect(all.access(named: nil, topic: "com.example.second.voip")?.name == "second")
        #expect(all.access(named: "second", topic: "com.example.beta")?.name == "second")
        #expect(all.access(named: "third", topic: nil) == nil)
        #expect(all.access(named: nil, topic: nil)?.name == "main")
        // If the file lists several providers, none of them matches an unknown topic. If the file lists only one
        // provider, this provider is used, and APNs refuses the topic.
        #expect(all.access(named: nil, topic: "com.stranger") == nil)
        #expect(all.access(named: nil, topic: "com.stranger.voip") == nil)
        #expect(Array(all.prefix(1)).access(named: nil, topic: "com.stranger")?.name == "main")
    }

    /// An independent program verifies the signature.
    @Test func signatureIsVerifiedByOpenSSL() throws {
        let token = try world.key.token(issuedAt: TestEnvironment.now)
        let parts = token.split(separator: ".").map(String.init)
        #expect(Data(anyBase64: parts[0]) == Data(#"{"alg":"ES256","kid":"ABC1234567"}"#.utf8))
        #expect(Data(anyBase64: parts[1]) == Data(#"{"iat":1700000000,"iss":"TEAM123456"}"#.utf8))
        let raw = try #require(Data(anyBase64: parts[2]))
        #expect(raw.count == 64)
        let folder = try TemporaryFolder()
        let key = try folder.file("key.pem", Data(world.key.publicPEM.utf8)).path
        let signature = try folder.file("signature", Self.derSignature(raw)).path
        func isVerified(_ text: String) throws -> Bool {
            let input = try folder.file("input", Data(text.utf8)).path
            let openssl = Process()
            openssl.executableURL = URL(fileURLWithPath: "/usr/bin/env")
            openssl.arguments = [
                "openssl", "dgst", "-sha256", "-verify", key, "-signature", signature, input,
            ]
            openssl.standardOutput = FileHandle.nullDevice
            openssl.standardError = FileHandle.nullDevice
            try openssl.run()
            try openssl.waitForEnd("openssl to end")
            return openssl.terminationStatus == 0
        }
        #expect(try isVerified("\(parts[0]).\(parts[1])"))
        #expect(try !isVerified("\(parts[0]).\(parts[1])x"))
    }

    /// Encodes the two numbers of a signature as a DER sequence of two integers.
    private static func derSignature(_ raw: Data) -> Data {
        func integer(_ bytes: Data) -> Data {
            var digits = Data(bytes.drop { $0 == 0 })
            if digits.first.map({ $0 >= 0x80 }) ?? true { digits.insert(0, at: 0) }
            return Data([0x02, UInt8(digits.count)]) + digits
        }
        let numbers = integer(raw.prefix(32)) + integer(raw.suffix(32))
        return Data([0x30, UInt8(numbers.count)]) + numbers
    }
}
