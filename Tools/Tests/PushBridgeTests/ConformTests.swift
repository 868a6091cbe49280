import Foundation
import PingAMSimulator
import PingAMSimulatorServer
import PushBridgeCommandLineTestSupport
@_spi(PushBridgeTools) import PushBridgeCore
import PushBridgeTestSupport
import Testing

@Suite struct ConformTests {
    private struct Report: Decodable {
        struct Check: Decodable {
            let check: String
            let right: Bool
        }

        let versions: [String]
        let codesOf: [String]
        let pushesOf: [String]
        let hints: [String]
        let checks: [Check]
    }

    /// A code, a push and the profile after a login name the version, save where versions do the same for a device:
    /// 6.5 and 7.1 where modules make codes, 7.3 and 7.5 always, 8.0.0 where modules send pushes, and 8.1.0 until a
    /// challenge is answered.
    @Test(arguments: [
        (ServerVersion.v6_5, PushSender.node, ["6.5", "7.1"]), (.v7_1, .node, ["7.1"]),
        (.v7_2, .node, ["7.2"]),
        (.v7_3, .node, ["7.3", "7.5"]), (.v7_5, .node, ["7.3", "7.5"]), (.v8_0_0, .node, ["8.0.0"]),
        (.v8_0_2, .node, ["8.0.2", "8.1.0"]), (.v6_5, .module, ["6.5", "7.1"]),
        (.v7_1, .module, ["6.5", "7.1"]),
        (.v7_2, .module, ["7.2"]), (.v7_3, .module, ["7.3", "7.5", "8.0.0"]),
        (.v7_5, .module, ["7.3", "7.5", "8.0.0"]), (.v8_0_0, .module, ["7.3", "7.5", "8.0.0"]),
        (.v8_0_2, .module, ["8.0.2", "8.1.0"]),
        (.v8_1_0, .node, ["8.0.2", "8.1.0"]),
    ])
    func serverIsNamedByAllThatADeviceMaySee(
        _ version: ServerVersion,
        _ sender: PushSender,
        _ versions: [String]
    ) async throws {
        let world = try await World(version, sender)
        let login = try await world.login()
        let run = try await Self.run(
            try world.arguments + [
                "--push", login.push, "--user", "alice", "--session", login.session, "--json",
            ]
        )
        let report = try run.json(Report.self)
        #expect(report.versions == versions)
        #expect(report.codesOf == [sender == .node && version >= .v7_1 ? "node" : "module"])
        if version >= .v7_2 { #expect(report.pushesOf == [sender.rawValue]) }
        #expect(report.checks.filter { !$0.right }.map(\.check) == [])
        #expect(report.checks.count == 16)
        // Where versions are left, it says why.
        #expect(report.hints.isEmpty == (versions.count == 1))
        #expect(run.status == 0)
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
        #expect(report.checks.filter { !$0.right }.map(\.check) == [])
        #expect(report.checks.count == 16)
        #expect(run.status == 0)
        await world.server.stop()
    }

    /// What a code alone tells, and what would tell more.
    @Test(arguments: [
        (ServerVersion.v7_1, PushSender.node, ["7.1", "7.2"], ["(--push)"]),
        (.v7_2, .node, ["7.1", "7.2"], ["(--push)"]),
        (.v7_3, .node, ["7.3", "7.5", "8.0.0"], ["(--session)"]),
        (.v7_5, .module, ["6.5", "7.1", "7.2", "7.3", "7.5", "8.0.0"], ["(--push)", "(--session)"]),
        (.v8_0_2, .module, ["8.0.2", "8.1.0"], ["wrong number"]),
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
            // The first update is one without a user, the second is refused because the page has not looked.
            while simulator.journal.count(where: { $0.action == "refresh" }) < 2 {
                try await Task.sleep(for: .milliseconds(20))
            }
            return simulator.look(afterRegistration: id)
        }
        let run = try await Self.run(arguments + ["--json"])
        page.cancel()
        let report = try run.json(Report.self)
        #expect(report.checks.filter { !$0.right }.map(\.check) == [])
        #expect(report.versions == ["8.0.2", "8.1.0"])
        let statuses = simulator.journal.filter { $0.action == "refresh" }.map(\.status)
        #expect(statuses.count > 2 && statuses.dropLast().allSatisfy { $0 == 400 } && statuses.last == 200)
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

    /// A body that is not what servers say differs, whatever its status.
    @Test func bodiesAreCompared() async throws {
        let world = try await World(.v8_0_2, .node, [.bareRefusals])
        let run = try await Self.run(try world.arguments)
        #expect(run.status == 1)
        #expect(run.output.contains("differs"))
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
            server = try await SimulatorServer.start(simulator)
            folder = try TemporaryFolder()
        }

        /// The options for a code of a new user.
        var arguments: [String] {
            get throws {
                let code = try simulator.createCode(RegistrationOrder(issuer: "Bank", account: "demo"))
                return ["--server", server.base, "--code", code.uri]
            }
        }

        /// Has another user approve a login, and returns the file with its push, and the user's session.
        func login(as user: String = "alice") async throws -> (push: String, session: String) {
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
            let file = try folder.file("push.json", push.payloadText).path
            return (file, simulator.withService { $0.createSession(for: user) })
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
        #expect(report.hints == ["This is no push service of PingAM; check --server and --realm."])
        #expect(report.checks.count == 7)
        let table = try await Self.run(["--server", base])
        #expect(table.output.hasSuffix("This is no push service of PingAM; check --server and --realm.\n"))
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
        #expect(try run.json(Report.self).checks.count == 15)
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
        // Six questions come before that about the profile.
        let answers = Array(repeating: refusal, count: 6) + [redirect]
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
