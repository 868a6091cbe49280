import Foundation
import PingLogger
import PingPush
import PushBridgeCore
import PushBridgePlatform
import PushBridgeTestSupport
import Testing

/// No returned or logged value contains a secret, in the whole life of a credential whose server sometimes fails.
@Suite("Secrets and logs")
struct SecrecyTests {
    /// Stores the messages of every level.
    ///
    /// Errors are stored in full, as a careless logger would write them.
    private final class Listener: PingLogger.Logger {
        private let recorded = Lock("")

        var text: String { recorded.withValue { $0 } }

        func d(_ message: String) { record(message, nil) }
        func i(_ message: String) { record(message, nil) }
        func w(_ message: String, error: (any Error)?) { record(message, error) }
        func e(_ message: String, error: (any Error)?) { record(message, error) }

        func record(_ message: String, _ error: (any Error)?) {
            recorded.withValue { text in
                text += "\(message)\n"
                if let error {
                    text += "\(error) \(String(reflecting: error)) \(error.localizedDescription)\n"
                }
                if let error { dump(error, to: &text) }
            }
        }
    }

    private let secret = Data((0..<32).map { UInt8(200 - 3 * $0) })

    /// The encodings in which the secret could appear.
    ///
    /// The encodings are both alphabets of Base64, hexadecimal, and a list of decimal numbers. Padded Base64 begins
    /// with the unpadded text, so the unpadded text suffices.
    private var spellings: [String] {
        let base64 = secret.base64EncodedString()
        let web = base64.replacingOccurrences(of: "+", with: "-").replacingOccurrences(of: "/", with: "_")
        return [base64, web].map { $0.replacingOccurrences(of: "=", with: "") }
            + [
                secret.map { String(format: "%02x", $0) }.joined(),
                secret.map { String(format: "%02X", $0) }.joined(),
                secret.map(String.init).joined(separator: ", "),
            ]
    }

    @Test(arguments: StoreKind.allCases)
    func noReturnedOrLoggedValueContainsASecret(_ kind: StoreKind) async throws {
        let listener = Listener()
        let fixture = try await PushClientFixture(kind) { $0.logger = listener }
        let shared = try #require(SharedSecret(bytes: secret))
        func attempt(_ work: () async throws -> Any?) async {
            do {
                var text = ""
                dump(try await work(), to: &text)
                listener.record(text, nil)
            } catch {
                listener.record("", error)
            }
        }
        let answers: [PushResponse] = [.refusal, .fault, .ok]
        for answer in answers {
            fixture.server.willAnswer { _ in answer }
            await attempt { try await fixture.client.setDeviceToken("0011223344556677") }
            let uri = try PushClientFixture.uri(secret: shared)
            await attempt { try await fixture.client.addCredentialFromUri(uri) }
            await attempt { try await fixture.client.addCredentialFromUri(uri + "&policies=%7Bnot") }
            await attempt {
                try await fixture.client.addCredentialFromUri("pushauth://push/x:y?s=\(spellings[1])")
            }
        }
        let credential = try #require(try await fixture.client.getCredentials().first)
        for (number, answer) in answers.enumerated() {
            fixture.server.willAnswer { _ in answer }
            for kind in ["default", "challenge", "biometric"] {
                let id = "AUTHENTICATE:\(number)\(kind)"
                let claims: JSONValue = ["k": .string(kind), "n": "12,34,56", "l": "YW1sYmNvb2tpZT0wMQ=="]
                let text = PushClientFixture.payload(claims, for: credential, messageId: id).text
                await attempt { try await fixture.client.processNotification(message: text) }
                let forged = PushClientFixture.payload(
                    claims,
                    for: credential,
                    signedWith: .random(),
                    messageId: id + "f"
                )
                await attempt { try await fixture.client.processNotification(message: forged.text) }
                await attempt {
                    let push = try await fixture.client.getPendingNotifications().first
                    return try await fixture.client.approveNotification(push?.id ?? "none")
                }
                await attempt {
                    let push = try await fixture.client.getPendingNotifications().first
                    return try await fixture.client.approveChallengeNotification(
                        push?.id ?? "none",
                        challengeResponse: "34"
                    )
                }
            }
            await attempt { try await fixture.client.setDeviceToken("8899aabbccddeeff") }
            await attempt { try await fixture.client.getCredentials() }
            await attempt { try await fixture.client.getAllNotifications() }
        }
        fixture.server.willAnswer { _ in throw URLError(.notConnectedToInternet) }
        await attempt { try await fixture.client.setDeviceToken("ffeeddccbbaa9988") }
        let text = listener.text
        #expect(text.count > 1000)
        for spelling in spellings { #expect(!text.contains(spelling)) }
        // The values also contain no device token and no signed token; each signed token begins with `eyJ`.
        for token in ["0011223344556677", "8899aabbccddeeff", "ffeeddccbbaa9988", "eyJ"] {
            #expect(!text.contains(token))
        }
        let answered = fixture.server.requests.compactMap { $0["jwt"] }
        #expect(!answered.isEmpty)
    }
}
