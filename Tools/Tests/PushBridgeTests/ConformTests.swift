import Foundation
import PingAMSimulator
import PingAMSimulatorServer
import PushBridgeCommandLineTestSupport
@_spi(PushBridgeTools) import PushBridgeCore
import PushBridgeTestSupport
import Testing

/// One at a time: each has a server in this process, which a command of another process asks a hundred times.
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

        /// The checks whose findings no version is known for.
        var differing: [String] { checks.filter { !$0.right }.map(\.check) }

        func found(_ name: String) -> [String] { checks.filter { $0.check == name }.map(\.found) }
    }

    /// All that a device may see and answer names the version, save where versions do the same: 6.5 and 7.1 where modules
    /// make codes, 7.3 and 7.5 always, and 7.3 to 8.0.0 where modules send pushes.
    @Test(arguments: [
        (ServerVersion.v6_5, PushSender.node, ["6.5", "7.1"]), (.v7_1, .node, ["7.1"]),
        (.v7_2, .node, ["7.2"]), (.v7_3, .node, ["7.3", "7.5"]), (.v7_5, .node, ["7.3", "7.5"]),
        (.v8_0_0, .node, ["8.0.0"]), (.v8_0_2, .node, ["8.0.2"]), (.v8_1_0, .node, ["8.1.0"]),
        (.v6_5, .module, ["6.5", "7.1"]), (.v7_1, .module, ["6.5", "7.1"]), (.v7_2, .module, ["7.2"]),
        (.v7_3, .module, ["7.3", "7.5", "8.0.0"]), (.v7_5, .module, ["7.3", "7.5", "8.0.0"]),
        (.v8_0_0, .module, ["7.3", "7.5", "8.0.0"]), (.v8_0_2, .module, ["8.0.2"]),
        (.v8_1_0, .module, ["8.1.0"]),
    ])
    func serverIsNamedByAllThatADeviceMaySee(
        _ version: ServerVersion,
        _ sender: PushSender,
        _ versions: [String]
    ) async throws {
        let world = try await World(version, sender)
        let run = try await Self.run(try world.controlArguments + ["--other-realm", "/beta", "--json"])
        let report = try run.json(Report.self)
        #expect(report.versions == versions)
        #expect(report.codesOf == [sender == .node && version >= .v7_1 ? "node" : "module"])
        #expect(report.pushesOf == [sender.rawValue])
        #expect(report.differing == [])
        #expect(report.alternatives == [])
        // Where versions are left, it says why.
        #expect(report.hints.isEmpty == (versions.count == 1))
        #expect(run.status == 0)
        #expect(!run.diagnostics.contains("pushbridge:"))
        // The address of control works as a password.
        let control = try #require(world.server.control)
        #expect(!run.output.contains(control.suffix(36)))
        // The device that it enrolled is gone again.
        #expect(world.simulator.withService { $0.devices.isEmpty })
        await world.server.stop()
    }

    /// What a challenge tells, at a server whose right number is known and at one where none is named instead.
    @Test(arguments: [
        (ServerVersion.v8_0_2, [ServerAlternative](), ["200"]), (.v8_1_0, [], ["400", "200"]),
        (.v8_1_0, [.wrongNumberConsumes], ["400", "400"]),
    ])
    func wrongNumberTellsTheNewestVersion(
        _ version: ServerVersion,
        _ alternatives: [ServerAlternative],
        _ answers: [String]
    ) async throws {
        let world = try await World(version, .node, Set(alternatives))
        let report = try await Self.run(try world.controlArguments + ["--json"]).json(Report.self)
        let names = ["an approval of a challenge with a wrong number", "an approval after the wrong number"]
        #expect(names.flatMap(report.found) == answers)
        #expect(report.versions == [version.rawValue])
        #expect(report.alternatives == alternatives.map(\.rawValue))
        await world.server.stop()
    }

    /// Pages that look only when the address of control is asked, in another realm.
    @Test func controlLooksForPagesThatDoNot() async throws {
        let world = try await World(.v8_0_2, .node, pagesLook: false)
        let run = try await Self.run(try world.controlArguments + ["--realm", "/alpha", "--json"])
        let report = try run.json(Report.self)
        #expect(report.found("a token update of the new device") == ["200"])
        #expect(report.found("a reset when there is no profile left") == ["200, result true"])
        #expect(report.versions == ["8.0.2"])
        #expect(report.differing == [])
        await world.server.stop()
    }

    @Test func answerThatComesLateIsTriedIfAsked() async throws {
        let world = try await World(.v8_0_2, .node)
        let report = try await Self.run(try world.controlArguments + ["--late", "0", "--json"]).json(
            Report.self
        )
        #expect(report.found("an answer when the message's life is over").count == 1)
        #expect(!report.untried.contains { $0.contains("--late") })
        await world.server.stop()
    }

    /// A device that approved nothing has no last login to tell, at any version.
    @Test(arguments: [
        (ServerVersion.v7_5, ["7.3", "7.5", "8.0.0"]), (.v8_0_0, ["7.3", "7.5", "8.0.0"]),
        (.v8_0_2, ["8.0.2", "8.1.0"]),
    ])
    func userWhoApprovedNothingDoesNotNarrow(_ version: ServerVersion, _ versions: [String]) async throws {
        let world = try await World(version, .node)
        let login = try await world.login(approves: false)
        let options = ["--push", login.push, "--user", "alice", "--session", login.session, "--json"]
        let run = try await Self.run(try world.arguments + options)
        let report = try run.json(Report.self)
        #expect(report.versions == versions)
        #expect(report.found("the last login in the profile") == ["not told"])
        #expect(report.hints.contains { $0.contains("(--session)") } == (version < .v8_0_2))
        #expect(run.status == 0)
        await world.server.stop()
    }

    /// Pushes that somebody puts into a folder when asked for them, while pages look by themselves.
    @Test func handedPushesAreAnswered() async throws {
        let world = try await World(.v8_1_0, .node)
        let folder = try world.folderInside("pushes")
        let session = world.simulator.withService { $0.createSession(for: "demo") }
        let options = [
            "--answer", "--push", folder.path, "--user", "demo", "--session", session, "--wait", "60",
            "--json",
        ]
        let simulator = world.simulator
        let tool = try RunningTool(["conform"] + world.arguments + options)
        let device = try await world.enrolledDevice()
        // A push that is there already is not asked for.
        try await waitFor("the question") {
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
        // The page of a login looks once it was approved, twice.
        try await waitFor("two approvals") {
            simulator.journal.count { $0.action == "authenticate" && $0.status == 200 } >= 2
        }
        for push in pushes { _ = simulator.look(afterPush: push) }
        let report = try await JSONDecoder().decode(Report.self, from: Data(tool.text().utf8))
        #expect(report.versions == ["8.1.0"])
        #expect(report.differing == [])
        #expect(report.found("the approval once more, at once") == ["200"])
        #expect(report.found("the approval once more, when the login page has looked") == ["400"])
        #expect(report.found("the last login in the profile") == ["told"])
        #expect(report.found("an answer when the device's profile is gone") == ["200"])
        #expect(!report.untried.contains { $0.contains("push came") })
        // It is gone again.
        #expect(simulator.withService { $0.devices.isEmpty })
        #expect(try tool.status() == 0)
        await world.server.stop()
    }

    @Test func pushesThatDoNotComeAreListed() async throws {
        let world = try await World(.v8_0_2, .node)
        let folder = try world.folderInside("pushes").path
        let options = ["--answer", "--push", folder, "--wait", "0", "--json"]
        let run = try await Self.run(try world.arguments + options)
        let report = try run.json(Report.self)
        #expect(report.versions == ["8.0.2", "8.1.0"])
        #expect(report.untried.contains("Answers: no push for the new device came."))
        #expect(report.hints.map { $0.contains("(--answer)") } == [true, false])
        #expect(run.status == 0)
        await world.server.stop()
    }

    /// A person pastes what the simulator answered, over several lines, and ends the input.
    @Test func pushesOfStandardInputAreAnswered() async throws {
        let world = try await World(.v7_2, .node)
        let tool = try RunningTool(["conform"] + world.arguments + ["--answer", "--push", "-", "--json"])
        let simulator = world.simulator
        let device = try await world.enrolledDevice()
        let push = try simulator.createPush(PushOrder(mechanismUid: device.mechanismUid))
        try tool.type(push.payloadText.replacingOccurrences(of: "{ \"aps\"", with: "{\n \"aps\""))
        try tool.closeInput()
        let report = try await tool.line()
        #expect(report["versions"] == .array(["7.2"]))
        #expect(try tool.status() == 0)
        #expect(simulator.state(ofPush: push.messageId) == .approved)
        await world.server.stop()
    }

    /// Who has had enough gets a report on what was found until then.
    @Test func interruptionEndsWithAReport() async throws {
        let world = try await World(.v8_0_2, .node)
        let token = String(repeating: "ab", count: 32)
        let options = ["--answer", "--push", "-", "--device-token", token, "--json"]
        let tool = try RunningTool(["conform"] + world.arguments + options)
        #expect(try await world.enrolledDevice().deviceToken == token)
        try await waitFor("the question") { try tool.diagnostics().contains("Push 1.") }
        tool.end(by: SIGINT)
        let report = try await tool.line()
        #expect(report["versions"] == .array(["8.0.2", "8.1.0"]))
        let untried = try #require(report["untried"])
        #expect(untried.text.contains("It was interrupted."))
        #expect(try tool.status() == 75)
        await world.server.stop()
    }

    /// Where a push comes from and what is around its payload changes nothing.
    @Test(arguments: ["payload.json", "answer.json", "file.apns", "folder"])
    func pushIsUnderstoodInEveryForm(_ name: String) async throws {
        let world = try await World(.v7_2, .node)
        let push = try await world.push(approves: false)
        let app = #"{"Simulator Target Bundle":"com.example.app","# + push.payloadText.dropFirst()
        let place =
            switch name {
            case "payload.json": try world.folder.file(name, push.payload.text)
            case "answer.json": try world.folder.file(name, push.json.text)
            case "file.apns": try world.folder.file(name, app)
            default: try world.folderInside(name)
            }
        if name == "folder" { try Data(app.utf8).write(to: place.appendingPathComponent("a.apns")) }
        let run = try await Self.run(["--server", world.server.base, "--push", place.path, "--json"])
        let report = try run.json(Report.self)
        #expect(report.versions == ["7.2"])
        #expect(report.found("the claims of the push") == ["u l c m k i t p"])
        await world.server.stop()
    }

    /// Nothing that signs, signs in, or could be answered with is in a report.
    @Test(arguments: [[], ["--json"]])
    func reportsHoldNoSecret(_ form: [String]) async throws {
        let world = try await World(.v8_1_0, .node)
        let login = try await world.login()
        let arguments = try world.arguments
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
        await world.server.stop()
    }

    @Test(arguments: [
        ["--answer"], ["--answer", "--code", "x"], ["--answer", "--push", "x"], ["--late", "5"],
        ["--control", "http://127.0.0.1:9/control", "--code", "x"], ["--push", "-", "--push", "-"],
        ["--device-token", "xyz"], ["--user", "alice"],
    ])
    func optionsThatDoNotGoTogetherAreAMisuse(_ options: [String]) async throws {
        let run = try await Self.run(["--server", "http://127.0.0.1:9/am"] + options)
        #expect(run.status == 64)
    }

    @Test func controlThatIsNotThereIsOneSentence() async throws {
        let world = try await World(.v8_0_2, .node)
        let run = try await Self.run([
            "--server", world.server.base, "--control", "http://127.0.0.1:9/control",
        ])
        #expect(run.status == 75)
        #expect(run.sentences.count == 1)
        await world.server.stop()
    }

    /// Servers before 7.5 may have profiles at a path of their own, which no later one has.
    @Test(arguments: [(ServerVersion.v7_1, "7.1"), (.v7_3, "7.3")])
    func profileIsFoundAtTheOlderPath(_ version: ServerVersion, _ name: String) async throws {
        let world = try await World(version, .node, [.oldProfilePath])
        let user = "älice s?#%41"
        let login = try await world.login(as: user)
        let run = try await Self.run(
            try world.arguments + [
                "--push", login.push, "--user", user, "--session", login.session, "--json",
            ]
        )
        let report = try run.json(Report.self)
        #expect(report.versions == [name])
        #expect(report.differing == [])
        #expect(report.found("the user's profiles") == ["200 at devices/push"])
        #expect(report.alternatives == ["old-profile-path"])
        #expect(run.status == 0)
        await world.server.stop()
    }

    /// What a code alone tells, and what would tell more.
    @Test(arguments: [
        (ServerVersion.v7_1, PushSender.node, ["7.1", "7.2"], ["(--push)"]),
        (.v7_2, .node, ["7.1", "7.2"], ["(--push)"]),
        (.v7_3, .node, ["7.3", "7.5", "8.0.0"], ["(--session)"]),
        (.v7_5, .module, ["6.5", "7.1", "7.2", "7.3", "7.5", "8.0.0"], ["(--push)", "(--session)"]),
        (.v8_0_2, .module, ["8.0.2", "8.1.0"], ["wrong number", "(--code and --session)"]),
    ])
    func whatWouldTellMoreIsSaid(
        _ version: ServerVersion,
        _ sender: PushSender,
        _ versions: [String],
        _ options: [String]
    ) async throws {
        let world = try await World(version, sender)
        let report = try await Self.run(try world.arguments + ["--json"]).json(Report.self)
        #expect(report.versions == versions)
        #expect(report.hints.count == options.count)
        #expect(zip(report.hints, options).allSatisfy { $0.contains($1) })
        await world.server.stop()
    }

    /// The order of a code that was scanned from a page is another one.
    @Test(arguments: [(ServerVersion.v7_1, PushSender.node), (.v8_0_2, .node), (.v8_0_2, .module)])
    func codeInTheOrderOfAPageIsUnderstood(_ version: ServerVersion, _ sender: PushSender) async throws {
        let world = try await World(version, sender, [.scannedOrder])
        let report = try await Self.run(try world.arguments + ["--json"]).json(Report.self)
        #expect(report.versions.contains(version.rawValue))
        #expect(report.codesOf == [sender.rawValue])
        await world.server.stop()
    }

    /// A device is unknown until the page of its code has looked, which takes some seconds.
    @Test func pageThatLooksLaterIsWaitedFor() async throws {
        let world = try await World(.v8_0_2, .node, pagesLook: false)
        let (simulator, arguments) = (world.simulator, try world.arguments)
        let id = try PushRegistration(uri: try #require(arguments.last)).messageId
        let page = Task {
            // Two updates are of nobody, then there is one a second.
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
        // Who watches is told why nothing happens.
        #expect(run.diagnostics.contains("waiting until the page of the code stores the device"))
        await world.server.stop()
    }

    @Test func codeOfAnotherServerIsRefused() async throws {
        let (world, other) = (try await World(.v8_0_2, .node), try await World(.v8_0_2, .node))
        let code = try #require(try other.arguments.last)
        let run = try await Self.run(["--server", world.server.base, "--code", code])
        #expect(run.status == 64)
        #expect(run.sentences.count == 1)
        #expect(world.simulator.journal.isEmpty && other.simulator.journal.isEmpty)
        await world.server.stop()
        await other.server.stop()
    }

    @Test(arguments: ["https://am.example.com/am?realm=/alpha", "https://am.example.com/am#x"])
    func addressWithAQueryIsAMisuse(_ address: String) async throws {
        #expect(try await Self.run(["--server", address]).status == 64)
    }

    /// A body that is not what servers say differs, whatever its status, and costs no more than its own check.
    @Test func bodiesAreCompared() async throws {
        let world = try await World(.v8_0_2, .node)
        world.simulator.withService { $0.arm(.garbageBody) }
        let run = try await Self.run(try world.arguments + ["--json"])
        let report = try run.json(Report.self)
        #expect(run.status == 1)
        #expect(report.differing == ["a request that names no message"])
        #expect(report.versions == ["8.0.2", "8.1.0"])
        await world.server.stop()
    }

    /// What a gateway refuses says nothing of the versions: neither unknown actions nor token updates reach the server.
    @Test func gatewayThatLetsFewActionsPassDoesNotNarrow() async throws {
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

    /// What was found before the server went away is not lost.
    @Test func serverThatGoesAwayIsReportedOnAsFarAsItWent() async throws {
        let world = try await World(.v8_0_2, .node)
        world.simulator.withService { $0.arm(.dropConnection, times: 9, action: .register) }
        let run = try await Self.run(try world.arguments + ["--json"])
        let report = try run.json(Report.self)
        #expect(run.status == 75)
        #expect(report.versions == ["8.0.2", "8.1.0"])
        #expect(report.untried.first?.hasPrefix("The rest. The server cannot be asked any more") == true)
        await world.server.stop()
    }

    /// Servers behind one name that share no token store know a message only where it came from.
    @Test func clusterThatNeedsItsCookieDiffers() async throws {
        let world = try await World(.v8_0_2, .node)
        world.simulator.withService {
            $0.settings.topology = .balanced(nodes: ["01", "02"], tokenStore: false)
        }
        let run = try await Self.run(try world.controlArguments + ["--json"])
        let report = try run.json(Report.self)
        #expect(report.differing == ["an approval without the load balancer's cookie"])
        #expect(report.found("an approval") == ["200"])
        #expect(report.versions == ["8.0.2"])
        #expect(run.status == 1)
        await world.server.stop()
    }

    /// What is only inferred of servers may be otherwise, and is said, with the command that does the same.
    @Test func whatIsOnlyInferredMayDiffer() async throws {
        let world = try await World(.v8_0_2, .node, [.bareRefusals, .paddedCodes])
        let run = try await Self.run(try world.arguments)
        #expect(run.status == 0)
        let command = "simulate --am-version 8.1.0 --alternative bare-refusals --alternative padded-codes"
        #expect(run.output.contains(command))
        await world.server.stop()
    }

    @Test(arguments: [#"{"aps":{"alert":"News"}}"#, "no JSON"])
    func whatIsNoPushOfPingAMIsSaid(_ text: String) async throws {
        let world = try await World(.v8_0_2, .node)
        let file = try world.folder.file("push.json", text).path
        let run = try await Self.run(["--server", world.server.base, "--push", file])
        #expect(run.status == 66)
        #expect(run.sentences == ["pushbridge: The push is not one of PingAM's."])
        await world.server.stop()
    }

    /// A server, and what a tester has of it.
    private struct World {
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

        /// The options for a code of a new user.
        var arguments: [String] {
            get throws {
                let code = try simulator.createCode(RegistrationOrder(issuer: "Bank", account: "demo"))
                return ["--server", server.base, "--code", code.uri]
            }
        }

        /// An empty folder in that of the test.
        func folderInside(_ name: String) throws -> URL {
            let url = folder.url(name)
            try FileManager.default.createDirectory(at: url, withIntermediateDirectories: false)
            return url
        }

        /// The device that was enrolled, as soon as it is.
        func enrolledDevice() async throws -> SimulatedDevice {
            try await waitFor("the device") { simulator.withService { !$0.devices.isEmpty } }
            return try #require(simulator.withService { $0.devices.values.first })
        }

        /// The options that let it do everything by itself.
        var controlArguments: [String] {
            get throws {
                let control = try #require(server.control)
                return ["--server", server.base, "--control", control]
            }
        }

        /// Has another user approve a login, and returns the file with its push, and the user's session.
        func login(
            as user: String = "alice",
            approves: Bool = true
        ) async throws -> (push: String, session: String) {
            let push = try await push(to: user, approves: approves)
            let file = try folder.file("push.json", push.payloadText).path
            return (file, simulator.withService { $0.createSession(for: user) })
        }

        /// Sends a push to another user, who may approve it.
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

    @Test func withoutACodeOnlyTokenUpdatesTellVersionsApart() async throws {
        let server = try await SimulatorServer.start(Simulator())
        let run = try await Self.run(["--server", server.base])
        #expect(run.output.contains("It resembles AM 8.0.1 or later."))
        await server.stop()
    }

    @Test func serverThatIsNoPushServiceDiffers() async throws {
        let server = try await SimulatorServer.start(Simulator())
        let run = try await Self.run(["--server", "\(server.base)/nowhere", "--realm", "/beta"])
        #expect(run.status == 1)
        #expect(run.output.contains("differs"))
        #expect(run.output.contains("The realm has no push service; check --realm."))
        await server.stop()
    }

    /// A proxy or another path answers everything alike, and resembles no version; a code is not sent to it.
    @Test(arguments: [200, 400, 403, 404, 500, 501])
    func serverThatAnswersAllAlikeIsNoPushService(_ status: Int) async throws {
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

    /// Arguments are seen by other users of the machine, files of mode 0600 are not.
    @Test func codeAndSessionAreReadFromFiles() async throws {
        let world = try await World(.v8_0_2, .node)
        let (login, arguments) = (try await world.login(), try world.arguments)
        let code = try world.folder.file("code", "\(try #require(arguments.last))\n").path
        let session = try world.folder.file("session", "\(login.session)\n").path
        let options = ["--code", "@\(code)", "--user", "alice", "--session", "@\(session)", "--json"]
        let run = try await Self.run(arguments.dropLast(2) + options)
        #expect(run.status == 0)
        let report = try run.json(Report.self)
        #expect(report.found("the enrolment") == ["200"])
        #expect(report.found("the user's profiles") == ["200 at devices/2fa/push"])
        await world.server.stop()
    }

    /// A redirect would take the session's cookie to a server of its choice.
    @Test(arguments: [301, 302, 303, 307, 308])
    func sessionFollowsNoRedirect(_ status: Int) async throws {
        let target = try LoopbackServer(answer: "HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\n{}")
        let body = #"{"code":400,"message":"Bad request.","reason":"Bad Request"}"#
        let refusal = "HTTP/1.1 400 Bad Request\r\nContent-Length: \(body.utf8.count)\r\n\r\n\(body)"
        let redirect =
            "HTTP/1.1 \(status) Moved\r\nLocation: http://127.0.0.1:\(target.port)/\r\nContent-Length: 0\r\n\r\n"
        // Nine questions come before that about the profile.
        let answers = Array(repeating: refusal, count: 9) + [redirect]
        let server = try LoopbackServer(answers: answers)
        let run = try await Self.run([
            "--server", "http://127.0.0.1:\(server.port)/am", "--user", "alice", "--session", "secret",
            "--json",
        ])
        #expect(server.requests.last?.contains("/users/alice/devices/") == true)
        #expect(server.requests.last?.contains("secret") == true)
        // The last answer was the redirect.
        #expect(server.requests.count == answers.count)
        #expect(target.requests.isEmpty)
        #expect(run.status == 1)
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
