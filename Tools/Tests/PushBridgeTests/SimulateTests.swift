import Foundation
import PingAMSimulator
import PingAMSimulatorServer
import PushBridgeCommandLineTestSupport
@_spi(PushBridgeTools) import PushBridgeCore
import PushBridgeTestSupport
import Testing

#if canImport(FoundationNetworking)
import FoundationNetworking
#endif

/// The simulator as a person runs it.
@Suite struct SimulateTests {
    @Test func commandPrintsAURIThatItsServerHonours() async throws {
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

    /// Without file descriptors the server cannot accept connections, and says so.
    @Test func withoutFileDescriptorsNothingEndsSilently() async throws {
        let tool = try RunningTool(["simulate", "--json"], limits: "ulimit -n 40")
        defer { tool.end() }
        let base = try await tool.line().text("base")
        let port = try #require(URL(string: base)?.port.flatMap(UInt16.init))
        let connections = LoopbackConnections(count: 60, port: port)
        defer { connections.close() }
        #expect(try tool.status() == 75)
        let sentences = try tool.diagnostics().split(separator: "\n")
        #expect(sentences.count == 1)
        #expect(sentences.first?.hasPrefix("pushbridge: The server cannot go on listening: ") == true)
    }

    @Test func switchesAndThePageAreReachedFromTheCommandLine() async throws {
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

    /// A message that lives no time is unknown; a page that waits no time stores no device.
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
        let words = "The port \(server.port) cannot be opened: it is in use, or needs other rights."
        #expect(run.sentences == ["pushbridge: \(words)"])
        #expect(run.output.isEmpty)
        await server.stop()
    }

    @Test func aFolderThatIsMissingEndsTheCommand() throws {
        let missing = try TemporaryFolder().path("missing")
        let run = try CommandLineTool()("simulate", "--pushes", missing, "--bundle", "com.example.app")
        #expect(run.status == 73)
        #expect(run.sentences == ["pushbridge: \(missing) is not a folder."])
        #expect(run.output.isEmpty)
    }

    private func post(_ address: String, _ body: Data) async throws -> Int {
        var request = URLRequest(url: try #require(URL(string: address)))
        request.httpMethod = "POST"
        request.httpBody = body
        let (_, response) = try await URLSession.shared.data(for: request)
        return try #require(response as? HTTPURLResponse).statusCode
    }
}
