import Foundation
import PushBridgeCore
import PushBridgeTestSupport
import Testing

@Suite struct PayloadFuzzTests {
    /// No random or mutated payload causes a trap.
    ///
    /// Each payload is accepted, rejected or ignored. An accepted payload contains an unchanged message, because it is
    /// signed.
    @Test(arguments: 0..<4)
    func noRandomPayloadCausesATrap(_ seed: UInt64) throws {
        let credential = try #require(PushCredential.sample(secret: PushCredential.recordedSecret))
        let originals = samples.map { Array(credential.payload($0).data) }
        let messages = Set(samples.map { $0["m"] })
        var generator = SeededGenerator(seed: seed)
        for round in Sweep.rounds("payloads", part: seed, of: 4) {
            let original = originals[generator.below(originals.count)]
            let bytes = round % 8 == 0 ? noise(&generator) : mutated(original, &generator)
            guard let notification = receive(bytes, credential) else { continue }
            #expect(messages.contains(notification.messageText.map(JSONValue.string)))
        }
    }

    /// In a correctly signed token, claims with any names and any types of values cause no trap.
    ///
    /// Each payload is accepted or rejected.
    @Test func noRandomClaimsCauseATrap() throws {
        let credential = try #require(PushCredential.sample(secret: PushCredential.recordedSecret))
        var generator = SeededGenerator(seed: 7)
        for _ in 0..<2_000 {
            var claims: [String: JSONValue] = ["u": "id", "c": "Y2g="]
            for _ in 0..<3 {
                claims[["u", "c", "l", "t", "i", "k", "m", "n", "p", "x", "d"][generator.below(11)]] =
                    values[generator.below(values.count)]
            }
            _ = receive(Array(credential.payload(.object(claims)).data), credential)?.expiresAt
        }
    }

    private let samples: [JSONValue] = [
        ["u": "id", "c": "Y2g="],
        ["u": "id", "c": "Y2g=", "k": "challenge", "n": "1,2,3", "m": "Sign in?", "t": "60"],
        ["u": "id", "c": "Y2g=", "p": ["a": ["b": 1]], "i": 1_700_000_000_000, "m": "日本 \"\u{1}"],
    ]

    private let values: [JSONValue] = [
        .null, true, 0, -1, .integer(.max), .integer(.min), .number(1e308), .number(-0.5), "", "?", "Y2g",
        "9223372036854775808", "-9223372036854775808", "challenge", ",,1,,99999999999999999999",
        .array([[:]]),
        ["a": .array([.null])], .string(String(repeating: "9", count: 5_000)), "\u{0}\u{FFFF}",
    ]

    private func receive(_ bytes: [UInt8], _ credential: PushCredential) -> PushNotification? {
        do {
            guard let payload = try PushPayload(json: Data(bytes)), let push = try UnverifiedPush(payload)
            else { return nil }
            let notification = try push.verified(with: credential, receivedAt: .sample).notification(id: "1")
            _ = notification.numbers
            return notification
        } catch {
            return nil
        }
    }

    private func noise(_ generator: inout SeededGenerator) -> [UInt8] {
        let alphabet = Array(#"{}[]":,.\ue0919-+truefalsn aps messageId data"#.utf8)
        return (0..<generator.below(80)).map { _ in alphabet[generator.below(alphabet.count)] }
    }

    private func mutated(_ bytes: [UInt8], _ generator: inout SeededGenerator) -> [UInt8] {
        var bytes = bytes
        for _ in 0...generator.below(3) {
            guard !bytes.isEmpty else { return bytes }
            let index = generator.below(bytes.count)
            switch generator.below(5) {
            case 0: bytes[index] = UInt8(truncatingIfNeeded: generator.next())
            case 1: bytes[index] ^= 1 << UInt8(generator.below(8))
            case 2: bytes.remove(at: index)
            case 3: bytes.insert(UInt8(truncatingIfNeeded: generator.next()), at: index)
            default: bytes.removeSubrange(index...)
            }
        }
        return bytes
    }
}
