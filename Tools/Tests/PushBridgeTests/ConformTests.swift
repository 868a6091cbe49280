import Foundation
import PingAMSimulator
import PingAMSimulatorServer
import PushBridgeCommandLine
import PushBridgeCommandLineTestSupport
@_spi(PushBridgeTools) import PushBridgeCore
import PushBridgeInternals
import PushBridgeTestSupport
import Testing

/// Runs `conform` against simulated servers, one test after the other.
///
/// Each test has a server in this process, to which a command in another process sends a hundred requests.
@Suite(.serialized) struct ConformTests {
    private struct Report: Decodable {
        struct Check: Decodable {
            let check: String
            let found: String
            let right: Bool
            let versions: [String]
        }

        let versions: [String]
        let codesOf: [String]
        let pushesOf: [String]
        let hints: [String]
        let alternatives: [String]
        let untried: [String]
        let checks: [Check]

        /// The checks whose findings do not match any version.
        var differing: [String] { checks.filter { !$0.right }.map(\.check) }

        func found(_ name: String) -> [String] { checks.filter { $0.check == name }.map(\.found) }
    }

    /// For each version and sender, the versions that behave the same.
    ///
    /// Versions 6.5 and 7.1 behave the same if modules make the codes. Versions 7.3 and 7.5 always behave the
    /// same. Versions 7.3 to 8.0.0 behave the same if modules send the pushes.
    private static let identified: [(ServerVersion, PushSender, [String])] = [
        (.v6_5, .node, ["6.5", "7.1"]), (.v7_1, .node, ["7.1"]),
        (.v7_2, .node, ["7.2"]), (.v7_3, .node, ["7.3", "7.5"]), (.v7_5, .node, ["7.3", "7.5"]),
        (.v8_0_0, .node, ["8.0.0"]), (.v8_0_2, .node, ["8.0.2"]), (.v8_1_0, .node, ["8.1.0"]),
        (.v6_5, .module, ["6.5", "7.1"]), (.v7_1, .module, ["6.5", "7.1"]), (.v7_2, .module, ["7.2"]),
        (.v7_3, .module, ["7.3", "7.5", "8.0.0"]), (.v7_5, .module, ["7.3", "7.5", "8.0.0"]),
        (.v8_0_0, .module, ["7.3", "7.5", "8.0.0"]), (.v8_0_2, .module, ["8.0.2"]),
        (.v8_1_0, .module, ["8.1.0"]),
    ]

    @Test(arguments: PushSender.allCases)
    func theTableOfVersionsContainsEveryVersion(_ sender: PushSender) {
        let versions = Self.identified.filter { $0.1 == sender }.map(\.0)
        #expect(Set(versions) == Set(ServerVersion.allCases))
    }

    /// From all codes, pushes and responses that a device receives, the command identifies the version, unless
    /// several versions behave the same.
    @Test(arguments: Self.identified)
    func deviceVisibleBehaviourIdentifiesTheVersion(
        _ version: ServerVersion,
        _ sender: PushSender,
        _ versions: [String]
    ) async throws {
        let servers = try await SimulatedServers(version, sender)
        let run = try await Self.run(try servers.controlArguments + ["--other-realm", "/beta", "--json"])
        let report = try run.json(Report.self)
        #expect(report.versions == versions)
        #expect(report.codesOf == [sender == .node && version >= .v7_1 ? "node" : "module"])
        #expect(report.pushesOf == [sender.rawValue])
        #expect(report.differing == [])
        #expect(report.alternatives == [])
        // If several versions remain, the report explains why.
        #expect(report.hints.isEmpty == (versions.count == 1))
        #expect(run.status == 0)
        #expect(!run.diagnostics.contains("pushbridge:"))
        // The address of the control endpoint is as secret as a password.
        let control = try #require(servers.server.control)
        #expect(!run.output.contains(control.suffix(36)))
        // The command has removed the device that it enrolled.
        #expect(servers.simulator.withService { $0.devices.isEmpty })
        await servers.server.stop()
    }

    /// Servers before 8.1.0 accept a wrong number; servers from 8.1.0 on reject the number, and may end the push.
    @Test(arguments: [
        (ServerVersion.v8_0_2, [ServerAlternative](), ["200"]), (.v8_1_0, [], ["400", "200"]),
        (.v8_1_0, [.wrongNumberConsumes], ["400", "400"]),
    ])
    func wrongNumberIdentifiesTheNewestVersion(
        _ version: ServerVersion,
        _ alternatives: [ServerAlternative],
        _ answers: [String]
    ) async throws {
        let servers = try await SimulatedServers(version, .node, Set(alternatives))
        let report = try await Self.run(try servers.controlArguments + ["--json"]).json(Report.self)
        let names = ["an approval of a challenge with a wrong number", "an approval after the wrong number"]
        #expect(names.flatMap(report.found) == answers)
        #expect(report.versions == [version.rawValue])
        #expect(report.alternatives == alternatives.map(\.rawValue))
        await servers.server.stop()
    }

    /// If the simulator's login pages poll only on request, the command requests the polls at the control endpoint.
    ///
    /// The command uses the realm `/alpha`.
    @Test func controlRequestsReplaceTheChecksOfLoginPages() async throws {
        let servers = try await SimulatedServers(.v8_0_2, .node, pagesLook: false)
        let run = try await Self.run(try servers.controlArguments + ["--realm", "/alpha", "--json"])
        let report = try run.json(Report.self)
        #expect(report.found("a token update of the new device") == ["200"])
        #expect(report.found("a reset when there is no profile left") == ["200, result true"])
        #expect(report.versions == ["8.0.2"])
        #expect(report.differing == [])
        await servers.server.stop()
    }

    @Test func lateAnswerIsTriedOnRequest() async throws {
        let servers = try await SimulatedServers(.v8_0_2, .node)
        let report = try await Self.run(try servers.controlArguments + ["--late", "0", "--json"]).json(
            Report.self
        )
        #expect(report.found("an answer after the message has expired").count == 1)
        #expect(!report.untried.contains { $0.contains("--late") })
        await servers.server.stop()
    }

    /// If a device has approved nothing, its profile has no last login at any version.
    ///
    /// The missing last login therefore excludes no version.
    @Test(arguments: [
        (ServerVersion.v7_5, ["7.3", "7.5", "8.0.0"]), (.v8_0_0, ["7.3", "7.5", "8.0.0"]),
        (.v8_0_2, ["8.0.2", "8.1.0"]),
    ])
    func unusedDeviceDoesNotNarrowTheVersions(_ version: ServerVersion, _ versions: [String]) async throws {
        let servers = try await SimulatedServers(version, .node)
        let login = try await servers.login(approves: false)
        let options = ["--push", login.push, "--user", "alice", "--session", login.session, "--json"]
        let run = try await Self.run(try servers.arguments + options)
        let report = try run.json(Report.self)
        #expect(report.versions == versions)
        #expect(report.found("the last login in the profile") == ["absent"])
        #expect(report.hints.contains { $0.contains("(--session)") } == (version < .v8_0_2))
        #expect(run.status == 0)
        await servers.server.stop()
    }

    /// The command asks for pushes, and answers those that a person then puts into the folder.
    ///
    /// The login pages poll independently of the command.
    @Test func suppliedPushesAreAnswered() async throws {
        let servers = try await SimulatedServers(.v8_1_0, .node)
        let folder = try servers.folderInside("pushes")
        let session = servers.simulator.withService { $0.createSession(for: "demo") }
        let options = [
            "--answer", "--push", folder.path, "--user", "demo", "--session", session, "--wait", "60",
            "--json",
        ]
        let simulator = servers.simulator
        let tool = try RunningTool(["conform"] + servers.arguments + options)
        let device = try await servers.enrolledDevice()
        // The command asks only for a push that is not in the folder, so the test adds the pushes after the question.
        try await waitFor("the question for a push") {
            try tool.diagnostics().contains("Push 1. Start a login of demo with a push to approve or deny")
        }
        #expect(try tool.diagnostics().contains(folder.path))
        let types: [PushType] = Array(repeating: .default, count: 6) + [.challenge, .challenge, .biometric]
        var pushes: [String] = []
        for (index, type) in types.enumerated() {
            let push = try simulator.createPush(PushOrder(mechanismUid: device.mechanismUid, type: type))
            pushes.append(push.messageId)
            try push.json.data.write(to: folder.appendingPathComponent("\(index).json"), options: .atomic)
        }
        // After two approvals, the page of each login polls.
        try await waitFor("two approvals") {
            simulator.journal.count { $0.action == "authenticate" && $0.status == 200 } >= 2
        }
        for push in pushes { _ = simulator.look(afterPush: push) }
        let report = try await JSONDecoder().decode(Report.self, from: Data(tool.text().utf8))
        #expect(report.versions == ["8.1.0"])
        #expect(report.differing == [])
        #expect(report.found("the repeated approval, at once") == ["200"])
        #expect(report.found("the repeated approval, after the login page has polled") == ["400"])
        #expect(report.found("the last login in the profile") == ["present"])
        #expect(report.found("an answer after the device's profile was removed") == ["200"])
        #expect(!report.untried.contains { $0.contains("push arrived") || $0.contains("one more push") })
        // The command has removed its device.
        #expect(simulator.withService { $0.devices.isEmpty })
        #expect(try tool.status() == 0)
        await servers.server.stop()
    }

    @Test func missingPushesAreListed() async throws {
        let servers = try await SimulatedServers(.v8_0_2, .node)
        let folder = try servers.folderInside("pushes").path
        let options = ["--answer", "--push", folder, "--wait", "0", "--json"]
        let run = try await Self.run(try servers.arguments + options)
        let report = try run.json(Report.self)
        #expect(report.versions == ["8.0.2", "8.1.0"])
        #expect(report.untried.contains("No push for the new device arrived, so no answer was sent."))
        #expect(report.hints.map { $0.contains("(--answer)") } == [true, false])
        #expect(run.status == 0)
        await servers.server.stop()
    }

    /// The command reads a pasted payload that has several lines, until the input ends.
    @Test func pushesOfStandardInputAreAnswered() async throws {
        let servers = try await SimulatedServers(.v7_2, .node)
        let tool = try RunningTool(["conform"] + servers.arguments + ["--answer", "--push", "-", "--json"])
        let simulator = servers.simulator
        let device = try await servers.enrolledDevice()
        let push = try simulator.createPush(PushOrder(mechanismUid: device.mechanismUid))
        try tool.type(push.payloadText.replacingOccurrences(of: "{ \"aps\"", with: "{\n \"aps\""))
        try tool.closeInput()
        let report = try await tool.line()
        #expect(report["versions"] == .array(["7.2"]))
        #expect(try tool.status() == 0)
        #expect(simulator.state(ofPush: push.messageId) == .approved)
        await servers.server.stop()
    }

    /// If a run is interrupted, it still reports the findings that it has made.
    @Test func interruptionEndsWithAReport() async throws {
        let servers = try await SimulatedServers(.v8_0_2, .node)
        let token = String(repeating: "ab", count: 32)
        let options = ["--answer", "--push", "-", "--device-token", token, "--json"]
        let tool = try RunningTool(["conform"] + servers.arguments + options)
        #expect(try await servers.enrolledDevice().deviceToken == token)
        try await waitFor("the question for a push") { try tool.diagnostics().contains("Push 1.") }
        tool.end(by: SIGINT)
        let report = try await tool.line()
        #expect(report["versions"] == .array(["8.0.2", "8.1.0"]))
        let untried = try #require(report["untried"])
        #expect(untried.text.contains("The run was interrupted."))
        #expect(try tool.status() == 75)
        await servers.server.stop()
    }

    /// The result does not depend on the source of a push, or on the text that surrounds its payload.
    @Test(arguments: ["payload.json", "answer.json", "file.apns", "folder"])
    func aPushIsReadFromEveryKindOfInput(_ name: String) async throws {
        let servers = try await SimulatedServers(.v7_2, .node)
        let push = try await servers.push(approves: false)
        let app = #"{"Simulator Target Bundle":"com.example.app","# + push.payloadText.dropFirst()
        let place =
            switch name {
            case "payload.json": try servers.folder.file(name, push.payload.text)
            case "answer.json": try servers.folder.file(name, push.json.text)
            case "file.apns": try servers.folder.file(name, app)
            default: try servers.folderInside(name)
            }
        if name == "folder" { try Data(app.utf8).write(to: place.appendingPathComponent("a.apns")) }
        let run = try await Self.run(["--server", servers.server.base, "--push", place.path, "--json"])
        let report = try run.json(Report.self)
        #expect(report.versions == ["7.2"])
        #expect(report.found("the claims of the push") == ["u l c m k i t p"])
        await servers.server.stop()
    }

    @Test func theReportStatesHowItWasMade() async throws {
        let servers = try await SimulatedServers(.v7_2, .node)
        let login = try await servers.login()
        // The report's date has no fractions of a second, so it can be up to a second before the start of the run.
        let start = Date(timeIntervalSinceNow: -1)
        let options = ["--push", login.push, "--user", "alice", "--session", login.session, "--json"]
        let run = try await Self.run(["--server", servers.server.base] + options)
        let made = try #require(Evidence(in: Data(run.output.utf8)), "\(run.diagnostics)")
        #expect((start...Date()).contains(made.date))
        #expect(made.tool == "pushbridge \(PackageVersion.current)")
        let shown = ["--push", "…", "--user", "…", "--session", "…", "--json"]
        #expect(made.options == ["conform", "--server", servers.server.base] + shown)
        // The report has a digest of the file; a server has no digest.
        #expect(made.inputs.map(\.name) == ["push.json"])
        #expect(made.inputs.map(\.sha256) == [Evidence.Input(at: login.push).sha256])
        await servers.server.stop()
    }

    /// A report contains no signing secret, no session, and nothing with which a push could be answered.
    @Test(arguments: [[], ["--json"]])
    func reportsContainNoSecret(_ form: [String]) async throws {
        let servers = try await SimulatedServers(.v8_1_0, .node)
        let login = try await servers.login()
        let arguments = try servers.arguments
        let push = try String(contentsOfFile: login.push, encoding: .utf8)
        let run = try await Self.run(
            arguments + ["--push", login.push, "--user", "alice", "--session", login.session] + form
        )
        let uri = try #require(arguments.last)
        let code = try #require(URLComponents(string: uri)?.queryItems)
        let values = code.filter { ["s", "c", "m", "l"].contains($0.name) }.compactMap(\.value)
        let aps = try #require(JSONValue(json: Data(push.utf8))?["aps"])
        let secrets = try values + [login.session, aps.text("data"), aps.text("messageId")]
        #expect(secrets.count == 7)
        #expect(secrets.filter { (run.output + run.diagnostics).contains($0) } == [])
        #expect(run.status == 0)
        await servers.server.stop()
    }

    @Test(arguments: [
        ["--answer"], ["--answer", "--code", "x"], ["--answer", "--push", "x"], ["--late", "5"],
        ["--control", "http://127.0.0.1:9/control", "--code", "x"], ["--push", "-", "--push", "-"],
        ["--device-token", "xyz"], ["--user", "alice"],
    ])
    func incompatibleOptionsAreAMisuse(_ options: [String]) async throws {
        let run = try await Self.run(["--server", "http://127.0.0.1:9/am"] + options)
        #expect(run.status == 64)
    }

    @Test func unreachableControlIsReportedInOneSentence() async throws {
        let servers = try await SimulatedServers(.v8_0_2, .node)
        let run = try await Self.run([
            "--server", servers.server.base, "--control", "http://127.0.0.1:9/control",
        ])
        #expect(run.status == 75)
        #expect(run.sentences.count == 1)
        await servers.server.stop()
    }

    /// Servers before 7.5 can have the profiles at a separate path.
    ///
    /// Servers from 7.5 on do not have this path.
    @Test(arguments: [(ServerVersion.v7_1, "7.1"), (.v7_3, "7.3")])
    func profileIsFoundAtTheOlderPath(_ version: ServerVersion, _ name: String) async throws {
        let servers = try await SimulatedServers(version, .node, [.oldProfilePath])
        let user = "älice s?#%41"
        let login = try await servers.login(as: user)
        let run = try await Self.run(
            try servers.arguments + [
                "--push", login.push, "--user", user, "--session", login.session, "--json",
            ]
        )
        let report = try run.json(Report.self)
        #expect(report.versions == [name])
        #expect(report.differing == [])
        #expect(report.found("the user's profiles") == ["200 at devices/push"])
        #expect(report.alternatives == ["old-profile-path"])
        #expect(run.status == 0)
        await servers.server.stop()
    }

    /// If only a code is given, the report lists all versions that match.
    ///
    /// The report also names options that would exclude some of these versions.
    @Test(arguments: [
        (ServerVersion.v7_1, PushSender.node, ["7.1", "7.2"], ["(--push)"]),
        (.v7_2, .node, ["7.1", "7.2"], ["(--push)"]),
        (.v7_3, .node, ["7.3", "7.5", "8.0.0"], ["(--session)"]),
        (.v7_5, .module, ["6.5", "7.1", "7.2", "7.3", "7.5", "8.0.0"], ["(--push)", "(--session)"]),
        (.v8_0_2, .module, ["8.0.2", "8.1.0"], ["wrong number", "(--code and --session)"]),
    ])
    func hintsNameTheOptionsThatNarrowTheVersions(
        _ version: ServerVersion,
        _ sender: PushSender,
        _ versions: [String],
        _ options: [String]
    ) async throws {
        let servers = try await SimulatedServers(version, sender)
        let report = try await Self.run(try servers.arguments + ["--json"]).json(Report.self)
        #expect(report.versions == versions)
        #expect(report.hints.count == options.count)
        #expect(zip(report.hints, options).allSatisfy { $0.contains($1) })
        await servers.server.stop()
    }

    /// A scanned code, whose parameters have a different order from those of the page's hidden field, is accepted.
    @Test(arguments: [(ServerVersion.v7_1, PushSender.node), (.v8_0_2, .node), (.v8_0_2, .module)])
    func aCodeWithReorderedParametersIsAccepted(_ version: ServerVersion, _ sender: PushSender) async throws {
        let servers = try await SimulatedServers(version, sender, [.scannedOrder])
        let report = try await Self.run(try servers.arguments + ["--json"]).json(Report.self)
        #expect(report.versions.contains(version.rawValue))
        #expect(report.codesOf == [sender.rawValue])
        await servers.server.stop()
    }

    /// The command waits a few seconds for the poll of the registration page, which makes the server store the device.
    @Test func conformWaitsForThePageOfTheCode() async throws {
        let servers = try await SimulatedServers(.v8_0_2, .node, pagesLook: false)
        let (simulator, arguments) = (servers.simulator, try servers.arguments)
        let id = try PushRegistration(uri: try #require(arguments.last)).messageId
        let page = Task {
            // Two token updates are for devices that are not registered. After these two, the command sends one
            // token update each second.
            while simulator.journal.count(where: { $0.action == "refresh" }) < 5 {
                try await Task.sleep(for: .milliseconds(20))
            }
            return simulator.look(afterRegistration: id)
        }
        let run = try await Self.run(arguments + ["--json"])
        page.cancel()
        let report = try run.json(Report.self)
        #expect(report.differing == [])
        #expect(report.versions == ["8.0.2", "8.1.0"])
        #expect(report.found("a token update of the new device") == ["200"])
        // The diagnostics explain the wait.
        #expect(run.diagnostics.contains("waiting until the registration page stores the device"))
        await servers.server.stop()
    }

    @Test func codeOfAnotherServerIsRefused() async throws {
        let (servers, other) = (
            try await SimulatedServers(.v8_0_2, .node), try await SimulatedServers(.v8_0_2, .node)
        )
        let code = try #require(try other.arguments.last)
        let run = try await Self.run(["--server", servers.server.base, "--code", code])
        #expect(run.status == 64)
        #expect(run.sentences.count == 1)
        #expect(servers.simulator.journal.isEmpty && other.simulator.journal.isEmpty)
        await servers.server.stop()
        await other.server.stop()
    }

    @Test(arguments: ["https://am.example.com/am?realm=/alpha", "https://am.example.com/am#x"])
    func addressWithAQueryIsAMisuse(_ address: String) async throws {
        #expect(try await Self.run(["--server", address]).status == 64)
    }

    /// A body that no server sends counts as a difference at any status.
    ///
    /// The difference affects only the check that received the body.
    @Test func anUnknownBodyCountsAsADifference() async throws {
        let servers = try await SimulatedServers(.v8_0_2, .node)
        servers.simulator.withService { $0.arm(.garbageBody) }
        let run = try await Self.run(try servers.arguments + ["--json"])
        let report = try run.json(Report.self)
        #expect(run.status == 1)
        #expect(report.differing == ["a request that names no message"])
        #expect(report.versions == ["8.0.2", "8.1.0"])
        await servers.server.stop()
    }

    /// If a gateway refuses unknown actions and token updates, its refusals exclude no version.
    @Test func gatewayThatBlocksActionsDoesNotNarrowTheVersions() async throws {
        let refusal = #"{"code":400,"reason":"Bad Request","message":"Bad request."}"#
        func answer(_ status: Int, _ body: String) -> String {
            "HTTP/1.1 \(status) X\r\nConnection: close\r\nContent-Length: \(body.utf8.count)\r\n\r\n\(body)"
        }
        let (refused, blocked) = (answer(400, refusal), answer(403, "blocked"))
        let fault = answer(500, "{}")
        let server = try LoopbackServer(
            answers: [
                refused, refused, fault, blocked, blocked, blocked, answer(404, #"{"code":404}"#), blocked,
            ]
        )
        let run = try await Self.run(["--server", "http://127.0.0.1:\(server.port)/am", "--json"])
        let report = try run.json(Report.self)
        #expect(report.versions == ServerVersion.allCases.map(\.rawValue))
        #expect(
            report.differing == [
                "an unknown action", "a token update without a user",
                "a token update for a user who has no device",
            ]
        )
        #expect(run.status == 1)
    }

    /// If the server becomes unreachable, the report keeps the findings that were made earlier.
    @Test func lostServerStillGivesAReport() async throws {
        let servers = try await SimulatedServers(.v8_0_2, .node)
        servers.simulator.withService { $0.arm(.dropConnection, times: 9, action: .register) }
        let run = try await Self.run(try servers.arguments + ["--json"])
        let report = try run.json(Report.self)
        #expect(run.status == 75)
        #expect(report.versions == ["8.0.2", "8.1.0"])
        #expect(report.untried.first?.hasPrefix("The remaining tests. The server no longer responds") == true)
        await servers.server.stop()
    }

    /// Without a token store, only the server that created a message knows the message, so a request needs the cookie.
    @Test func aClusterThatRequiresItsCookieCountsAsADifference() async throws {
        let servers = try await SimulatedServers(.v8_0_2, .node)
        servers.simulator.withService {
            $0.settings.topology = .balanced(nodes: ["01", "02"], tokenStore: false)
        }
        let run = try await Self.run(try servers.controlArguments + ["--json"])
        let report = try run.json(Report.self)
        #expect(report.differing == ["an approval without the load balancer's cookie"])
        #expect(report.found("an approval") == ["200"])
        #expect(report.versions == ["8.0.2"])
        #expect(run.status == 1)
        await servers.server.stop()
    }

    /// If only switches of the simulator explain a server's behaviour, the report names the command that simulates
    /// the server with these switches.
    @Test func theReportNamesTheCommandThatSimulatesTheServer() async throws {
        let servers = try await SimulatedServers(.v8_0_2, .node, [.bareRefusals, .paddedCodes])
        let run = try await Self.run(try servers.arguments)
        #expect(run.status == 0)
        let command = "simulate --am-version 8.1.0 --alternative bare-refusals --alternative padded-codes"
        #expect(run.output.contains(command))
        await servers.server.stop()
    }

    @Test(arguments: [#"{"aps":{"alert":"News"}}"#, "no JSON"])
    func foreignPushIsRefused(_ text: String) async throws {
        let servers = try await SimulatedServers(.v8_0_2, .node)
        let file = try servers.folder.file("push.json", text).path
        let run = try await Self.run(["--server", servers.server.base, "--push", file])
        #expect(run.status == 66)
        #expect(run.sentences == ["pushbridge: The input is not a push from PingAM."])
        await servers.server.stop()
    }

    /// A server, and the access to it that a tester has.
    private struct SimulatedServers {
        let simulator: Simulator
        let server: SimulatorServer
        let folder: TemporaryFolder

        init(
            _ version: ServerVersion,
            _ sender: PushSender,
            _ alternatives: Set<ServerAlternative> = [],
            pagesLook: Bool = true
        ) async throws {
            var settings = ServiceSettings()
            settings.version = version
            settings.sender = sender
            settings.alternatives = alternatives
            settings.pagesLook = pagesLook
            simulator = Simulator(settings: settings)
            server = try await SimulatorServer.start(simulator, offersControl: true)
            folder = try TemporaryFolder()
        }

        /// The options, with a code for a new user.
        var arguments: [String] {
            get throws {
                let code = try simulator.createCode(RegistrationOrder(issuer: "Bank", account: "demo"))
                return ["--server", server.base, "--code", code.uri]
            }
        }

        /// Returns an empty folder inside the test's folder.
        func folderInside(_ name: String) throws -> URL {
            let url = folder.url(name)
            try FileManager.default.createDirectory(at: url, withIntermediateDirectories: false)
            return url
        }

        /// Waits until a device is enrolled, and returns the device.
        func enrolledDevice() async throws -> SimulatedDevice {
            try await waitFor("the device to be enrolled") { simulator.withService { !$0.devices.isEmpty } }
            return try #require(simulator.withService { $0.devices.values.first })
        }

        /// The options with which the command enrols and sends pushes without a person.
        var controlArguments: [String] {
            get throws {
                let control = try #require(server.control)
                return ["--server", server.base, "--control", control]
            }
        }

        /// Sends a push to another user and, if `approves` is true, approves the push on the user's device.
        ///
        /// Returns the file with the push, and the user's session.
        func login(
            as user: String = "alice",
            approves: Bool = true
        ) async throws -> (push: String, session: String) {
            let push = try await push(to: user, approves: approves)
            let file = try folder.file("push.json", push.payloadText).path
            return (file, simulator.withService { $0.createSession(for: user) })
        }

        /// Sends a push to another user.
        ///
        /// If `approves` is true, the user's device approves the push.
        func push(to user: String = "alice", approves: Bool) async throws -> PushDelivery {
            let secret = SharedSecret.random()
            let account = AccountKey(issuer: "Bank", accountName: user)
            let device = SimulatedDevice(
                mechanismUid: "m",
                sharedSecret: secret,
                deviceToken: "t",
                account: account
            )
            simulator.withService { $0.add(device) }
            let push = try simulator.createPush(PushOrder(mechanismUid: "m", type: .biometric))
            guard approves else { return push }
            let response = secret.response(toBase64: push.challenge)
            let claims: JSONValue = ["response": .string(try #require(response))]
            let body: JSONValue = [
                "messageId": .string(push.messageId), "jwt": .string(secret.signedToken(claims: claims.data)),
            ]
            let request = SimulatedRequest(
                "POST",
                path: "/am/json/push/sns/message",
                query: ["_action": "authenticate"],
                body: body.data
            )
            _ = try await simulator.respond(to: request)
            #expect(simulator.look(afterPush: push.messageId) == .approved)
            return push
        }
    }

    @Test func withoutACodeOnlyTokenUpdatesDistinguishVersions() async throws {
        let server = try await SimulatorServer.start(Simulator())
        let run = try await Self.run(["--server", server.base])
        #expect(run.output.contains("The server resembles AM 8.0.1 or later."))
        await server.stop()
    }

    @Test func aRealmWithoutAPushServiceIsReported() async throws {
        let server = try await SimulatorServer.start(Simulator())
        let run = try await Self.run(["--server", "\(server.base)/nowhere", "--realm", "/beta"])
        #expect(run.status == 1)
        #expect(run.output.contains("differs"))
        #expect(run.output.contains("The realm has no push service; check --realm."))
        await server.stop()
    }

    /// A proxy, or a server at a wrong path, that gives the same response to every request matches no version.
    ///
    /// The command sends it no code.
    @Test(arguments: [200, 400, 403, 404, 500, 501])
    func serverWithIdenticalAnswersIsNotAPushService(_ status: Int) async throws {
        let page = "<html><body>Sorry</body></html>"
        let head = "HTTP/1.1 \(status) Sorry\r\nConnection: close\r\nContent-Length: \(page.count)"
        let server = try LoopbackServer(answer: "\(head)\r\nContent-Type: text/html\r\n\r\n\(page)")
        let base = "http://127.0.0.1:\(server.port)/am"
        let simulator = Simulator()
        simulator.withService { $0.settings.base = base }
        let code = try simulator.createCode(RegistrationOrder(issuer: "Bank", account: "demo")).uri
        let run = try await Self.run(["--server", base, "--code", code, "--json"])
        let report = try run.json(Report.self)
        #expect(run.status == 1)
        #expect(report.versions == [])
        #expect(report.hints == ["This is not a push service of PingAM; check --server and --realm."])
        #expect(report.checks.count == 9)
        let table = try await Self.run(["--server", base])
        #expect(table.output.hasSuffix("This is not a push service of PingAM; check --server and --realm.\n"))
        #expect(!table.output.contains("resembles"))
    }

    /// Other users of the machine can see arguments, but not files with the mode 0600, so secrets may be passed in
    /// files.
    @Test func codeAndSessionAreReadFromFiles() async throws {
        let servers = try await SimulatedServers(.v8_0_2, .node)
        let (login, arguments) = (try await servers.login(), try servers.arguments)
        let code = try servers.folder.file("code", "\(try #require(arguments.last))\n").path
        let session = try servers.folder.file("session", "\(login.session)\n").path
        let options = ["--code", "@\(code)", "--user", "alice", "--session", "@\(session)", "--json"]
        let run = try await Self.run(arguments.dropLast(2) + options)
        #expect(run.status == 0)
        let report = try run.json(Report.self)
        #expect(report.found("the enrolment") == ["200"])
        #expect(report.found("the user's profiles") == ["200 at devices/2fa/push"])
        await servers.server.stop()
    }

    /// If the command followed a redirect, it would send the session's cookie to a different server.
    @Test(arguments: [301, 302, 303, 307, 308])
    func theSessionCookieIsNotSentToARedirect(_ status: Int) async throws {
        let target = try LoopbackServer(answer: "HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\n{}")
        let body = #"{"code":400,"message":"Bad request.","reason":"Bad Request"}"#
        let refusal = "HTTP/1.1 400 Bad Request\r\nContent-Length: \(body.utf8.count)\r\n\r\n\(body)"
        let redirect =
            "HTTP/1.1 \(status) Moved\r\nLocation: http://127.0.0.1:\(target.port)/\r\nContent-Length: 0\r\n\r\n"
        // The command sends nine requests before it sends the request for the profile.
        let answers = Array(repeating: refusal, count: 9) + [redirect]
        let server = try LoopbackServer(answers: answers)
        let run = try await Self.run([
            "--server", "http://127.0.0.1:\(server.port)/am", "--user", "alice", "--session", "secret",
            "--json",
        ])
        #expect(server.requests.last?.contains("/users/alice/devices/") == true)
        #expect(server.requests.last?.contains("secret") == true)
        // The last response was the redirect.
        #expect(server.requests.count == answers.count)
        #expect(target.requests.isEmpty)
        #expect(run.status == 1)
    }

    @Test func unreachableServerIsReportedInOneSentence() async throws {
        let run = try await Self.run(["--server", "http://127.0.0.1:9/am"])
        #expect(run.status == 75)
        #expect(run.sentences.count == 1)
    }

    /// Runs the command and waits on a separate thread, because the server needs the threads that tasks
    /// share.
    private static func run(_ arguments: [String]) async throws -> CommandLineTool.Run {
        try await withCheckedThrowingContinuation { continuation in
            Thread.detachNewThread {
                continuation.resume(with: Result { try CommandLineTool().run(["conform"] + arguments) })
            }
        }
    }
}
