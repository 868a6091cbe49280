import Foundation
import PingAMSimulator
import PingPush
import PushBridgeCore
import PushBridgePlatform
import PushBridgeTestSupport
import Testing

/// Two phones of one user: the second enrolment takes the server's only profile.
@Suite("Replaced devices")
struct ReplacedDeviceTests {
    @Test func firstPhoneIsNamedAsReplacedAndNobodyElse() async throws {
        var random = SeededGenerator(seed: 7)
        for run in 0..<100 {
            let clock = Lock(Date(timeIntervalSince1970: 1_700_000_000))
            let server = Simulator(now: { clock.withValue { $0 } })
            let resyncs = Bool.random(using: &random)
            let (first, second) = (
                try await Phone(server, clock, resyncs), try await Phone(server, clock, resyncs)
            )
            let id = try await first.enrol("demo")
            let other = try await first.enrol("other")
            var tokens = 0
            for _ in 0..<Int.random(in: 0...3, using: &random) {
                clock.withValue { $0 += TimeInterval.random(in: 60...86_400, using: &random) }
                await first.launch()
                // What gateways and failing servers say is no verdict on a profile, nor is a single refusal.
                let fault = [
                    Fault.serverError, .dropConnection, .redirect(to: "https://x.example.com"), .refusal,
                ].randomElement(using: &random)
                server.withService { if let fault { $0.arm(fault, action: .refresh) } }
                tokens += 1
                await first.launch(token: String(tokens))
                #expect(try await !first.isReplaced(id), "run \(run)")
            }
            server.withService { service in
                service.resetDevices(of: "demo")
            }
            let new = try await second.enrol("demo")
            clock.withValue { $0 += 8 * 86_400 }
            await first.launch(token: resyncs ? nil : "ff")
            await second.launch()
            // What was never told but with the registration is told within a day.
            clock.withValue { $0 += 86_400 }
            await first.launch()
            await second.launch()
            // The second refusal, at another time, is the proof.
            clock.withValue { $0 += 86_400 }
            await first.launch()
            await second.launch()
            #expect(try await first.isReplaced(id), "run \(run)")
            #expect(try await first.client.tokenState(of: other) == .known, "run \(run)")
            #expect(try await second.client.tokenState(of: new) == .known, "run \(run)")
            await second.launch(token: "ee")
            #expect(try await second.client.tokenState(of: new) == .known, "run \(run)")
        }
    }

    @Test(arguments: [401, 403, 404, 408, 413, 429, 503])
    func gatewaysRefusalIsNoVerdict(_ status: Int) async throws {
        let clock = Lock(Date(timeIntervalSince1970: 1_700_000_000))
        let phone = try await Phone(Simulator(now: { clock.withValue { $0 } }), clock, false)
        let id = try await phone.enrol("demo")
        phone.gateway.withValue { $0 = status }
        await phone.launch(token: "ff")
        let since = clock.withValue { $0 }
        #expect(try await phone.client.tokenState(of: id) == .unreachable(since: since))
    }
}

/// One phone; its gateway lets everything through unless it is told a status.
private struct Phone {
    let server: Simulator
    let client: PushClient
    let gateway = Lock<Int?>(nil)

    init(_ server: Simulator, _ clock: Lock<Date>, _ resyncs: Bool) async throws {
        self.server = server
        let gateway = gateway
        client = try await PushClient.createClient { config in
            config.storage = CredentialStoreStorage(MemoryCredentialStore())
            config.transport = Gateway(server: server, status: gateway)
            config.timeout = LiveBench.timeout
            config.logger = LogManager.none
            config.tokenResync = resyncs
            config.now = { clock.withValue { $0 } }
        }
        try await client.setDeviceToken("aa")
    }

    func enrol(_ user: String) async throws -> String {
        let order = RegistrationOrder(issuer: "Example", account: user)
        return try await client.addCredentialFromUri(try server.createCode(order).uri).id
    }

    /// What an app does at every launch, whatever comes of it.
    func launch(token: String? = nil) async {
        do {
            let known = try await client.getDeviceToken() ?? "aa"
            try await client.setDeviceToken(token ?? known)
        } catch {
            return
        }
    }

    func isReplaced(_ id: String) async throws -> Bool {
        if case .replaced = try await client.tokenState(of: id) { true } else { false }
    }
}

private struct Gateway: PushTransport {
    let server: Simulator
    let status: Lock<Int?>

    func send(_ request: PushRequest, timeout: TimeInterval) async throws -> PushResponse {
        if let status = status.withValue({ $0 }) { return PushResponse(status: status, body: Data()) }
        return try await server.send(request, timeout: timeout)
    }
}
