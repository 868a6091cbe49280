import Foundation
import PingAMSimulator
import PingAMSimulatorServer
import PushBridgeCore
import PushBridgeToolsTestSupport
import Testing

@Suite struct ConformTests {
    private struct Report: Decodable {
        struct Check: Decodable {
            let check: String
            let right: Bool
        }

        let versions: [String]
        let senders: [String]
        let checks: [Check]
    }

    /// What can be told apart without an administrator; the last three write the same.
    @Test(arguments: [
        (ServerVersion.v6_5, PushSender.node, ["6.5", "7.1", "7.2", "7.3", "7.5", "8.0.0"]),
        (.v7_1, .node, ["7.1", "7.2"]), (.v7_2, .node, ["7.1", "7.2"]),
        (.v7_3, .node, ["7.3", "7.5", "8.0.0"]), (.v7_5, .node, ["7.3", "7.5", "8.0.0"]),
        (.v8_0_0, .node, ["7.3", "7.5", "8.0.0"]), (.v8_0_2, .node, ["8.0.2"]), (.v8_0_2, .module, ["8.0.2"]),
        (.v7_5, .module, ["6.5", "7.1", "7.2", "7.3", "7.5", "8.0.0"]),
    ])
    func serverIsToldByItsAnswersAndItsCode(
        _ version: ServerVersion,
        _ sender: PushSender,
        _ versions: [String]
    ) async throws {
        var settings = ServiceSettings()
        settings.version = version
        settings.sender = sender
        let simulator = Simulator(settings: settings)
        let server = try await SimulatorServer.start(simulator)
        var order = RegistrationOrder(issuer: "Bank", account: "demo", realm: "/alpha")
        order.account.backgroundColor = "#032b75"
        let code = try simulator.createCode(order)
        let run = try await Self.run([
            "--server", server.base, "--realm", "/alpha", "--code", code.uri, "--json",
        ])
        let report = try run.json(Report.self)
        #expect(report.versions == versions)
        #expect(report.checks.filter { !$0.right }.map(\.check) == [])
        #expect(report.checks.count == 12)
        #expect(run.status == 0)
        await server.stop()
    }

    @Test func withoutACodeOnlyTokenUpdatesTellVersionsApart() async throws {
        let server = try await SimulatorServer.start(Simulator())
        let run = try await Self.run(["--server", server.base])
        #expect(run.output.contains("It resembles AM 8.0.2."))
        await server.stop()
    }

    @Test func serverThatIsNoPushServiceDiffers() async throws {
        let server = try await SimulatorServer.start(Simulator())
        let run = try await Self.run(["--server", "\(server.base)/nowhere", "--realm", "/beta"])
        #expect(run.status == 1)
        #expect(run.output.contains("differs"))
        await server.stop()
    }

    @Test func serverThatIsNotThereIsOneSentence() async throws {
        let run = try await Self.run(["--server", "http://127.0.0.1:9/am"])
        #expect(run.status == 75)
        #expect(run.sentences.count == 1)
    }

    /// Waits on a thread of its own, because the server answers on those that tasks share.
    private static func run(_ arguments: [String]) async throws -> CommandLineTool.Run {
        try await withCheckedThrowingContinuation { continuation in
            Thread.detachNewThread {
                continuation.resume(with: Result { try CommandLineTool().run(["conform"] + arguments) })
            }
        }
    }
}
