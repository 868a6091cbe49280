import Foundation
import PushBridgeAPNs
import PushBridgeCommandLineTestSupport
import PushBridgeCore
import PushBridgeTestSupport
import Testing

/// The command `simulate` with TLS and without TLS; its clients are other programs, such as curl.
@Suite(.serialized) struct ListenTests {
    private let folder: TemporaryFolder

    init() throws { folder = try TemporaryFolder() }

    private func simulate(_ arguments: String...) async throws -> (RunningTool, JSONValue) {
        let tool = try RunningTool(["simulate", "--json"] + arguments)
        return (tool, try await tool.line())
    }

    /// Sends a request with curl.
    ///
    /// Returns the body and the status. If curl does not trust the server, returns an empty body and 000.
    private func curl(_ address: String, _ arguments: String...) throws -> String {
        let process = Process()
        let output = Pipe()
        process.executableURL = URL(fileURLWithPath: "/usr/bin/env")
        process.arguments =
            ["curl", "--silent", "--max-time", "60", "--globoff", "--write-out", " %{http_code}"] + arguments
            + [address]
        process.standardOutput = output
        try process.run()
        let text = String(decoding: output.fileHandleForReading.readDataToEndOfFile(), as: UTF8.self)
        try process.waitForEnd("curl to end")
        return text
    }

    private func text(_ start: JSONValue, _ member: String) throws -> String {
        try #require(start["listening"]).text(member)
    }

    @Test func aClientThatTrustsThePrintedRootReachesTheServer() async throws {
        let (tool, start) = try await simulate("--listen", "127.0.0.1:0")
        defer { tool.end() }
        let (control, root) = (try start.text("control"), try text(start, "certificate"))
        #expect(try start.text("base").hasPrefix("https://127.0.0.1:"))
        #expect(try curl("\(control)/devices", "--cacert", root) == "[] 200")
        #expect(try curl("\(control)/devices") == " 000")
        let without = control.split(separator: "/").dropLast().joined(separator: "/")
            .replacingOccurrences(of: "https:/", with: "https://")
        #expect(try curl("\(without)/devices", "--cacert", root).hasSuffix(" 404"))
        let profile = try curl("\(control)/profile", "--cacert", root)
        #expect(
            profile.hasPrefix(
                String(
                    decoding: try Data(contentsOf: URL(fileURLWithPath: text(start, "profile"))),
                    as: UTF8.self
                )
            )
        )
        let big = try folder.file("big", String(repeating: " ", count: (1 << 20) + 1)).path
        #expect(try curl("\(control)/pushes", "--cacert", root, "--data-binary", "@\(big)").hasSuffix(" 413"))
        // If a client does not use TLS, it gets no response.
        #expect(try curl(control.replacingOccurrences(of: "https:", with: "http:")) == " 000")
        #expect(try curl("\(control)/devices", "--cacert", root, "--tls-max", "1.1").hasSuffix(" 000"))
    }

    /// The phone explains how to trust the server, whose root certificate the phone's system does not trust.
    @Test(arguments: ["legacy", "async"])
    func phoneExplainsAnUntrustedServer(_ api: String) async throws {
        let apns = try RunningTool(["apns", "serve", "--json"])
        let file = try folder.file("apns.json", try await apns.text()).path
        let (tool, start) = try await simulate("--tls")
        defer {
            tool.end()
            apns.end()
        }
        let code = try start.text("uri")
        let run = try CommandLineTool().run(["phone", "--api", api, "--apns", file, "--enrol", code])
        #expect(run.status == 75)
        #expect(run.diagnostics.contains("no secure connection could be made"))
        #expect(run.diagnostics.contains("make the system trust the root certificate in root.pem"))
    }

    /// The command reports the opened endpoints before any other output.
    @Test func openedEndpointsAreReportedFirst() async throws {
        let (tool, start) = try await simulate("--tls")
        defer { tool.end() }
        let lines = try tool.diagnostics().split(separator: "\n")
        #expect(lines.first?.hasPrefix("Every program on this machine can reach 127.0.0.1:") == true)
        #expect(lines.count == 4)
        #expect(lines.last?.hasPrefix("    control/…") == true)
        guard case .array(let opens)? = start["listening"]?["opens"] else {
            throw CocoaError(.coderInvalidValue)
        }
        #expect(opens.count == 3)
        #expect(start["listening"]?["tls"] == true)
    }

    @Test(arguments: ["--listen=127.0.0.1", "--tls"])
    func laterStartsReuseTheStoredCertificate(_ option: String) async throws {
        let kept = folder.path("kept")
        var prints: [String] = []
        for _ in 0..<2 {
            let (tool, start) = try await simulate(option, "--tls-folder", kept)
            prints.append(try text(start, "fingerprint"))
            #expect(try text(start, "certificate") == "\(kept)/root.pem")
            tool.end()
            _ = try tool.status()
        }
        #expect(prints[0] == prints[1])
        let key = try FileManager.default.attributesOfItem(atPath: "\(kept)/certificate-key.pem")
        #expect(key[.posixPermissions] as? Int == 0o600)
        // A different host needs a new certificate, and the command reports this.
        let (tool, start) = try await simulate(
            option,
            "--tls-folder",
            kept,
            "--base",
            "https://am.example.test/am"
        )
        defer { tool.end() }
        #expect(try text(start, "fingerprint") != prints[0])
        #expect(try tool.diagnostics().contains("devices must trust the new one"))
    }

    @Test func serverUsesTheGivenCertificate() async throws {
        let made = try FrontCertificate(hosts: ["127.0.0.1"])
        let certificate = try folder.file("own.pem", made.chainPEM).path
        let key = try folder.file("own-key.pem", made.keyPEM).path
        let root = try folder.file("own-root.pem", made.rootPEM).path
        let (tool, start) = try await simulate(
            "--tls",
            "--certificate",
            certificate,
            "--certificate-key",
            key
        )
        defer { tool.end() }
        #expect(try curl("\(start.text("control"))/devices", "--cacert", root) == "[] 200")
        #expect(start["listening"]?["certificate"] == nil)
        let pushbridge = try CommandLineTool()
        let missing = folder.path("missing.pem")
        let none = try pushbridge("simulate", "--tls", "--certificate", missing, "--certificate-key", key)
        #expect(none.status == 66)
        #expect(none.sentences == ["pushbridge: There is no file \(missing)."])
        let wrong = try pushbridge("simulate", "--tls", "--certificate", key, "--certificate-key", key)
        #expect(wrong.status == 66)
        #expect(wrong.sentences == ["pushbridge: \(key) is not a certificate in PEM."])
    }

    /// After each signal, the keys are removed and the child process has ended.
    @Test(arguments: [SIGTERM, SIGINT, SIGKILL])
    func aSignalEndsTheServerAndRemovesItsKeys(_ number: Int32) async throws {
        let (tool, start) = try await simulate("--tls")
        let (control, root) = (try start.text("control"), try text(start, "certificate"))
        let folder = URL(fileURLWithPath: root).deletingLastPathComponent()
        #expect(try FileManager.default.contentsOfDirectory(atPath: folder.path).count == 4)
        tool.end(by: number)
        _ = try tool.status()
        for _ in 0..<200 where FileManager.default.fileExists(atPath: folder.path) {
            try await Task.sleep(for: .milliseconds(50))
        }
        #expect(!FileManager.default.fileExists(atPath: folder.path))
        #expect(try curl("\(control)/devices", "--insecure") == " 000")
    }

    @Test func occupiedPortEndsTheCommand() async throws {
        let (tool, start) = try await simulate("--tls")
        defer { tool.end() }
        guard case .integer(let port)? = start["listening"]?["port"] else {
            throw CocoaError(.coderInvalidValue)
        }
        let run = try CommandLineTool()("simulate", "--listen", "127.0.0.1:\(port)")
        #expect(run.status == 75)
        #expect(run.sentences.count == 1)
        #expect(run.diagnostics.contains("The port \(port) of 127.0.0.1 cannot be opened"))
        #expect(run.output == "")
    }

    /// Without TLS, the command prints a warning; the same executable listens, with the same limits as with TLS.
    @Test func plainHTTPCausesAWarning() async throws {
        let (tool, start) = try await simulate("--listen", "127.0.0.1", "--no-tls")
        defer { tool.end() }
        #expect(try curl("\(start.text("control"))/devices") == "[] 200")
        #expect(
            try curl("\(start.text("control"))/devices", "-H", "X: \(String(repeating: "x", count: 40000))")
                == " 431"
        )
        #expect(try tool.diagnostics().contains("Without TLS, others on the network can read all data"))
        #expect(start["listening"]?["tls"] == false)
    }
}
