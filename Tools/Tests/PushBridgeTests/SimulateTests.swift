import Foundation
import PingAMSimulator
import PingAMSimulatorServer
import PushBridgeCommandLineTestSupport
import PushBridgeCore
import PushBridgeToolsTestSupport
import Testing

#if canImport(FoundationNetworking)
import FoundationNetworking
#endif

/// The simulator as a person runs it.
@Suite struct SimulateTests {
    @Test func commandPrintsAURIThatItsServerHonours() async throws {
        let folder = try TemporaryFolder()
        let process = Process()
        let output = Pipe()
        process.executableURL = try CommandLineTool.executable()
        process.arguments = [
            "simulate", "--json", "--realm", "/beta", "--pushes", folder.url.path, "--bundle",
            "com.example.app",
        ]
        process.standardOutput = output
        try process.run()
        defer { process.terminate() }

        let line = output.fileHandleForReading.availableData
        let start = try JSONDecoder().decode(Start.self, from: line)
        let registration = try PushRegistration(uri: start.uri)
        #expect(registration.account.key == AccountKey(issuer: "PushBridge", accountName: "demo"))
        #expect(registration.endpoints.registration.hasPrefix("\(start.base)/json/beta/"))

        let device = DeviceDescription(deviceId: "0a", deviceName: "Phone")
        let request = registration.request(mechanismUid: "m", device: device)
        #expect(try await post(request.url, request.body) == 200)
        let order = Data(#"{"mechanismUid":"m","type":"default"}"#.utf8)
        #expect(try await post("\(start.control)/pushes", order) == 200)
        #expect(try folder.names().count == 1)
    }

    /// Without file descriptors the server goes on, or says why it cannot.
    @Test func withoutFileDescriptorsNothingEndsSilently() async throws {
        let process = Process()
        let (output, diagnostics) = (Pipe(), Pipe())
        process.executableURL = URL(fileURLWithPath: "/bin/bash")
        process.arguments = [
            "-c", "ulimit -n 40; exec \"$0\" simulate --json", try CommandLineTool.executable().path,
        ]
        process.standardOutput = output
        process.standardError = diagnostics
        try process.run()
        defer { process.terminate() }
        let start = try JSONDecoder().decode(Start.self, from: output.fileHandleForReading.availableData)
        let port = try #require(URL(string: start.base)?.port.flatMap(UInt16.init))
        let connections = LoopbackConnections(count: 60, port: port)
        try await Task.sleep(for: .seconds(2))
        connections.close()
        if process.isRunning {
            #expect(try await post("\(start.control)/pushes", Data("{}".utf8)) == 400)
        } else {
            #expect([70, 75].contains(process.terminationStatus))
            let sentences = String(decoding: diagnostics.fileHandleForReading.availableData, as: UTF8.self)
            #expect(sentences.hasPrefix("pushbridge: "))
            #expect(sentences.split(separator: "\n").count == 1)
        }
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
        let request = registration.request(
            mechanismUid: "m",
            device: DeviceDescription(deviceId: "0a", deviceName: "Phone")
        )
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
        let device = DeviceDescription(deviceId: "0a", deviceName: "Phone")
        let request = try PushRegistration(uri: try start.text("uri"))
            .request(mechanismUid: "m", device: device)
        #expect(try await post(request.url, request.body) == status)
        let order = Data(#"{"mechanismUid":"m","type":"default"}"#.utf8)
        #expect(try await post("\(try start.text("control"))/pushes", order) == 400)
    }

    @Test(arguments: [
        "--message-lifetime=nan", "--message-lifetime=-5", "--message-lifetime=inf", "--patience=-1",
        "--patience=nan", "--issuer=", "--account=",
    ])
    func startThatNobodyMeansIsAMisuse(_ argument: String) throws {
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
        #expect(run.sentences == ["pushbridge: \(missing) is no folder."])
        #expect(run.output.isEmpty)
    }

    private struct Start: Decodable {
        let base: String
        let control: String
        let uri: String
    }

    private func post(_ address: String, _ body: Data) async throws -> Int {
        var request = URLRequest(url: try #require(URL(string: address)))
        request.httpMethod = "POST"
        request.httpBody = body
        let (_, response) = try await URLSession.shared.data(for: request)
        return try #require(response as? HTTPURLResponse).statusCode
    }
}
