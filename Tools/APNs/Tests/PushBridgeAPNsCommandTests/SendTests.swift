import Foundation
import PushBridgeAPNs
import PushBridgeCommandLineTestSupport
import PushBridgeCore
import PushBridgeTestSupport
import Testing

#if canImport(FoundationNetworking)
import FoundationNetworking
#endif

/// Pushes that a user sends by hand.
///
/// The tests check the parts of the pushes, and the command's messages about the pushes.
@Suite struct SendTests {
    private static let token = String(repeating: "0a", count: 32)
    private let pushbridge: CommandLineTool
    private let standIn: RunningTool
    private let file: String

    init() async throws {
        pushbridge = try CommandLineTool()
        standIn = try RunningTool(["apns", "serve", "--json"])
        file = try pushbridge.file("apns.json", try await standIn.line().data)
    }

    private func send(_ arguments: String...) throws -> CommandLineTool.Run {
        try pushbridge.run(["apns", "send", Self.token, "--apns", file] + arguments)
    }

    @Test func dryRunShowsTheRequestAndSendsNothing() async throws {
        defer { standIn.end() }
        let parts = [
            "--title", "Sign-in", "--subtitle", "Bank", "--body", "You?", "--badge", "3", "--sound",
            "default",
            "--category", "authentication", "--thread", "t1", "--mutable-content", "--data", "link=a=b",
        ]
        let dry = try pushbridge.run(["apns", "send", Self.token, "--apns", file, "--dry-run"] + parts)
        #expect(dry.status == 0)
        let access = try #require(try APNsAccess.read(file).first)
        let payload =
            #"{"aps":{"alert":{"body":"You?","subtitle":"Bank","title":"Sign-in"},"badge":3,"#
            + #""category":"authentication","mutable-content":1,"sound":"default","thread-id":"t1"},"link":"a=b"}"#
        #expect(
            dry.output == """
                POST /3/device/\(Self.token)
                host: 127.0.0.1:\(try #require(access.port)), sandbox
                authorization: bearer (a provider token of key PUSHBRIDGE, team EXAMPLE123)
                apns-topic: com.example.app
                apns-push-type: alert

                \(payload)

                \(payload.utf8.count) of at most 4096 bytes; nothing was sent.

                """
        )
        let arriving = try await access.connection().pushes(to: Self.token, topic: access.topic)
        #expect(try pushbridge.run(["apns", "send", Self.token, "--apns", file] + parts).status == 0)
        let push = try await waitForCall("the push to arrive") { receive in
            Task { for try await line in arriving.prefix(1) { receive(line) } }
        }
        // The first push that arrives is the push of the second command, so the dry run sent nothing.
        #expect(JSONValue(json: push)?["payload"] == JSONValue(json: Data(payload.utf8)))
    }

    @Test func simctlFileIsSentWithoutItsBundleIdentifier() throws {
        defer { standIn.end() }
        let push = #"{"Simulator Target Bundle":"com.example.app","aps":{"alert":"Hello"}}"#
        let payload = try pushbridge.file("push.apns", Data(push.utf8))
        let dry = try send("--payload", payload, "--dry-run", "--json")
        let request = try #require(JSONValue(json: Data(dry.output.utf8)))
        #expect(request["payload"] == ["aps": ["alert": "Hello"]])
        #expect(request["bytes"] == .integer(#"{"aps":{"alert":"Hello"}}"#.utf8.count))
        #expect(try send("--payload", payload).status == 0)
    }

    @Test func silentPayloadHasTheBackgroundType() throws {
        defer { standIn.end() }
        let request = try #require(
            JSONValue(json: Data(try send("--content-available", "--dry-run", "--json").output.utf8))
        )
        #expect(request["sent"] == false)
        #expect(request["request"]?["apns-push-type"] == "background")
        #expect(request["request"]?["apns-priority"] == "5")
        #expect(request["payload"] == ["aps": ["content-available": 1]])
        #expect(try send("--content-available").status == 0)
        #expect(try send("--type", "background").status == 0)
    }

    @Test func requestWithACertificateContainsNoProviderToken() throws {
        defer { standIn.end() }
        let access = try #require(try APNsAccess.read(file).first)
        let certificate = try #require(access.clientCertificate)
        let dry = try send("--certificate", certificate, "--private-key", access.clientKey ?? "", "--dry-run")
        #expect(dry.output.contains("\nauthorization: (none: the certificate in \(certificate))\n"))
    }

    /// If the file that `--apns` names has a certificate but no key, the commands send with the certificate.
    @Test func certificateInTheFileIsUsedWithoutAKey() async throws {
        defer { standIn.end() }
        var access = try #require(try APNsAccess.read(file).first)
        access.keyFile = nil
        let bare = try pushbridge.file("bare.json", Data(try access.line().utf8))
        let sent = try pushbridge("apns", "send", Self.token, "--apns", bare, "--json")
        #expect(sent.status == 0)
        #expect(JSONValue(json: Data(sent.output.utf8))?["accepted"] == true)
        let server = try RunningTool(["simulate", "--json", "--apns", bare])
        defer { server.end() }
        let start = try await server.line()
        let phone = try RunningTool([
            "phone", "--api", "async", "--apns", bare, "--enrol", try start.text("uri"), "--json",
        ])
        defer { phone.end() }
        _ = try await phone.line()
        var request = URLRequest(url: try #require(URL(string: "\(try start.text("control"))/pushes")))
        request.httpMethod = "POST"
        request.httpBody = Data(#"{"user":"demo","type":"default"}"#.utf8)
        let (response, _) = try await URLSession.shared.data(for: request)
        #expect(JSONValue(json: response)?["apns"]?["accepted"] == true)
        #expect(try await phone.line()["event"] == "banner")
    }

    /// The command rejects options that conflict or have invalid values, and sends nothing.
    @Test(arguments: [
        (
            ["--payload", "x", "--title", "a", "--badge", "1"],
            "--title, --badge cannot be combined with --payload"
        ),
        (["--private-key", "x"], "--private-key needs --certificate"),
        (["--badge", "-1"], "--badge"), (["--interruption-level", "loud"], "time-sensitive, critical"),
        (["--data", "x"], "x must have the form NAME=TEXT"), (["--data", "aps=x"], "a name other than aps"),
    ])
    func conflictingOptionsAreAUsageError(_ arguments: [String], _ words: String) throws {
        defer { standIn.end() }
        let run = try pushbridge.run(["apns", "send", Self.token, "--apns", file] + arguments)
        #expect(run.status == 64)
        #expect(run.diagnostics.contains(words))
        #expect(run.output.isEmpty)
    }

    @Test func errorAndHelpListTheFaults() throws {
        defer { standIn.end() }
        let wrong = try pushbridge("apns", "serve", "--fault", "Nonsense")
        #expect(wrong.status == 64)
        let help = try pushbridge("apns", "serve", "--help").output
        for name in ["BadDeviceToken", "Shutdown", "UnrelatedKeyIdInToken", "BadEnvironmentKeyIdInToken"] {
            #expect(wrong.diagnostics.contains("- \(name)\n") || wrong.diagnostics.hasSuffix("- \(name)\n"))
            #expect(help.contains(name))
        }
    }

    @Test func explainCommandPrintsTheCauseOfAReason() throws {
        defer { standIn.end() }
        let one = try pushbridge("apns", "explain", "Unregistered")
        #expect(
            one.output.hasPrefix("410 Unregistered: forget the device token\n    cause  The app was removed")
        )
        let all = try pushbridge("apns", "explain", "--json").json([Explained].self)
        #expect(all.count == APNsReason.allCases.count)
        #expect(all.allSatisfy { !$0.cause.isEmpty && !$0.fault.isEmpty && !$0.remedy.isEmpty })
        #expect(try pushbridge("apns", "explain", "Nonsense").status == 64)
    }

    private struct Explained: Decodable {
        let reason: String
        let status: Int
        let cause: String
        let fault: String
        let remedy: String
    }

    /// A stand-in removes the folders of stand-ins that were killed, and keeps the folders of stand-ins that are
    /// running.
    @Test func nextStandInRemovesKeysOfAKilledOne() async throws {
        defer { standIn.end() }
        let place = try TemporaryFolder()
        let limits = "export TMPDIR='\(place.url.path)'"
        let killed = try RunningTool(["apns", "serve", "--json"], limits: limits)
        let left = try folder(of: try await killed.line())
        let running = try RunningTool(["apns", "serve", "--json"], limits: limits)
        let kept = try folder(of: try await running.line())
        killed.end(by: SIGKILL)
        _ = try killed.status()
        #expect(FileManager.default.fileExists(atPath: left))
        let next = try RunningTool(["apns", "serve", "--json"], limits: limits)
        let own = try folder(of: try await next.line())
        #expect(try next.diagnostics() == "Removed \(left), the keys that a killed stand-in left behind.\n")
        #expect(!FileManager.default.fileExists(atPath: left))
        for folder in [kept, own] { #expect(FileManager.default.fileExists(atPath: folder)) }
        for tool in [running, next] {
            tool.end()
            _ = try tool.status()
        }
        #expect(try FileManager.default.contentsOfDirectory(atPath: place.url.path).isEmpty)
    }

    private func folder(of access: JSONValue) throws -> String {
        URL(fileURLWithPath: try access.text("keyFile")).deletingLastPathComponent().path
    }
}
