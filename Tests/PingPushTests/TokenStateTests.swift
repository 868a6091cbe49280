import Foundation
import PingAMSimulator
import PingPush
import PushBridgeCore
import PushBridgePlatform
import PushBridgeTestPhone
import PushBridgeTestSupport
import Testing

/// The states of a device token, for each server version.
///
/// The server and the client use the same clock.
@Suite("Token states")
struct TokenStateTests {
    /// Returns a phone with a credential, and the credential's id.
    ///
    /// The credential is enrolled with AM 8.0.0. Afterwards, the server has the given version.
    private func enrolled(
        _ version: ServerVersion,
        userId: String? = nil,
        resync: Bool = false
    ) async throws -> (Phone, id: String) {
        let phone = try await Phone(.async, settings: .version(.v8_0_0)) { $0.tokenResync = resync }
        let id = try await phone.enrol(userId: userId).id
        phone.server.withService { $0.settings.version = version }
        return (phone, id)
    }

    @Test func aTokenUpdateWithoutAUserIdSendsTheAccountName() async throws {
        let (phone, id) = try await enrolled(.v8_0_2)
        #expect(await phone.launch())
        #expect(phone.serversToken(of: id) == "bb")
        #expect(try await phone.client.tokenState(of: id) == .known)
        #expect(phone.server.journal.last?.body["username"] == "demo")
    }

    @Test func theAppResolvesAnUnknownUserBySettingTheUserId() async throws {
        let (phone, id) = try await enrolled(.v8_0_2, userId: "user-1")
        #expect(await !phone.launch())
        let retryAt = phone.time.withValue { $0 } + 3600
        #expect(try await phone.client.tokenState(of: id) == .userUnknown(retryAt: retryAt))
        try await phone.client.setUserId("user-1", credentialId: id)
        #expect(try await phone.client.tokenState(of: id) == .owed)
        #expect(await phone.launch())
        #expect(try await phone.client.tokenState(of: id) == .known)
        #expect(phone.serversToken(of: id) == "bb")
    }

    @Test func theUserIdOfALaterPushResolvesAnUnknownUser() async throws {
        let (phone, id) = try await enrolled(.v8_0_2, userId: "user-1")
        #expect(await !phone.launch())
        let credential = try #require(await phone.client.getCredential(id))
        _ = try await phone.receive(for: credential)
        // The retry is immediate: the server rejected the token because of the user name, which the push has now
        // supplied.
        #expect(await phone.launch())
        #expect(try await phone.client.tokenState(of: id) == .known)
    }

    /// The app is launched 30 times, every hour or every day, but the server receives at most five requests.
    ///
    /// If the app is launched every day, each launch may be a minute or an hour later than on the previous
    /// day.
    @Test(arguments: [1, 24, 24 + 1.0 / 60, 25])
    func serverWithoutUpdatesIsAskedAtMostFiveTimesInThirtyLaunches(_ hours: Double) async throws {
        let (phone, id) = try await enrolled(.v8_0_0)
        for _ in 0..<30 {
            _ = await phone.launch()
            phone.wait(hours)
        }
        #expect(phone.refreshes == (hours == 1 ? 2 : 5))
        guard case .unsupported = try await phone.client.tokenState(of: id) else {
            Issue.record("The token state is \(try await phone.client.tokenState(of: id)).")
            return
        }
        // The response that updates are not supported also applies to the next token, until the client tries again.
        let asked = phone.refreshes
        if hours == 1 {
            _ = await phone.launch("cc")
            #expect(phone.refreshes == asked)
        }
        phone.server.withService { $0.settings.version = .v8_0_2 }
        phone.wait(24 * 7.5 + 1)
        #expect(await phone.launch("cc"))
        #expect(try await phone.client.tokenState(of: id) == .known)
    }

    @Test func anUnsupportedUpdateIsRetriedAfterAnHourAndThenAboutWeekly() async throws {
        let (phone, id) = try await enrolled(.v8_0_0)
        for hours in [1, 180, 180, 180] {
            #expect(await !phone.launch())
            let retryAt = phone.time.withValue { $0 } + Double(hours) * 3600
            #expect(try await phone.client.tokenState(of: id) == .unsupported(retryAt: retryAt))
            phone.wait(Double(hours))
            #expect(await phone.launch())
            phone.wait(0.1)
        }
        #expect(phone.refreshes == 4)
    }

    /// If a server does not support token updates, the next launch retries none of the server's credentials.
    ///
    /// A request for one of the two credentials fails. The response to a request for the other is that the server does
    /// not support updates. Either credential may come first.
    @Test(arguments: [true, false])
    func aServerWithoutTokenUpdatesReceivesNoRetryForAFailedCredential(_ failsFirst: Bool) async throws {
        let (phone, id) = try await enrolled(.v8_0_0)
        phone.wait(0.1)
        let order = RegistrationOrder(issuer: "Example", account: "other", realm: "/alpha")
        let uri = try phone.server.createCode(order).uri
        let other = try await phone.client.addCredentialFromUri(uri).id
        let failing = failsFirst ? id : other
        phone.server.withService { $0.arm(.serverError, action: .refresh, mechanismUid: failing) }
        #expect(await !phone.launch())
        let asked = phone.refreshes
        #expect(asked == (failsFirst ? 2 : 1))
        #expect(await phone.launch())
        #expect(phone.refreshes == asked)
        guard case .unsupported = try await phone.client.tokenState(of: failing) else {
            Issue.record("The server would receive the token again at every launch.")
            return
        }
    }

    @Test func serverThatFailsIsAskedAtTheNextLaunch() async throws {
        let (phone, id) = try await enrolled(.v8_0_2)
        phone.server.withService { $0.arm(.serverError, times: 2) }
        #expect(await !phone.launch())
        #expect(try await phone.client.tokenState(of: id) == .unreachable(since: phone.time.withValue { $0 }))
        #expect(await !phone.launch())
        #expect(await phone.launch())
        #expect(try await phone.client.tokenState(of: id) == .known)
    }

    @Test func aDeviceWithoutAProfileIsReportedAsReplacedAfterTheSecondRejection() async throws {
        let (phone, id) = try await enrolled(.v8_0_2, resync: true)
        #expect(await phone.launch())
        phone.server.withService { $0.resetDevices(of: "demo", in: "/alpha") }
        phone.wait(6 * 24)
        #expect(await phone.launch())
        #expect(try await phone.client.tokenState(of: id) == .known)
        phone.wait(24)
        #expect(await !phone.launch())
        let now = phone.time.withValue { $0 }
        #expect(try await phone.client.tokenState(of: id) == .refused(retryAt: now + 3600))
        phone.wait(1.1)
        #expect(await !phone.launch())
        let later = phone.time.withValue { $0 }
        #expect(try await phone.client.tokenState(of: id) == .replaced(retryAt: later + 7.5 * 24 * 3600))
    }

    /// Rejections of different tokens prove that a device was replaced, because they concern the profile and not the
    /// token.
    ///
    /// A new token is sent immediately. Its rejection counts as a second rejection only after the retry date of the
    /// first one.
    @Test func rejectionsOfDifferentTokensProveThatADeviceWasReplaced() async throws {
        let (phone, id) = try await enrolled(.v8_0_2)
        #expect(await phone.launch())
        phone.server.withService { $0.resetDevices(of: "demo", in: "/alpha") }
        let asked = phone.refreshes
        #expect(await !phone.launch("cc"))
        let first = phone.time.withValue { $0 }
        phone.wait(0.5)
        #expect(await !phone.launch("dd"))
        #expect(try await phone.client.tokenState(of: id) == .refused(retryAt: first + 3600))
        phone.wait(1)
        #expect(await !phone.launch("ee"))
        #expect(phone.refreshes == asked + 3)
        let last = phone.time.withValue { $0 }
        #expect(try await phone.client.tokenState(of: id) == .replaced(retryAt: last + 7.5 * 24 * 3600))
    }

    /// A server's responses are stored for later launches.
    ///
    /// Every launch opens a new client with a new connection to the same file.
    @Test func serverResponsesAreStoredForLaterLaunches() async throws {
        let (folder, key) = (try TemporaryFolder(), InMemorySealingKey())
        var settings = ServiceSettings()
        settings.version = .v8_0_0
        let server = Simulator(settings: settings)
        let clock = Lock(Date(timeIntervalSince1970: 1_700_000_000))
        let uri = try server.createCode(RegistrationOrder(issuer: "Example", account: "demo")).uri
        for launch in 0..<30 {
            let storage = try PushSQLiteStorage(path: folder.path("push.sqlite"), key: key)
            let client = try await PushClient.createClient { config in
                config.storage = storage
                config.transport = server
                config.logger = LogManager.none
                config.now = { clock.withValue { $0 } }
            }
            do {
                try await client.setDeviceToken(launch == 0 ? "aa" : "bb")
                if launch == 0 { try await client.addCredentialFromUri(uri) }
            } catch {
                #expect(error is PushError)
            }
            await client.close()
            clock.withValue { $0 += 86_460 }
        }
        #expect(server.journal.count { $0.action == "refresh" } == 5)
    }

    /// The device token is sent again for each credential, at different times of the seventh day.
    @Test func tokensAreNotAllSentAgainAtOnce() async throws {
        let (phone, _) = try await enrolled(.v8_0_2, resync: true)
        for number in 0..<30 { _ = try await phone.enrol("user-\(number)") }
        #expect(await phone.launch())
        var asked = [phone.refreshes]
        for hours in [6 * 24, 12, 12] as [Double] {
            phone.wait(hours)
            #expect(await phone.launch())
            asked.append(phone.refreshes)
        }
        #expect(asked[1] == asked[0])
        #expect(asked[1] < asked[2] && asked[2] < asked[3])
        #expect(asked[3] == asked[0] + 31)
    }

    /// A push proves that the profile exists, even if a gateway has rejected token updates once or twice.
    @Test(arguments: [1, 2])
    func pushProvesThatTheProfileExists(_ refusals: Int) async throws {
        let (phone, id) = try await enrolled(.v8_0_2)
        #expect(await phone.launch())
        let credential = try #require(await phone.client.getCredential(id))
        for _ in 0..<refusals {
            phone.server.withService { $0.arm(.refusal, action: .refresh) }
            #expect(await !phone.launch("cc"))
            phone.wait(1.1)
        }
        let isReplaced = if case .replaced = try await phone.client.tokenState(of: id) { true } else { false }
        #expect(isReplaced == (refusals == 2))
        let push = try await phone.receive(for: credential)
        #expect(try await phone.client.tokenState(of: id) == .owed)
        // The push is removed, but still proves that the profile exists.
        #expect(try phone.store.write { try $0.removeNotification(id: push.id) })
        #expect(try await phone.client.tokenState(of: id) == .owed)
        // Rejections before the push are not counted, so the next rejection does not prove a replaced device.
        phone.server.withService { $0.arm(.refusal, action: .refresh) }
        #expect(await !phone.launch("cc"))
        let retryAt = phone.time.withValue { $0 } + 3600
        #expect(try await phone.client.tokenState(of: id) == .refused(retryAt: retryAt))
        phone.wait(1.1)
        #expect(await phone.launch("cc"))
        #expect(try await phone.client.tokenState(of: id) == .known)
    }

    /// A mistyped user id is not reported as a replaced device.
    ///
    /// A user id from the app is unproven until the server accepts it, even if an earlier id of the device was proven.
    @Test func mistypedUserIsNotReportedAsReplacedDevice() async throws {
        let (phone, id) = try await enrolled(.v8_0_2, userId: "user-1")
        let credential = try #require(await phone.client.getCredential(id))
        func refused(_ token: String) async throws {
            for _ in 0..<3 {
                #expect(await !phone.launch(token))
                guard case .userUnknown = try await phone.client.tokenState(of: id) else {
                    Issue.record("The token state is \(try await phone.client.tokenState(of: id)).")
                    return
                }
                phone.wait(8 * 24)
            }
        }
        try await phone.client.setUserId("user-2", credentialId: id)
        try await phone.client.setUserId("user-2", credentialId: id)
        try await refused("bb")
        try await phone.client.setUserId("user-1", credentialId: id)
        #expect(await phone.launch("bb"))
        try await phone.client.setUserId("user-3", credentialId: id)
        try await refused("cc")
        // In a push, the server itself names the user.
        _ = try await phone.receive(for: credential)
        #expect(try await phone.client.getCredential(id)?.userId == "user-1")
        #expect(await phone.launch("cc"))
        #expect(try await phone.client.tokenState(of: id) == .known)
    }

    @Test func knownTokenIsSentAgainAfterAWeekOnlyWithTokenResync() async throws {
        for resync in [false, true] {
            let (phone, _) = try await enrolled(.v8_0_2, resync: resync)
            for day in [0, 6, 1, 6, 1] as [Double] {
                phone.wait(day * 24)
                #expect(await phone.launch())
            }
            #expect(phone.refreshes == (resync ? 3 : 1))
        }
    }
}

extension Phone {
    fileprivate func wait(_ hours: Double) { advance(hours * 3600) }

    /// Sends the token, as an app does at every launch.
    ///
    /// Returns the client's result, or `false` if the client throws.
    fileprivate func launch(_ token: String = "bb") async -> Bool {
        do {
            return try await client.setDeviceToken(token)
        } catch {
            return false
        }
    }

    /// Creates a login push at the server and passes it to the client.
    fileprivate func receive(for credential: PushCredential) async throws -> PushNotification {
        let message = try push(to: credential).userInfo.text
        return try #require(await client.processNotification(message: message))
    }

    fileprivate func serversToken(of id: String) -> String? {
        server.withService { $0.devices[id]?.deviceToken }
    }
}
