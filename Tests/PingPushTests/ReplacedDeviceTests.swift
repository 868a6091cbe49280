import Foundation
import PingAMSimulator
import PingPush
import PushBridgeCore
import PushBridgePlatform
import PushBridgeTestPhone
import PushBridgeTestSupport
import Testing

/// Two phones of one user.
///
/// The server has one profile for each user, so the second enrolment replaces the first phone's profile.
@Suite("Replaced devices")
struct ReplacedDeviceTests {
    @Test func onlyTheFirstOfTwoPhonesIsReportedAsReplaced() async throws {
        var random = SeededGenerator(seed: 7)
        for run in 0..<100 {
            let resyncs = Bool.random(using: &random)
            let first = try await Phone(.async) { $0.tokenResync = resyncs }
            let second = try await Phone(.async, beside: first) { $0.tokenResync = resyncs }
            let (server, clock) = (first.server, first.time)
            let id = try await first.enrol("demo").id
            let other = try await first.enrol("other").id
            var tokens = 0
            for _ in 0..<Int.random(in: 0...3, using: &random) {
                clock.withValue { $0 += TimeInterval.random(in: 60...86_400, using: &random) }
                await first.launch()
                // Neither an error of a gateway or server nor a single rejection proves that the profile was replaced.
                let fault = [
                    Fault.serverError, .dropConnection, .redirect(to: "https://x.example.com"), .refusal,
                ].randomElement(using: &random)
                server.withService { if let fault { $0.arm(fault, action: .refresh) } }
                tokens += 1
                await first.launch(token: String(tokens))
                #expect(try await !first.isReplaced(id), "run \(run)")
            }
            server.withService { service in
                service.resetDevices(of: "demo", in: "/alpha")
            }
            let new = try await second.enrol("demo").id
            clock.withValue { $0 += 8 * 86_400 }
            await first.launch(token: resyncs ? nil : "ff")
            await second.launch()
            // A token that a server received only in the registration counts as sent six days ago. So, with
            // `tokenResync`, each phone sends its token again within a day.
            clock.withValue { $0 += 86_400 }
            await first.launch()
            await second.launch()
            // A second rejection, on another day, proves that the profile was replaced.
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
    func aGatewaysRejectionIsReportedAsUnreachable(_ status: Int) async throws {
        let gateway = Lock<Int?>(nil)
        let server = Simulator(now: { Phone.start })
        let phone = try await Phone(.async) { $0.transport = Gateway(server: server, status: gateway) }
        try await phone.client.setDeviceToken("aa")
        let uri = try server.createCode(RegistrationOrder(issuer: "Example", account: "demo")).uri
        let id = try await phone.client.addCredentialFromUri(uri).id
        gateway.withValue { $0 = status }
        await phone.launch(token: "ff")
        let since = Phone.start
        #expect(try await phone.client.tokenState(of: id) == .unreachable(since: since))
    }
}

extension Phone {
    /// Sends the token as an app does at every launch, and ignores errors.
    fileprivate func launch(token: String? = nil) async {
        do {
            let known = try await client.getDeviceToken() ?? "aa"
            try await client.setDeviceToken(token ?? known)
        } catch {
            return
        }
    }

    fileprivate func isReplaced(_ id: String) async throws -> Bool {
        if case .replaced = try await client.tokenState(of: id) { true } else { false }
    }
}

/// A gateway that forwards every request, or responds with `status` if it is set.
private struct Gateway: PushTransport {
    let server: Simulator
    let status: Lock<Int?>

    func send(_ request: PushRequest, timeout: TimeInterval) async throws -> PushResponse {
        if let status = status.withValue({ $0 }) { return PushResponse(status: status, body: Data()) }
        return try await server.send(request, timeout: timeout)
    }
}
