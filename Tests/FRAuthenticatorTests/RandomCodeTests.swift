import FRAuthenticator
import FRCore
import Foundation
import PushBridgeCore
import PushBridgeTestSupport
import Testing

/// Codes and pushes that are put together at random from parts; what is to come of each part stands beside it, as the
/// tables of the legacy SDK's behaviour have it.
@Suite("Random codes and pushes")
struct RandomCodeTests {
    /// What is written, and what is to be read of it.
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
    private static let ends = ["", "#fragment", "#&secret=%21"]
    private static let schemes = ["otpauth", "OTPAUTH", "OtpAuth"]

    private func made(_ uri: String) async throws -> (
        client: FRAClient, result: Swift.Result<Mechanism, any Error>
    ) {
        let bench = try Bench()
        bench.setToken()
        do {
            return (bench.client, .success(try await bench.create(uri)))
        } catch {
            return (bench.client, .failure(error))
        }
    }

    @Test func aThousandCodesAreReadAsTheTablesSay() async throws {
        var random = SeededGenerator(seed: 10)
        for round in 0..<500 {
            try await readOneTimePassword(&random, round)
            try await readPush(&random, round)
        }
    }

    private func readOneTimePassword(_ random: inout SeededGenerator, _ round: Int) async throws {
        let name = Self.names[random.below(Self.names.count)]
        let issuer = Self.plainIssuers[random.below(Self.plainIssuers.count)]
        let image = Self.images[random.below(Self.images.count)]
        let digits = Self.digits[random.below(Self.digits.count)]
        let period = Self.periods[random.below(Self.periods.count)]
        let algorithm = Self.algorithms[random.below(Self.algorithms.count)]
        let uri =
            "\(Self.schemes[round % 3])://\(round.isMultiple(of: 2) ? "totp" : "TOTP")/\(name.written)"
            + "?secret=JBSWY3DPEHPK3PXP\(issuer.written)\(image.written)\(digits.written)\(period.written)"
            + algorithm.written + Self.ends[random.below(Self.ends.count)]
        let (client, result) = try await made(uri)
        guard let length = digits.read, let seconds = period.read, let hash = algorithm.read else {
            guard case .failure(let error) = result else { return #expect(Bool(false), "\(uri)") }
            #expect((error as NSError).code == 6_000_003, "\(uri)")
            return
        }
        let totp = try #require(try result.get() as? TOTPMechanism)
        #expect(
            [totp.issuer, totp.accountName] == [issuer.read ?? name.read.issuer, name.read.account],
            "\(uri)"
        )
        #expect((totp.digits, totp.period, totp.algorithm) == (length, seconds, hash), "\(uri)")
        #expect(client.getAllAccounts().map(\.imageUrl) == [image.read], "\(uri)")
        #expect(try totp.generateCode().code.count == length)
    }

    private func readPush(_ random: inout SeededGenerator, _ round: Int) async throws {
        let name = Self.names[random.below(Self.names.count)]
        let issuer = Self.issuers[random.below(Self.issuers.count)]
        let image = Self.images[random.below(Self.images.count)]
        let id = Self.ids[random.below(Self.ids.count)]
        let faults: [Part<Int?>] = [
            ("", nil), ("", nil), ("&s=%21", 1_200_000), ("&r=bm93aGVyZQ", 5_000_005),
        ]
        let fault = faults[random.below(faults.count)]
        let uri =
            "pushauth://push/\(name.written)?s=c2VjcmV0&c=Y2hhbGxlbmdl&m=REGISTER:1&r=aHR0cHM6Ly9hLmIvcg"
            + "&a=aHR0cHM6Ly9hLmIvYQ\(issuer.written)\(image.written)\(id.written)\(fault.written)"
            + Self.ends[random.below(Self.ends.count)]
        let (client, result) = try await made(uri)
        if let code = fault.read {
            guard case .failure(let error) = result else { return #expect(Bool(false), "\(uri)") }
            #expect((error as NSError).code == code, "\(uri)")
            return
        }
        let push = try result.get()
        #expect(
            [push.issuer, push.accountName] == [issuer.read ?? name.read.issuer, name.read.account],
            "\(uri)"
        )
        #expect(push.uid == id.read, "\(uri)")
        #expect(client.getAllAccounts().map(\.imageUrl) == [image.read], "\(uri)")
    }

    private static let times: [(written: JSONValue, read: Int)] = [
        (.null, 120), ("60", 60), (90, 90), ("soon", 120), (.number(1.5), 120), (true, 120), ([:], 120),
    ]
    private static let types: [(written: JSONValue, read: FRAuthenticator.PushType)] = [
        (.null, .default), ("challenge", .challenge), ("BIOMETRIC", .biometric), ("voice", .default),
        (7, .default),
    ]
    private static let messages: [(written: JSONValue, read: String?)] = [
        (.null, nil), ("Hello", "Hello"), ("", nil), (true, nil), (.array(["a"]), nil),
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

    @Test func aThousandPushesAreReadAsTheTablesSay() async throws {
        let bench = try Bench()
        let mechanism = try await bench.enrol()
        var random = SeededGenerator(seed: 11)
        for round in 0..<1_000 {
            let time = Self.times[random.below(Self.times.count)]
            let type = Self.types[random.below(Self.types.count)]
            let message = Self.messages[random.below(Self.messages.count)]
            let payload = Self.payloads[random.below(Self.payloads.count)]
            let number = Self.numbers[random.below(Self.numbers.count)]
            let sending = Self.sendings[random.below(Self.sendings.count)]
            let claims: JSONValue = [
                "t": time.written, "k": type.written, "m": message.written, "p": payload.written,
                "n": number.written, "i": sending.written,
            ]
            let isForged = random.below(10) == 0
            let push = try bench.deliver(
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
            #expect([push.message, push.customPayload] == [message.read, payload.read], "\(claims.text)")
            #expect(
                push.numbersChallengeArray == (type.read == .challenge ? number.read : nil),
                "\(claims.text)"
            )
            let sentAt = push.timeAdded.timeIntervalSince1970
            #expect(sending.read.map { $0 == sentAt } ?? (abs(sentAt - Date().timeIntervalSince1970) < 600))
        }
    }
}
