import FRAuthenticator
import FRCore
import Foundation
import PushBridgeCore
import PushBridgeTestSupport
import Testing

/// Random combinations of the parts of registration URIs and pushes.
///
/// Each part is listed with its expected value, which is the value that the legacy SDK reads.
@Suite("Random codes and pushes")
struct RandomCodeTests {
    /// A part of a code, and the value that is read from it.
    private typealias Part<Value> = (written: String, read: Value)

    private static let names: [Part<(issuer: String, account: String)>] = [
        ("Acme:demo", ("Acme", "demo")), ("Acme%3Ademo", ("Acme", "demo")), ("Acme:", ("Acme", "Untitled")),
        ("demo", ("demo", "demo")), ("Acme:a%20b%2Bc", ("Acme", "a b+c")),
        ("%C3%89co:%F0%9F%99%82", ("Éco", "🙂")),
    ]
    private static let issuers: [Part<String?>] = [
        ("", nil), ("&issuer=QmFuaw", "Bank"), ("&issuer=QmFuaw%3D%3D", "Bank"),
        ("&issuer=My%20Bank", "My Bank"),
        ("&issuer=QQ&issuer=QmFuaw", "Bank"), ("&issuer=%3F%21", nil),
    ]
    private static let plainIssuers: [Part<String?>] = [
        ("", nil), ("&issuer=My%20Bank", "My Bank"), ("&issuer=A&issuer=My%20Bank", "My Bank"),
        ("&issuer=", nil),
    ]
    private static let images: [Part<String?>] = [
        ("", nil), ("&image=aHR0cHM6Ly9hLmIvYw", "https://a.b/c"),
        ("&image=https%3A%2F%2Fa.b%2Fc", "https://a.b/c"),
        ("&image=aHR0cHM6Ly9hLmIvYw%3D%3D", "https://a.b/c"),
    ]
    private static let ids: [Part<String?>] = [
        ("", nil), ("&uid=aWQ9ZGVtbw", "id=demo"), ("&uid=A", nil), ("&uid=%2A", nil),
    ]
    private static let digits: [Part<Int?>] = [
        ("", 6), ("&digits=8", 8), ("&digits=6", 6), ("&digits=x", nil),
    ]
    private static let periods: [Part<Int?>] = [("", 30), ("&period=60", 60), ("&period=1.5", nil)]
    private static let algorithms: [Part<String?>] = [
        ("", "sha1"), ("&algorithm=SHA224", "sha224"), ("&algorithm=Sha256", "sha256"), ("&algorithm=x", nil),
    ]
    private static let counters: [Part<Int?>] = [
        ("", 0), ("&counter=7", 7), ("&counter=x", nil), ("&counter=-1", nil),
    ]
    private static let loadBalancers: [Part<String?>] = [
        ("", nil), ("&l=YW1sYmNvb2tpZT0wMQ", "amlbcookie=01"), ("&l=%2A", nil),
        ("&l=YW1sYmNvb2tpZT0wMQ%3D%3D", "amlbcookie=01"),
    ]
    private static let profiles: [Part<String?>] = [
        ("", nil), ("&pid=cGlkLTE", "pid-1"), ("&pid=%21", nil), ("&pid=cGlkLTE&pid=A", nil),
    ]
    /// Policies in a code, each with the policies that are read from the code.
    ///
    /// A code with unreadable policies is in `faults`: without its policies, the account would be weaker.
    private static let policies: [Part<String?>] = [
        ("", nil), ("&policies=eyJzd2l0Y2giOnt9fQ", #"{"switch":{}}"#),
        ("&policies=eyJzd2l0Y2giOnt9fQ%3D%3D", #"{"switch":{}}"#), ("&policies=e30", "{}"),
    ]
    /// Faults of an otherwise valid code, each with the number of the expected error; `nil` for no fault.
    private static let faults: [Part<Int?>] = [
        ("", nil), ("", nil), ("", nil), ("&s=%21", 1_200_000), ("&c=%21", 1_200_000),
        ("&r=bm93aGVyZQ", 5_000_005), ("&a=ZmlsZTovL2E", 5_000_005), ("&policies=%21", 6_000_003),
    ]
    private static let ends = ["", "#fragment", "#&secret=%21"]
    private static let schemes = ["otpauth", "OTPAUTH", "OtpAuth"]

    private func made(_ uri: String) async throws -> (
        fixture: ClientFixture, result: Swift.Result<Mechanism, any Error>
    ) {
        let fixture = try ClientFixture()
        fixture.setToken()
        do {
            return (fixture, .success(try await fixture.create(uri)))
        } catch {
            return (fixture, .failure(error))
        }
    }

    @Test func aThousandRandomCodesAreReadAsExpected() async throws {
        var random = SeededGenerator(seed: 10)
        for round in 0..<400 { try await readOneTimePassword(&random, round) }
        for _ in 0..<300 { try await readPush(&random) }
        for round in 0..<300 { try await readCombined(&random, round) }
    }

    private func pick<Value>(_ parts: [Value], _ random: inout SeededGenerator) -> Value {
        parts[random.below(parts.count)]
    }

    /// Returns whether a code is rejected with the expected error and nothing is stored.
    private func isRefused(
        _ result: Swift.Result<Mechanism, any Error>,
        _ fixture: ClientFixture,
        with code: Int
    ) -> Bool {
        guard case .failure(let error) = result else { return false }
        return (error as NSError).code == code && fixture.client.getAllAccounts().isEmpty
    }

    private func readOneTimePassword(_ random: inout SeededGenerator, _ round: Int) async throws {
        let name = pick(Self.names, &random), issuer = pick(Self.plainIssuers, &random)
        let image = pick(Self.images, &random), digits = pick(Self.digits, &random)
        let algorithm = pick(Self.algorithms, &random)
        let isTimed = random.below(2) == 0
        let factor = pick(isTimed ? Self.periods : Self.counters, &random)
        let type = isTimed ? "totp" : "hotp"
        let uri =
            "\(Self.schemes[round % 3])://\(round.isMultiple(of: 2) ? type : type.uppercased())/\(name.written)"
            + "?secret=JBSWY3DPEHPK3PXP\(issuer.written)\(image.written)\(digits.written)\(factor.written)"
            + algorithm.written + pick(Self.ends, &random)
        let (fixture, result) = try await made(uri)
        guard let length = digits.read, let number = factor.read, let hash = algorithm.read else {
            #expect(isRefused(result, fixture, with: 6_000_003), "\(uri)")
            return
        }
        let oath = try #require(try result.get() as? OathMechanism)
        #expect(
            [oath.issuer, oath.accountName] == [issuer.read ?? name.read.issuer, name.read.account],
            "\(uri)"
        )
        #expect((oath.type, oath.digits, oath.algorithm) == (type, length, hash), "\(uri)")
        #expect(fixture.client.getAllAccounts().map(\.imageUrl) == [image.read], "\(uri)")
        if let totp = oath as? TOTPMechanism {
            #expect(totp.period == number, "\(uri)")
            #expect(try totp.generateCode().code.count == length)
        } else {
            let hotp = try #require(oath as? HOTPMechanism)
            #expect(hotp.counter == number, "\(uri)")
            #expect(try hotp.generateCode().code.count == length)
            #expect(hotp.counter == number + 1)
        }
    }

    private func readPush(_ random: inout SeededGenerator) async throws {
        let name = pick(Self.names, &random), issuer = pick(Self.issuers, &random)
        let image = pick(Self.images, &random), id = pick(Self.ids, &random)
        let loadBalancer = pick(Self.loadBalancers, &random), profile = pick(Self.profiles, &random)
        let policies = pick(Self.policies, &random), fault = pick(Self.faults, &random)
        let uri =
            "pushauth://push/\(name.written)?s=c2VjcmV0&c=Y2hhbGxlbmdl&m=REGISTER:1&r=aHR0cHM6Ly9hLmIvcg"
            + "&a=aHR0cHM6Ly9hLmIvYQ\(issuer.written)\(image.written)\(id.written)\(loadBalancer.written)"
            + "\(profile.written)\(policies.written)\(fault.written)" + pick(Self.ends, &random)
        let (fixture, result) = try await made(uri)
        if let code = fault.read {
            #expect(isRefused(result, fixture, with: code), "\(uri)")
            #expect(fixture.server.requests.isEmpty, "\(uri)")
            return
        }
        let push = try result.get()
        #expect(
            [push.issuer, push.accountName] == [issuer.read ?? name.read.issuer, name.read.account],
            "\(uri)"
        )
        #expect([push.uid, push.resourceId] == [id.read, profile.read], "\(uri)")
        let account = try #require(fixture.client.getAllAccounts().first)
        #expect([account.imageUrl, account.policies] == [image.read, policies.read], "\(uri)")
        let cookies = fixture.server.requests.flatMap(\.headers).filter { $0.name == "Cookie" }.map(\.value)
        #expect(cookies == [loadBalancer.read].compactMap(\.self), "\(uri)")
    }

    private func readCombined(_ random: inout SeededGenerator, _ round: Int) async throws {
        let name = pick(Self.names, &random), issuer = pick(Self.issuers, &random)
        let image = pick(Self.images, &random), id = pick(Self.ids, &random)
        let policies = pick(Self.policies, &random), digits = pick(Self.digits, &random)
        let fault = pick(Self.faults, &random)
        let type = round.isMultiple(of: 2) ? "totp" : "hotp"
        let uri =
            "mfauth://\(type)/\(name.written)?secret=JBSWY3DPEHPK3PXP\(digits.written)&s=c2VjcmV0"
            + "&c=Y2hhbGxlbmdl&m=REGISTER:1&r=aHR0cHM6Ly9hLmIvcg&a=aHR0cHM6Ly9hLmIvYQ\(issuer.written)"
            + "\(image.written)\(id.written)\(policies.written)\(fault.written)" + pick(Self.ends, &random)
        let (fixture, result) = try await made(uri)
        guard let length = digits.read, fault.read == nil else {
            let codes = [fault.read, digits.read == nil ? 6_000_003 : nil].compactMap(\.self)
            #expect(codes.contains { isRefused(result, fixture, with: $0) }, "\(uri)")
            #expect(fixture.server.requests.isEmpty, "\(uri)")
            return
        }
        let push = try #require(try result.get() as? PushMechanism)
        #expect(push.uid == id.read, "\(uri)")
        let account = try #require(fixture.client.getAllAccounts().first)
        #expect(
            [account.issuer, account.accountName] == [issuer.read ?? name.read.issuer, name.read.account],
            "\(uri)"
        )
        #expect([account.imageUrl, account.policies] == [image.read, policies.read], "\(uri)")
        #expect(account.mechanisms.map(\.type) == [type, "push"], "\(uri)")
        #expect((account.mechanisms.first as? OathMechanism)?.digits == length, "\(uri)")
    }

    private static let times: [(written: JSONValue, read: Int)] = [
        (.null, 120), ("60", 60), (90, 90), ("soon", 120), (.number(1.5), 120), (true, 120), ([:], 120),
    ]
    private static let types: [(written: JSONValue, read: FRAuthenticator.PushType)] = [
        (.null, .default), ("challenge", .challenge), ("BIOMETRIC", .biometric), ("voice", .default),
        (7, .default),
    ]
    private static let messages: [(written: JSONValue, read: String?)] = [
        (.null, nil), ("Hello", "Hello"), (true, nil), (.array(["a"]), nil),
    ]
    private static let payloads: [(written: JSONValue, read: String?)] = [
        (.null, nil), (#"{"a":1}"#, #"{"a":1}"#), (["a": 1], #"{"a":1}"#), (7, nil), (.array([1]), nil),
    ]
    private static let numbers: [(written: JSONValue, read: [Int]?)] = [
        (.null, nil), ("34, 43,57", [34, 43, 57]), (34, nil), (.array([34]), nil),
    ]
    private static let sendings: [(written: JSONValue, read: TimeInterval?)] = [
        ("1700000000125", 1_700_000_000.125), (1_700_000_000_250, 1_700_000_000.25), ("now", nil),
        (true, nil),
    ]

    private static let contexts: [(written: JSONValue, read: String?)] = [
        (.null, nil), (#"{"remoteIp":"::1"}"#, #"{"remoteIp":"::1"}"#),
        (["remoteIp": "::1"], #"{"remoteIp":"::1"}"#), (true, nil), (.array(["::1"]), nil),
    ]
    private static let cookies: [(written: JSONValue, read: String?)] = [
        (.null, nil), ("YW1sYmNvb2tpZT0wMg", "amlbcookie=02"), ("YW1sYmNvb2tpZT0wMg==", "amlbcookie=02"),
        ("*", nil), (2, nil),
    ]
    private static let users: [(written: JSONValue, read: String?)] = [
        (.null, nil), (.null, nil), ("id=demo", "id=demo"), ("id=other", "id=other"), (7, nil),
        (["a": 1], nil),
    ]

    @Test func aThousandRandomPushesAreReadAsExpected() async throws {
        let fixture = try ClientFixture()
        var mechanisms: [PushMechanism] = []
        for number in 0..<20 { mechanisms.append(try await fixture.enrol("babs-\(number)")) }
        /// The users of the mechanisms: from the code or, if the code contains none, from the claim `d` of a push.
        var uids: [String: String] = [:]
        for number in 20..<40 {
            // From AM 8.0.1 on, the code contains the user's id.
            let uri = try ClientFixture.uri("babs-\(number)") + "&uid=aWQ9Y29kZQ"
            let mechanism = try #require(try await fixture.create(uri) as? PushMechanism)
            uids[mechanism.mechanismUUID] = "id=code"
            mechanisms.append(mechanism)
        }
        var random = SeededGenerator(seed: 11)
        for round in 0..<1_000 {
            let time = Self.times[random.below(Self.times.count)]
            let type = Self.types[random.below(Self.types.count)]
            let message = Self.messages[random.below(Self.messages.count)]
            let payload = Self.payloads[random.below(Self.payloads.count)]
            let number = Self.numbers[random.below(Self.numbers.count)]
            let sending = Self.sendings[random.below(Self.sendings.count)]
            let context = Self.contexts[random.below(Self.contexts.count)]
            let cookie = Self.cookies[random.below(Self.cookies.count)]
            let user = Self.users[random.below(Self.users.count)]
            let mechanism = mechanisms[random.below(mechanisms.count)]
            let claims: JSONValue = [
                "t": time.written, "k": type.written, "m": message.written, "p": payload.written,
                "n": number.written, "i": sending.written, "x": context.written, "l": cookie.written,
                "d": user.written,
            ]
            let isForged = random.below(10) == 0
            let push = try fixture.deliver(
                claims,
                to: mechanism,
                messageId: "AUTHENTICATE:\(round)",
                signedWith: isForged ? .random() : nil
            )
            guard let push, !isForged else {
                #expect(push == nil && isForged, "\(claims.text)")
                continue
            }
            #expect((push.ttl, push.pushType) == (Double(time.read), type.read), "\(claims.text)")
            #expect(
                [push.message, push.customPayload, push.contextInfo]
                    == [message.read, payload.read, context.read],
                "\(claims.text)"
            )
            let id = mechanism.mechanismUUID
            if uids[id] == nil { uids[id] = user.read }
            #expect(fixture.client.getMechanism(notification: push)?.uid == uids[id], "\(claims.text)")
            #expect(await outcome { push.deny(onSuccess: $0, onError: $1) }.error == nil)
            let cookies = fixture.server.requests.last?.headers.filter { $0.name == "Cookie" }.map(\.value)
            #expect(cookies == [cookie.read].compactMap(\.self), "\(claims.text)")
            #expect(
                push.numbersChallengeArray == (type.read == .challenge ? number.read : nil),
                "\(claims.text)"
            )
            let sentAt = push.timeAdded.timeIntervalSince1970
            #expect(sending.read.map { $0 == sentAt } ?? (abs(sentAt - Date().timeIntervalSince1970) < 600))
        }
    }
}
