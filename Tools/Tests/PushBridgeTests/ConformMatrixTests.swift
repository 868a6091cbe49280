import Foundation
@_spi(PushBridgeTools) import PingAMSimulator
import PushBridgeCore
import PushBridgeTestSupport
import Testing

@testable import pushbridge_try

#if canImport(FoundationNetworking)
import FoundationNetworking
#endif

/// Runs `conform` in this process against every possible server.
///
/// A server has a version, a node or a module that makes the codes, and a node or a module that sends the pushes. A
/// switch of the simulator can select another behaviour.
///
/// A run must name exactly the versions whose servers responded in the same way to every request of the run.
@Suite(.serialized) struct ConformMatrixTests {
    /// A server, and the switches that are enabled.
    private struct Setting: Hashable, Sendable {
        let candidate: ServerCandidate
        let alternatives: Set<ServerAlternative>
    }

    /// The findings of a run, and the versions that it named.
    private struct Outcome: Sendable {
        let setting: Setting
        let transcript: [String]
        let named: Set<ServerCandidate>
        let differing: [String]
        let alternatives: [String]
    }

    /// The servers against which `conform` runs, with their switches.
    ///
    /// If a node makes the codes and a module sends the pushes, the switches are not tested, because other settings
    /// test them with a node's codes and with a module's pushes.
    private static let settings = ServerCandidate.all.flatMap { candidate in
        let isCrossed = candidate.codes == .node && candidate.pushes == .module
        return ([nil] + (isCrossed ? [] : ServerAlternative.allCases)).map {
            Setting(candidate: candidate, alternatives: $0.map { [$0] } ?? [])
        }
    }

    @Test func exactlyTheIndistinguishableVersionsAreNamed() async throws {
        var outcomes: [Outcome] = []
        for setting in Self.settings { outcomes.append(try await Self.outcome(of: setting)) }
        var alike: [[String]: Set<ServerCandidate>] = [:]
        for outcome in outcomes { alike[outcome.transcript, default: []].insert(outcome.setting.candidate) }
        for outcome in outcomes {
            let setting = outcome.setting
            #expect(outcome.differing == [], "\(setting)")
            #expect(outcome.named.contains(setting.candidate), "\(setting)")
            #expect(outcome.named == alike[outcome.transcript], "\(setting)")
        }
    }

    @Test(arguments: [
        ([ServerVersion.v8_0_2, .v8_1_0], "8.0.1 or later"), ([.v7_3, .v7_5], "7.3/7.4, 7.5"),
        ([.v6_5, .v7_1, .v7_2], "7.2 or earlier"), ([.v7_2, .v7_3, .v7_5], "7.2 to 7.5"),
        ([.v8_0_2], "8.0.1/8.0.2"), ([.v6_5, .v7_1], "6.5, 7.0/7.1"),
    ])
    func listsOfVersionsAreWrittenAsShortText(_ versions: [ServerVersion], _ words: String) {
        #expect(versions.words == words)
    }

    /// If a request of the run can show the effect of the enabled switch, the report names this switch.
    ///
    /// The report never names another switch.
    @Test(arguments: ServerAlternative.allCases)
    func theReportNamesOnlyTheEnabledSwitch(_ alternative: ServerAlternative) async throws {
        let version: ServerVersion =
            switch alternative {
            case .oldProfilePath: .v7_3
            case .wrongNumberConsumes: .v8_1_0
            default: .v8_0_2
            }
        let candidate = ServerCandidate(version: version, codes: .node, pushes: .node)
        let outcome = try await Self.outcome(of: Setting(candidate: candidate, alternatives: [alternative]))
        // No request of a device can show the effect of these switches. They concern characters in labels, values
        // for other kinds of device, tokens that Amazon's service rejects, and concurrent logins.
        let hidden: Set = [
            "escaped-labels", "raw-labels", "compact-payloads", "lower-case-priority", "uncaught-endpoints",
            "mixed-challenges",
        ]
        #expect(outcome.alternatives == [alternative.rawValue].filter { !hidden.contains($0) })
    }

    /// If several switches are enabled at the same time, the run names the true version and finds no
    /// difference.
    @Test(arguments: 0..<60)
    func versionIsNamedWithSeveralSwitches(_ seed: Int) async throws {
        var chance = Chance(seed: UInt64(seed))
        let all = ServerCandidate.all.sorted { "\($0)" < "\($1)" }
        let candidate = try #require(all.randomElement(using: &chance))
        let alternatives = ServerAlternative.allCases.filter { _ in Bool.random(using: &chance) }
        let setting = Setting(candidate: candidate, alternatives: Set(alternatives))
        let outcome = try await Self.outcome(of: setting)
        #expect(outcome.differing == [], "\(setting)")
        #expect(outcome.named.contains(candidate), "\(setting)")
    }

    /// Codes that combine push and one-time passwords.
    ///
    /// Nodes make combined codes from version 7.3 on.
    @Test(
        arguments: ServerVersion.allCases.filter(\.hasCombinedCodes),
        [nil] + ServerAlternative.allCases
    )
    func combinedCodesIdentifyTheSameVersions(_ version: ServerVersion, _ alternative: ServerAlternative?)
        async throws
    {
        let candidate = ServerCandidate(version: version, codes: .node, pushes: .node)
        let setting = Setting(candidate: candidate, alternatives: alternative.map { [$0] } ?? [])
        let outcome = try await Self.outcome(of: setting, codes: OneTimeCodeOrder())
        let plain = try await Self.outcome(of: setting)
        #expect(outcome.differing == [])
        #expect(outcome.named == plain.named)
        #expect(outcome.alternatives == plain.alternatives)
        #expect(outcome.transcript.contains { $0.hasPrefix("further parameters of the combined code") })
    }

    private static func outcome(of setting: Setting, codes: OneTimeCodeOrder? = nil) async throws -> Outcome {
        var settings = ServiceSettings()
        settings.version = setting.candidate.version
        settings.sender = setting.candidate.codes
        settings.alternatives = setting.alternatives
        let start = Date(timeIntervalSince1970: 1_700_000_000)
        let time = Guarded(start)
        let simulator = Simulator(settings: settings, now: { time.withValue { $0 } })
        var environment = ConformanceEnvironment { _ in }
        environment.elapsed = { .seconds(time.withValue { $0.timeIntervalSince(start) }) }
        environment.pause = { duration in
            time.withValue { $0 += Double(duration.components.seconds) }
        }
        environment.send = { request in
            // The servers of other tests also need a thread, so this task yields.
            await Task.yield()
            let arrived = SimulatedRequest(
                request.httpMethod ?? "GET",
                url: try #require(request.url),
                headers: request.allHTTPHeaderFields ?? [:],
                body: request.httpBody ?? Data()
            )
            let response = try #require(try await simulator.respond(to: arrived))
            return Answer(status: response.status, body: response.body)
        }
        var conformance = Conformance(base: "\(simulator.base)/json", environment)
        conformance.otherBase = "\(simulator.base)/json/beta"
        var order = RegistrationOrder(issuer: "Bank", account: "alice")
        order.codes = codes
        conformance.code = try simulator.createCode(order).uri
        conformance.owner = ("alice", simulator.withService { $0.createSession(for: "alice") })
        conformance.supply = OwnPushes(simulator: simulator, sender: setting.candidate.pushes)
        conformance.lateness = 130
        let report = try await conformance.run()
        return Outcome(
            setting: setting,
            transcript: report.findings.map { "\($0.check.name): \($0.found)" },
            named: report.candidates,
            differing: report.findings.filter { !$0.isRight }.map { "\($0.check.name): \($0.found)" },
            alternatives: report.alternatives
        )
    }

    /// Supplies the pushes of a simulator in this process.
    ///
    /// The test controls every login page.
    private struct OwnPushes: PushSupply {
        let simulator: Simulator
        let sender: PushSender
        let seesLogins = true

        func next(_ type: PushType, for device: EnrolledDevice) throws -> ObservedPush? {
            // The code and the pushes may come from different kinds of senders. For example, a module can
            // enrol a device to which a node sends the pushes.
            simulator.withService { $0.settings.sender = sender }
            let order = PushOrder(
                mechanismUid: device.mechanismUid,
                type: type,
                numbers: type == .challenge ? "57,34,43" : nil
            )
            return ObservedPush(try simulator.createPush(order).json.data)
        }

        func look(afterPush messageId: String) -> String? { simulator.look(afterPush: messageId)?.rawValue }

        func look(afterRegistration messageId: String) {
            _ = simulator.look(afterRegistration: messageId)
        }
    }
}
