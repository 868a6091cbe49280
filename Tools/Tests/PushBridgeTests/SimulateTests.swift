import Foundation
import PingAMSimulator
import PingAMSimulatorServer
import PushBridgeCommandLineTestSupport
import PushBridgeCore
import PushBridgeInternals
import PushBridgeTestSupport
import Testing

#if canImport(FoundationNetworking)
import FoundationNetworking
#endif

/// Runs the simulator as a person does.
@Suite struct SimulateTests {
    @Test func simulatePrintsARegistrationURIThatItsServerAccepts() async throws {
        let folder = try TemporaryFolder()
        let tool = try RunningTool([
            "simulate", "--json", "--realm", "/beta", "--pushes", folder.url.path, "--bundle",
            "com.example.app",
        ])
        defer { tool.end() }
        let start = try await tool.line()
        let registration = try PushRegistration(uri: try start.text("uri"))
        #expect(registration.account.key == AccountKey(issuer: "PushBridge", accountName: "demo"))
        #expect(registration.endpoints.registration.hasPrefix("\(try start.text("base"))/json/beta/"))

        let request = registration.request(mechanismUid: "m", deviceId: "0a", deviceName: "Phone")
        #expect(try await post(request.url, request.body) == 200)
        let order = Data(#"{"mechanismUid":"m","type":"default"}"#.utf8)
        #expect(try await post("\(try start.text("control"))/pushes", order) == 200)
        #expect(try folder.names().count == 1)
    }

    /// The clients need more file descriptors than the server has, but the server must not end.
    @Test(arguments: ["", "POST /am HTTP/1.1\r\nHost: 127.0.0.1\r\nContent-Length: 32768\r\n\r\n{"])
    func withoutFileDescriptorsTheServerStillAnswers(_ part: String) async throws {
        let tool = try RunningTool(["simulate", "--json"], limits: "ulimit -n 40")
        defer { tool.end() }
        let start = try await tool.line()
        let port = try #require(URL(string: try start.text("base"))?.port.flatMap(UInt16.init))
        for _ in 0..<60 { LoopbackConnections(count: 1, port: port, sending: part).close() }
        let connections = LoopbackConnections(count: 60, port: port, sending: part)
        defer { connections.close() }
        let request = try PushRegistration(uri: try start.text("uri"))
            .request(mechanismUid: "m", deviceId: "0a", deviceName: "Phone")
        #expect(try await post(request.url, request.body) == 200)
    }

    @Test func commandLineOptionsSetSwitchesAndDisableThePage() async throws {
        let tool = try RunningTool([
            "simulate", "--json", "--no-page", "--alternative", "padded-codes", "--alternative",
            "short-challenges",
        ])
        defer { tool.end() }
        let start = try await tool.line()
        let registration = try PushRegistration(uri: try start.text("uri"))
        #expect(registration.challenge.count == 16)
        #expect(try start.text("uri").contains("=&issuer="))
        let request = registration.request(mechanismUid: "m", deviceId: "0a", deviceName: "Phone")
        #expect(try await post(request.url, request.body) == 200)
        let control = try start.text("control")
        let order = Data(#"{"user":"demo","type":"default"}"#.utf8)
        #expect(try await post("\(control)/pushes", order) == 400)
        let page = try #require(URL(string: "\(control)/registrations/\(registration.messageId)"))
        let (data, _) = try await URLSession.shared.data(from: page)
        #expect(JSONValue(json: data) == ["state": "registered"])
        #expect(try await post("\(control)/pushes", order) == 200)
    }

    /// If messages have a lifetime of zero, the server no longer knows a message when the device sends a request.
    ///
    /// If pages have a patience of zero, the server stores no device.
    @Test(arguments: [("--message-lifetime", 400), ("--patience", 200)])
    func timesAreSetFromTheCommandLine(_ option: String, _ status: Int) async throws {
        let tool = try RunningTool(["simulate", "--json", option, "0"])
        defer { tool.end() }
        let start = try await tool.line()
        let request = try PushRegistration(uri: try start.text("uri"))
            .request(mechanismUid: "m", deviceId: "0a", deviceName: "Phone")
        #expect(try await post(request.url, request.body) == status)
        let order = Data(#"{"mechanismUid":"m","type":"default"}"#.utf8)
        #expect(try await post("\(try start.text("control"))/pushes", order) == 400)
    }

    /// Codes contain the host name of `--base`, for example of a proxy or tunnel, and requests may use this name.
    @Test func codesContainTheGivenBase() async throws {
        let tool = try RunningTool([
            "simulate", "--json", "--base", "https://am.example.test:8443/openam/", "--access-token",
            "sixteen-letters-",
        ])
        defer { tool.end() }
        let start = try await tool.line()
        #expect(try start.text("base") == "https://am.example.test:8443/openam")
        #expect(try start.text("control") == "https://am.example.test:8443/control/sixteen-letters-")
        let registration = try PushRegistration(uri: try start.text("uri"))
        #expect(
            registration.endpoints.registration.hasPrefix("https://am.example.test:8443/openam/json/push/")
        )
        #expect(start["listening"] == nil)
        let local = try start.text("localControl")
        #expect(local.hasPrefix("http://127.0.0.1:"))
        #expect(try await post("\(local)/sessions", Data(#"{"user":"demo"}"#.utf8)) == 200)
    }

    /// If the page of a registration has timed out, the device gets PingAM's response, and the operator a message.
    @Test func abandonedRegistrationIsReported() async throws {
        let tool = try RunningTool(["simulate", "--json", "--patience", "0"])
        defer { tool.end() }
        let start = try await tool.line()
        let request = try PushRegistration(uri: try start.text("uri"))
            .request(mechanismUid: "m", deviceId: "0a", deviceName: "Phone")
        #expect(try await post(request.url, request.body) == 200)
        let words =
            "The registration page of this code stopped polling after 0 seconds, so the device is not stored."
        #expect(try tool.diagnostics() == "register: \(words)\n")
    }

    /// A request without its cookie reaches another server, which does not know the message.
    @Test func onlyTheServerOfTheCookieAcceptsARegistration() async throws {
        let tool = try RunningTool(["simulate", "--json", "--servers", "01,02", "--no-token-store"])
        defer { tool.end() }
        let registration = try PushRegistration(uri: try await tool.line().text("uri"))
        #expect(registration.loadBalancer == "amlbcookie=01")
        let request = registration.request(mechanismUid: "m", deviceId: "0a", deviceName: "Phone")
        #expect(try await post(request.url, request.body) == 400)
        #expect(try await post(request.url, request.body, cookie: "amlbcookie=02") == 400)
        #expect(try await post(request.url, request.body, cookie: "amlbcookie=01") == 200)
    }

    @Test func tokenWithoutAnEndpointIsRefused() async throws {
        let tool = try RunningTool(["simulate", "--json", "--token-without-endpoint", "0a"])
        defer { tool.end() }
        let registration = try PushRegistration(uri: try await tool.line().text("uri"))
        for (token, status) in [("0a", 400), ("0b", 200)] {
            let request = registration.request(mechanismUid: "m", deviceId: token, deviceName: "Phone")
            #expect(try await post(request.url, request.body) == status)
        }
    }

    @Test(arguments: [
        (["--listen", "localhost"], "listen"), (["--listen", "127.0.0.1:x"], "listen"),
        (["--listen", "0.0.0.0:8443"], "--base"), (["--listen", "::"], "--base"),
        (["--base", "am.example.test"], "--base"), (["--base", "https://a/am?x=1"], "--base"),
        (["--base", "ftp://a/am"], "--base"), (["--base", "https://u@a/am"], "--base"),
        (["--certificate", "c.pem"], "--certificate-key"), (["--tls-folder", "x"], "--listen"),
        (["--listen", "127.0.0.1", "--no-tls", "--tls-folder", "x"], "TLS"),
        (["--tls", "--tls-folder", "x", "--certificate", "c", "--certificate-key", "k"], "--tls-folder"),
        (["--servers", "01"], "--servers"), (["--servers", "01,01"], "--servers"),
        (["--servers", "01,;"], "--servers"), (["--no-token-store"], "--servers"),
        (["--access-token", "short"], "16"), (["--access-token", "sixteen letters-"], "16"),
    ])
    func invalidListenAddressIsAMisuse(_ arguments: [String], _ words: String) throws {
        let run = try CommandLineTool().run(["simulate"] + arguments)
        #expect(run.status == 64)
        #expect(run.diagnostics.contains(words))
        #expect(run.output.isEmpty)
    }

    @Test(arguments: [
        "--message-lifetime=nan", "--message-lifetime=-5", "--message-lifetime=inf", "--patience=-1",
        "--patience=nan", "--issuer=", "--account=",
    ])
    func invalidOptionsAreAMisuse(_ argument: String) throws {
        let run = try CommandLineTool()("simulate", argument)
        #expect(run.status == 64)
        #expect(run.output.isEmpty)
    }

    @Test func unknownSwitchIsAMisuse() throws {
        let run = try CommandLineTool()("simulate", "--alternative", "everything")
        #expect(run.status == 64)
        #expect(run.diagnostics.contains("padded-codes"))
        #expect(try CommandLineTool()("simulate", "--provider", "x").status == 64)
    }

    @Test func takenPortEndsTheCommand() async throws {
        let server = try await SimulatorServer.start()
        let run = try CommandLineTool()("simulate", "--port", String(server.port))
        #expect(run.status == 75)
        let words =
            "The port \(server.port) cannot be opened: it is in use, or you do not have permission to open it."
        #expect(run.sentences == ["pushbridge: \(words)"])
        #expect(run.output.isEmpty)
        await server.stop()
    }

    @Test func aFolderThatIsMissingIsMade() async throws {
        let folder = try TemporaryFolder()
        let missing = folder.url("PUSHES")
        let tool = try RunningTool([
            "simulate", "--json", "--pushes", missing.path, "--bundle", "com.example.app",
        ])
        defer { tool.end() }
        _ = try await tool.line()
        let made = try FileManager.default.attributesOfItem(atPath: missing.path)
        #expect(made[.type] as? FileAttributeType == .typeDirectory)
        #expect(made[.posixPermissions] as? Int == 0o700)
    }

    @Test func aFolderThatCannotBeMadeEndsTheCommand() throws {
        let folder = try TemporaryFolder()
        let file = try folder.file("file", "").path
        let far = folder.path("missing/folder")
        let refusals = [
            (file, "\(file) is not a folder."),
            (far, "The folder \(far) does not exist and cannot be created."),
        ]
        for (name, sentence) in refusals {
            let run = try CommandLineTool()("simulate", "--pushes", name, "--bundle", "com.example.app")
            #expect(run.status == 73)
            #expect(run.sentences == ["pushbridge: \(sentence)"])
            #expect(run.output.isEmpty)
        }
    }

    private func post(_ address: String, _ body: Data, cookie: String? = nil) async throws -> Int {
        var request = URLRequest(url: try #require(URL(string: address)))
        request.httpShouldHandleCookies = false
        // While other processes use all processors, the server can respond after a minute.
        request.timeoutInterval = 600
        if let cookie { request.setValue(cookie, forHTTPHeaderField: "Cookie") }
        request.httpMethod = "POST"
        request.httpBody = body
        let (_, response) = try await URLSession.shared.data(for: request)
        return try #require(response as? HTTPURLResponse).statusCode
    }
}
