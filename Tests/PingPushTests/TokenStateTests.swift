import Foundation
import PingAMSimulator
import PingPush
import PushBridgeCore
import PushBridgePlatform
import PushBridgeTestSupport
import Testing

/// Device tokens and the versions of the server, which is told the time of the client.
@Suite("Token states")
struct TokenStateTests {
    /// A client, a server, and a credential that was enrolled before servers named their users.
    private struct Phone {
        let clock: Lock<Date>
        let live: LiveBench
        let id: String

        init(_ version: ServerVersion, userId: String? = nil, resync: Bool = false) async throws {
            let clock = Lock(Date(timeIntervalSince1970: 1_700_000_000))
            var settings = ServiceSettings()
            settings.version = .v8_0_0
            let live = try await LiveBench(.memory, settings: settings) { config in
                config.now = { clock.withValue { $0 } }
                config.tokenResync = resync
            }
            try await live.client.setDeviceToken("aa")
            var order = RegistrationOrder(issuer: "Example", account: "demo", realm: "/alpha")
            order.userId = userId
            let uri = try live.server.createCode(order).uri
            id = try await live.client.addCredentialFromUri(uri).id
            live.server.withService { $0.settings.version = version }
            self.clock = clock
            self.live = live
        }

        func wait(_ hours: Double) { clock.withValue { $0 += hours * 3600 } }

        /// What an app does at every launch; a refusal is thrown.
        func launch(_ token: String = "bb") async -> Bool {
            do {
                return try await live.client.setDeviceToken(token)
            } catch {
                return false
            }
        }

        var state: TokenState { get async throws { try await live.client.tokenState(of: id) } }
        var asked: Int { live.server.journal.count { $0.action == "refresh" } }
        var serversToken: String? { live.server.withService { $0.devices[id]?.deviceToken } }
    }

    @Test func credentialWithoutAUserIdIsKnownByItsAccountsName() async throws {
        let phone = try await Phone(.v8_0_2)
        #expect(await phone.launch())
        #expect(phone.serversToken == "bb")
        #expect(try await phone.state == .known)
        #expect(phone.live.server.journal.last?.body["username"] == "demo")
    }

    @Test func unknownUserIsAStateThatTheAppResolves() async throws {
        let phone = try await Phone(.v8_0_2, userId: "user-1")
        #expect(await !phone.launch())
        let retryAt = phone.clock.withValue { $0 } + 3600
        #expect(try await phone.state == .userUnknown(retryAt: retryAt))
        try await phone.live.client.setUserId("user-1", credentialId: phone.id)
        #expect(try await phone.state == .owed)
        #expect(await phone.launch())
        #expect(try await phone.state == .known)
        #expect(phone.serversToken == "bb")
    }

    @Test func laterPushTellsTheUser() async throws {
        let phone = try await Phone(.v8_0_2, userId: "user-1")
        #expect(await !phone.launch())
        let credential = try #require(await phone.live.client.getCredential(phone.id))
        _ = try await phone.live.receive(for: credential)
        // At once: the server refused because of the name, which is known now.
        #expect(await phone.launch())
        #expect(try await phone.state == .known)
    }

    /// Launches every hour, every day, and every day a minute or an hour later.
    @Test(arguments: [1, 24, 24 + 1.0 / 60, 25])
    func serverWithoutUpdatesIsAskedAtMostFiveTimesInThirtyLaunches(_ hours: Double) async throws {
        let phone = try await Phone(.v8_0_0)
        for _ in 0..<30 {
            _ = await phone.launch()
            phone.wait(hours)
        }
        #expect(phone.asked == (hours == 1 ? 2 : 5))
        guard case .unsupported = try await phone.state else {
            Issue.record("\(try await phone.state)")
            return
        }
        // What was learned of the server holds for the next token, until it is asked again.
        let asked = phone.asked
        if hours == 1 {
            _ = await phone.launch("cc")
            #expect(phone.asked == asked)
        }
        phone.live.server.withService { $0.settings.version = .v8_0_2 }
        phone.wait(24 * 7.5 + 1)
        #expect(await phone.launch("cc"))
        #expect(try await phone.state == .known)
    }

    @Test func waitIsAnHourAndThenAboutAWeek() async throws {
        let phone = try await Phone(.v8_0_0)
        for hours in [1, 180, 180, 180] {
            #expect(await !phone.launch())
            let retryAt = phone.clock.withValue { $0 } + Double(hours) * 3600
            #expect(try await phone.state == .unsupported(retryAt: retryAt))
            phone.wait(Double(hours))
            #expect(await phone.launch())
            phone.wait(0.1)
        }
        #expect(phone.asked == 4)
    }

    /// One credential's request failed, the other's said that there are no updates: in either order that holds for both.
    @Test(arguments: [true, false])
    func serverWithoutUpdatesIsNotAskedForACredentialThatFailed(_ failsFirst: Bool) async throws {
        let phone = try await Phone(.v8_0_0)
        phone.wait(0.1)
        let order = RegistrationOrder(issuer: "Example", account: "other", realm: "/alpha")
        let uri = try phone.live.server.createCode(order).uri
        let other = try await phone.live.client.addCredentialFromUri(uri).id
        let failing = failsFirst ? phone.id : other
        phone.live.server.withService { $0.arm(.serverError, action: .refresh, mechanismUid: failing) }
        #expect(await !phone.launch())
        let asked = phone.asked
        #expect(asked == (failsFirst ? 2 : 1))
        #expect(await phone.launch())
        #expect(phone.asked == asked)
        guard case .unsupported = try await phone.live.client.tokenState(of: failing) else {
            Issue.record("It is asked again at every launch.")
            return
        }
    }

    @Test func serverThatFailsIsAskedAtTheNextLaunch() async throws {
        let phone = try await Phone(.v8_0_2)
        phone.live.server.withService { $0.arm(.serverError, times: 2) }
        #expect(await !phone.launch())
        #expect(try await phone.state == .unreachable(since: phone.clock.withValue { $0 }))
        #expect(await !phone.launch())
        #expect(await phone.launch())
        #expect(try await phone.state == .known)
    }

    @Test func deviceWhoseProfileMovedIsNamedAsReplacedOnTheSecondRefusal() async throws {
        let phone = try await Phone(.v8_0_2, resync: true)
        #expect(await phone.launch())
        phone.live.server.withService { $0.resetDevices(of: "demo", in: "/alpha") }
        phone.wait(6 * 24)
        #expect(await phone.launch())
        #expect(try await phone.state == .known)
        phone.wait(24)
        #expect(await !phone.launch())
        let now = phone.clock.withValue { $0 }
        #expect(try await phone.state == .refused(retryAt: now + 3600))
        phone.wait(1.1)
        #expect(await !phone.launch())
        let later = phone.clock.withValue { $0 }
        #expect(try await phone.state == .replaced(retryAt: later + 7.5 * 24 * 3600))
    }

    /// It is about the profile: another token is told at once, and does not make the next refusal a first one.
    @Test func refusalsOfTwoTokensAreProof() async throws {
        let phone = try await Phone(.v8_0_2)
        #expect(await phone.launch())
        phone.live.server.withService { $0.resetDevices(of: "demo", in: "/alpha") }
        let asked = phone.asked
        #expect(await !phone.launch("cc"))
        let first = phone.clock.withValue { $0 }
        phone.wait(0.5)
        #expect(await !phone.launch("dd"))
        #expect(try await phone.state == .refused(retryAt: first + 3600))
        phone.wait(1)
        #expect(await !phone.launch("ee"))
        #expect(phone.asked == asked + 3)
        let last = phone.clock.withValue { $0 }
        #expect(try await phone.state == .replaced(retryAt: last + 7.5 * 24 * 3600))
    }

    /// Every launch has a client and a connection of its own, on a file.
    @Test func whatServersSaidIsInTheFile() async throws {
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

    /// Each credential has its own hour of the seventh day.
    @Test func tokensAreNotAllToldAgainAtOnce() async throws {
        let phone = try await Phone(.v8_0_2, resync: true)
        for number in 0..<30 { _ = try await phone.live.enrol("user-\(number)") }
        #expect(await phone.launch())
        var asked = [phone.asked]
        for hours in [6 * 24, 12, 12] as [Double] {
            phone.wait(hours)
            #expect(await phone.launch())
            asked.append(phone.asked)
        }
        #expect(asked[1] == asked[0])
        #expect(asked[1] < asked[2] && asked[2] < asked[3])
        #expect(asked[3] == asked[0] + 31)
    }

    /// A gateway may refuse once, and again at another time; a push that comes in between says that all is well.
    @Test(arguments: [1, 2])
    func pushProvesThatTheProfileIsThere(_ refusals: Int) async throws {
        let phone = try await Phone(.v8_0_2)
        #expect(await phone.launch())
        let credential = try #require(await phone.live.client.getCredential(phone.id))
        for _ in 0..<refusals {
            phone.live.server.withService { $0.arm(.refusal, action: .refresh) }
            #expect(await !phone.launch("cc"))
            phone.wait(1.1)
        }
        let isReplaced = if case .replaced = try await phone.state { true } else { false }
        #expect(isReplaced == (refusals == 2))
        let push = try await phone.live.receive(for: credential)
        #expect(try await phone.state == .owed)
        // It is proven whatever becomes of the push.
        #expect(try await phone.live.bench.storage.removePushNotification(notificationId: push.id))
        #expect(try await phone.state == .owed)
        // What was refused before the push counts no longer.
        phone.live.server.withService { $0.arm(.refusal, action: .refresh) }
        #expect(await !phone.launch("cc"))
        let retryAt = phone.clock.withValue { $0 } + 3600
        #expect(try await phone.state == .refused(retryAt: retryAt))
        phone.wait(1.1)
        #expect(await phone.launch("cc"))
        #expect(try await phone.state == .known)
    }

    /// What the app says is a guess until the server accepted it, also when the device was known by another name before.
    @Test func mistypedUserIsNoReplacedDevice() async throws {
        let phone = try await Phone(.v8_0_2, userId: "user-1")
        let credential = try #require(await phone.live.client.getCredential(phone.id))
        func refused(_ token: String) async throws {
            for _ in 0..<3 {
                #expect(await !phone.launch(token))
                guard case .userUnknown = try await phone.state else {
                    Issue.record("\(try await phone.state)")
                    return
                }
                phone.wait(8 * 24)
            }
        }
        try await phone.live.client.setUserId("user-2", credentialId: phone.id)
        try await phone.live.client.setUserId("user-2", credentialId: phone.id)
        try await refused("bb")
        try await phone.live.client.setUserId("user-1", credentialId: phone.id)
        #expect(await phone.launch("bb"))
        try await phone.live.client.setUserId("user-3", credentialId: phone.id)
        try await refused("cc")
        // The server itself names the user in a push.
        _ = try await phone.live.receive(for: credential)
        #expect(try await phone.live.client.getCredential(phone.id)?.userId == "user-1")
        #expect(await phone.launch("cc"))
        #expect(try await phone.state == .known)
    }

    @Test func knownTokenIsToldAgainAfterAWeekOnlyWhenAskedFor() async throws {
        for resync in [false, true] {
            let phone = try await Phone(.v8_0_2, resync: resync)
            for day in [0, 6, 1, 6, 1] as [Double] {
                phone.wait(day * 24)
                #expect(await phone.launch())
            }
            #expect(phone.asked == (resync ? 3 : 1))
        }
    }
}
