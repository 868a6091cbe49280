import Foundation
import PingLogger
import PingOath
import PingPush
import Testing

/// Small differences from the successor SDK, each with a row in `docs/successor.md`.
@Suite("Small differences")
struct SmallDifferencesTests {
    private func oathClient() async throws -> OathClient {
        try await OathClient.createClient { config in
            config.storage = OathDictionaryStorage()
            config.logger = LogManager.none
        }
    }

    @Test(arguments: [(-5, 0.0), (45, 1.0), (15, 0.5)])
    func theProgressOfACodeIsWithinItsRange(_ passed: Int, _ progress: Double) {
        let code = OathCodeInfo.forTotp(code: "123456", timeRemaining: 30 - passed, totalPeriod: 30)
        #expect(code.progress == progress)
    }

    @Test func anAnswerToAnUnknownNotificationThrowsNotFound() async throws {
        let phone = try await EnrolledClient()
        await #expect(throws: PushError.notificationNotFound("unknown")) {
            _ = try await phone.client.approveNotification("unknown")
        }
        await #expect(throws: PushError.notificationNotFound("unknown")) {
            _ = try await phone.client.denyNotification("unknown")
        }
    }

    @Test func aTimeOutOfZeroIsRefused() async throws {
        let error = await #expect(throws: PushError.self) {
            _ = try await EnrolledClient { $0.timeoutMs = 0 }
        }
        guard case .initializationFailed? = error else {
            Issue.record("The error is \(String(describing: error)) instead of initializationFailed.")
            return
        }
    }

    @Test func aPushWithoutAChallengeIsIgnored() async throws {
        let phone = try await EnrolledClient()
        let payload = Sample.payload(of: phone.credential, ["c": .null])
        #expect(try await phone.client.processNotification(messageData: payload) == nil)
        #expect(try await phone.client.getAllNotifications() == [])
    }

    @Test func cleaningByAgeCountsFromTheServersTime() async throws {
        let phone = try await EnrolledClient { config in
            config.notificationCleanupConfig.cleanupMode = .ageBased
            config.notificationCleanupConfig.maxNotificationAgeDays = 2
        }
        let old = Int(Date().addingTimeInterval(-3 * 86_400).timeIntervalSince1970 * 1_000)
        _ = try await phone.receive(["i": .string("\(old)")], messageId: "old")
        _ = try await phone.receive(messageId: "new")
        _ = try await phone.client.cleanupNotifications()
        #expect(try await phone.client.getAllNotifications().map(\.messageId) == ["new"])
    }

    @Test func codesWithALongPeriodAndAnEmptyNameEnrol() async throws {
        let client = try await oathClient()
        let long = try await client.addCredentialFromUri("otpauth://totp/A:b?secret=JBSWY3DP&period=301")
        #expect(long.period == 301)
        let unnamed = try await client.addCredentialFromUri("otpauth://totp/A:?secret=JBSWY3DP&issuer=A")
        #expect(unnamed.accountName == "Untitled")
        await #expect(throws: OathError.self) {
            _ = try await client.addCredentialFromUri("otpauth://totp/?secret=JBSWY3DP")
        }
        #expect(try await client.getCredentials().count == 2)
    }

    @Test func theReflectionOfAValueShowsNoSecret() async throws {
        let client = try await oathClient()
        let credential = try await client.addCredentialFromUri("otpauth://totp/A:b?secret=JBSWY3DPEHPK3PXP")
        let push = try await EnrolledClient().credential
        var texts = [String(reflecting: credential), String(reflecting: push)]
        for value in [credential, push] as [any Sendable] {
            var text = ""
            dump(value, to: &text)
            texts.append(text)
        }
        #expect(texts.allSatisfy { $0.contains("Credential") })
        let secret = push.sharedSecret.withUnsafeBytes { Data($0).base64EncodedString() }
        #expect(texts.allSatisfy { !$0.contains("JBSWY3DPEHPK3PXP") && !$0.contains(secret) })
    }
}
