import Foundation
import PushBridgeAPNs
import PushBridgeCommandLineTestSupport
import PushBridgeCore
import PushBridgeTestSupport
import Testing

#if canImport(FoundationNetworking)
import FoundationNetworking
#endif

/// A login goes from the server through APNs to a device, and back.
///
/// Each part is a separate process.
@Suite(.serialized) struct PhoneTests {
    private let folder: TemporaryFolder
    private let apns: RunningTool
    private let file: String
    private let simulator: RunningTool
    private let uri: String
    private let control: String

    init() async throws {
        folder = try TemporaryFolder()
        apns = try RunningTool(["apns", "serve", "--json"])
        file = try folder.file("apns.json", try await apns.line().data).path
        simulator = try RunningTool(["simulate", "--json", "--apns", file])
        let start = try await simulator.line()
        uri = try start.text("uri")
        control = try start.text("control")
    }

    private func end(_ phones: RunningTool...) {
        for tool in phones + [simulator, apns] { tool.end() }
    }

    private func phone(_ api: String, _ more: String...) throws -> RunningTool {
        try RunningTool(["phone", "--api", api, "--apns", file, "--json"] + more)
    }

    private func ask(_ path: String, _ body: String? = nil) async throws -> JSONValue {
        try await Self.ask("\(control)/\(path)", body)
    }

    private static func ask(_ address: String, _ body: String? = nil) async throws -> JSONValue {
        var request = URLRequest(url: try #require(URL(string: address)))
        if let body {
            request.httpMethod = "POST"
            request.httpBody = Data(body.utf8)
        }
        let (data, _) = try await URLSession.shared.data(for: request)
        return try #require(JSONValue(json: data))
    }

    /// Makes the server send a push, and returns the id of the push.
    private func push(_ type: String, to credential: String) async throws -> String {
        let order = #"{"mechanismUid":"\#(credential)","type":"\#(type)","numbers":"34,43,57"}"#
        let sent = try await ask("pushes", order)
        #expect(sent["apns"]?["status"] == 200)
        return try sent.text("messageId")
    }

    private func state(_ id: String) async throws -> JSONValue? { try await ask("pushes/\(id)")["state"] }

    @Test(arguments: ["legacy", "async"])
    func phoneAnswersEveryTypeOfPush(_ api: String) async throws {
        let code = try folder.file("code", "\(uri)\n").path
        let phone = try phone(api, "--enrol", "@\(code)", "--store", folder.path("phone.db"))
        defer { end(phone) }
        let credential = try await phone.line().text("credential")

        let tap = try await push("default", to: credential)
        let banner = try await phone.line()
        #expect(banner["title"] == "PushBridge")
        #expect(banner["subtitle"] == "demo")
        #expect(banner["body"] == "Login attempt from demo at PushBridge")
        #expect(banner["actions"] == .array(["pushbridge.approve", "pushbridge.deny"]))
        try phone.type("a")
        #expect(try await phone.line() == ["event": "answered", "approved": true])
        #expect(try await state(tap) == "approved")

        let challenge = try await push("challenge", to: credential)
        #expect(try await phone.line()["actions"] == .array(["pushbridge.number", "pushbridge.deny"]))
        try phone.type("a")
        #expect(try await phone.line()["event"] == "opened")
        #expect(try await state(challenge) == "waiting")
        try phone.type("34")
        #expect(try await phone.line() == ["event": "answered", "approved": true])
        #expect(try await state(challenge) == "approved")

        try phone.type("r")
        #expect(try await phone.line()["event"] == "restarted")
        let biometric = try await push("biometric", to: credential)
        #expect(try await phone.line()["event"] == "banner")
        try phone.type("a")
        #expect(try await phone.line() == ["event": "answered", "approved": true])
        #expect(try await state(biometric) == "approved")

        let denied = try await push("default", to: credential)
        #expect(try await phone.line()["event"] == "banner")
        try phone.type("d")
        #expect(try await phone.line() == ["event": "answered", "approved": false])
        #expect(try await state(denied) == "denied")
        try phone.type("q")
        #expect(try phone.status() == 0)
    }

    /// If the registration page has timed out, the phone reports that the server stored no device.
    ///
    /// The server still responds with status 200, so the phone queries the control endpoint.
    @Test(arguments: ["legacy", "async"])
    func phoneReportsThatTheRegistrationPageTimedOut(_ api: String) async throws {
        let impatient = try RunningTool(["simulate", "--json", "--apns", file, "--patience", "0"])
        let start = try await impatient.line()
        let phone = try phone(api, "--enrol", try start.text("uri"), "--control", try start.text("control"))
        defer { end(phone, impatient) }
        #expect(try await phone.line().text("event") == "ready")
        let event = try await phone.line()
        #expect(try event.text("event") == "notStored")
        #expect(try event.text("state") == "expired")
        // The phone ends immediately, because no push can arrive.
        #expect(try phone.status() == 1)
        // While the registration page polls, the phone reports no failure.
        let other = try self.phone(api, "--enrol", uri, "--control", control)
        defer { other.end() }
        let id = try await other.line().text("credential")
        _ = try await push("default", to: id)
        #expect(try await other.line().text("event") == "banner")
    }

    @Test func twoPhonesOnOneStoreAnswerOnce() async throws {
        let store = folder.path("shared.db")
        let first = try phone("legacy", "--enrol", uri, "--store", store)
        let start = try await first.line()
        let second = try phone("async", "--store", store)
        defer { end(first, second) }
        #expect(try await second.line()["token"] == start["token"])
        let id = try await push("default", to: try start.text("credential"))
        #expect(try await first.line()["event"] == "banner")
        #expect(try await second.line()["event"] == "banner")
        try second.type("a")
        #expect(try await second.line() == ["event": "answered", "approved": true])
        try first.type("d")
        #expect(try await first.line()["event"] == "failed")
        #expect(try await state(id) == "approved")
    }

    @Test func serverReportsTheAnswersOfAPNs() async throws {
        let phone = try phone("async", "--enrol", uri, "--pushes", "1", "--press", "a")
        defer { end(phone) }
        let start = try await phone.line()
        let (credential, token) = (try start.text("credential"), try start.text("token"))
        _ = try await push("default", to: credential)
        #expect(try await phone.line()["event"] == "banner")
        #expect(try await phone.line()["event"] == "answered")
        #expect(try phone.status() == 0)

        let access = try #require(try APNsAccess.read(file).first)
        // The push has an expiration, and a collapse id with which a repetition replaces the earlier push.
        let arriving = try await access.connection().pushes(to: token, topic: access.topic)
        let sent = Int(Date().timeIntervalSince1970)
        let id = try await push("default", to: credential)
        let arrived = try await waitForCall("the push to arrive") { receive in
            Task { for try await line in arriving.prefix(1) { receive(line) } }
        }
        let line = try #require(JSONValue(json: arrived))
        #expect(line["collapseId"] == .string(id))
        let expiration = try #require(Int(try line.text("expiration")))
        #expect((sent + 120...sent + 150).contains(expiration))

        // The server limits the custom payload, and APNs limits the whole payload.
        for (bytes, member) in [(3072, "apns"), (3073, "code")] {
            let text = String(repeating: "x", count: bytes)
            let large = #"{"mechanismUid":"\#(credential)","type":"default","customPayload":"\#(text)"}"#
            let response = try await ask("pushes", large)
            #expect(member == "apns" ? response["apns"]?["status"] == 413 : response["code"] == 400)
        }

        let curl = Process()
        curl.executableURL = URL(fileURLWithPath: "/usr/bin/env")
        curl.arguments = [
            "curl", "--silent", "--max-time", "120", "--http2", "--cacert", try #require(access.certificate),
            "-d",
            #"{"token":"\#(token)","state":"unregistered"}"#,
            "https://localhost:\(try #require(access.port))\(access.control ?? "")/control/tokens",
        ]
        try curl.run()
        try curl.waitForEnd("curl to end")
        let order = #"{"mechanismUid":"\#(credential)","type":"default"}"#
        let response = try await ask("pushes", order)["apns"]
        #expect(response?["status"] == 410)
        #expect(response?["reason"] == "Unregistered")
        #expect(response?["advice"] == "forget the device token")
        // The simulator follows the advice to forget the token, and sends no further push to the token.
        #expect(response?["forgotten"] == .array([.string(credential)]))
        #expect(try await ask("devices") != .array([]))
        let next = try await ask("pushes", order)
        #expect(next["code"] == 409)
        #expect(next["apns"] == nil)
    }

    /// The server keeps a device token that APNs refuses as invalid, because the token may belong to the other
    /// environment.
    ///
    /// If the server forgot a valid token, the user would be locked out.
    @Test func serverDoesNotForgetATokenOfTheOtherEnvironment() async throws {
        let phone = try phone("async", "--enrol", uri, "--environment", "production")
        defer { end(phone) }
        let credential = try await phone.line().text("credential")
        let order = #"{"mechanismUid":"\#(credential)","type":"default"}"#
        for _ in 0..<2 {
            let response = try await ask("pushes", order)["apns"]
            #expect(response?["accepted"] == false)
            #expect(response?["reason"] == "BadDeviceToken")
            #expect(response?["fault"] == "set-up")
            #expect(try response?.text("cause").contains("to the other environment") == true)
            #expect(response?["forgotten"] == nil)
        }
        let diagnostics = try simulator.diagnostics()
        let advice = "check the environment, then the topic; keep the device token"
        #expect(diagnostics.contains("400 BadDeviceToken: \(advice)"))
        #expect(diagnostics.contains("apns:     do     Check the environment"))
        #expect(!diagnostics.contains("nothing more is sent"))
    }

    /// The phone shows the challenge's three numbers, and rejects any other number.
    @Test(arguments: [
        ("7.2", "legacy"), ("7.3", "async"), ("7.5", "legacy"), ("8.0.0", "async"), ("8.0.2", "legacy"),
        ("8.1.0", "async"),
    ])
    func challengeShowsItsNumbers(_ version: String, _ api: String) async throws {
        let server = try RunningTool(["simulate", "--json", "--apns", file, "--am-version", version])
        let start = try await server.line()
        let phone = try RunningTool([
            "phone", "--api", api, "--apns", file, "--enrol", try start.text("uri"),
        ])
        defer { end(phone, server) }
        _ = try await (phone.text(), phone.text())
        let control = try start.text("control")
        let order = #"{"user":"demo","type":"challenge","numbers":"34,43,57"}"#
        let id = try await Self.ask("\(control)/pushes", order).text("messageId")
        #expect(try await phone.text().hasSuffix("Login attempt from demo at PushBridge"))
        #expect(try await phone.text().hasPrefix("    [34]   [43]   [57]   "))
        try phone.type("99")
        #expect(try await phone.text() == "phone: 99 is not one of 34, 43, 57; opened in the app")
        #expect(try await phone.text() == "    [34]   [43]   [57]   [d] Deny")
        try phone.type("98")
        let words = "phone: failed: 98 is not one of the numbers that the push shows: 34, 43, 57."
        #expect(try await phone.text() == words)
        try phone.type("34")
        #expect(try await phone.text() == "phone: approved")
        #expect(try await Self.ask("\(control)/pushes/\(id)")["state"] == "approved")
    }

    /// A banner without buttons has no empty line for the buttons.
    ///
    /// Servers before 7.2 define no buttons.
    @Test func bannerWithoutButtonsIsOneLine() async throws {
        let server = try RunningTool(["simulate", "--json", "--apns", file, "--am-version", "7.1"])
        let start = try await server.line()
        let phone = try RunningTool([
            "phone", "--api", "async", "--apns", file, "--enrol", try start.text("uri"),
        ])
        defer { end(phone, server) }
        _ = try await (phone.text(), phone.text())
        let order = #"{"user":"demo","type":"default"}"#
        _ = try await Self.ask("\(try start.text("control"))/pushes", order)
        #expect(try await phone.text() == "phone: Login attempt from demo at PushBridge")
        try phone.type("o")
        #expect(try await phone.text() == "phone: opened in the app")
        #expect(try await phone.text() == "    [a] Approve   [d] Deny")
    }

    /// The phone reports that the stand-in ended, even after SIGKILL, which gives the stand-in no time for a message.
    @Test(arguments: [SIGTERM, SIGKILL])
    func phoneReportsThatTheStandInEnded(_ signal: Int32) async throws {
        let phone = try phone("async")
        defer { end(phone) }
        _ = try await phone.line()
        apns.end(by: signal)
        #expect(try phone.status() == 75)
        let advice = "start another with: pushbridge apns serve --json > \(file)"
        #expect(
            try phone.diagnostics() == "pushbridge: The stand-in that wrote \(file) has ended; \(advice)\n"
        )
        let next = try CommandLineTool()("phone", "--api", "async", "--apns", file)
        #expect(next.status == 75)
        #expect(next.sentences == ["pushbridge: The stand-in that wrote \(file) has ended; \(advice)"])
    }

    /// If the server stops before the user approves in the app, the approval fails and the push stays.
    @Test(arguments: ["legacy", "async"])
    func failedApprovalKeepsThePush(_ api: String) async throws {
        let phone = try phone(api, "--enrol", uri)
        defer { end(phone) }
        _ = try await push("biometric", to: try await phone.line().text("credential"))
        #expect(try await phone.line()["event"] == "banner")
        simulator.end()
        _ = try simulator.status()
        for _ in 0..<2 {
            try phone.type("a")
            let failure = try await phone.line()
            #expect(failure["event"] == "failed")
            #expect(try failure.text("reason").hasPrefix("The server could not be reached"))
        }
        try phone.type("x")
        #expect(try await phone.line()["event"] == "dismissed")
        try phone.type("q")
        #expect(try phone.status() == 0)
    }

    @Test(arguments: ["legacy", "async"])
    func keyPressesApplyToTheNewestPush(_ api: String) async throws {
        let phone = try phone(api, "--enrol", uri)
        defer { end(phone) }
        let credential = try await phone.line().text("credential")
        var ids: [String] = []
        for _ in 0..<3 {
            ids.append(try await push("default", to: credential))
            #expect(try await phone.line()["event"] == "banner")
        }
        try phone.type("a")
        #expect(try await phone.line()["approved"] == true)
        try phone.type("x")
        #expect(try await phone.line()["event"] == "dismissed")
        try phone.type("d")
        #expect(try await phone.line()["approved"] == false)
        try phone.type("a")
        #expect(try await phone.line()["event"] == "unknown")
        #expect(try await state(ids[0]) == "denied")
        #expect(try await state(ids[1]) == "waiting")
        #expect(try await state(ids[2]) == "approved")
    }

    @Test(arguments: ["legacy", "async"])
    func storedPushesAreAnsweredAfterARestart(_ api: String) async throws {
        let store = folder.path("phone.db")
        let first = try phone(api, "--enrol", uri, "--store", store)
        let credential = try await first.line().text("credential")
        var ids: [String] = []
        for type in ["challenge", "biometric", "default"] {
            ids.append(try await push(type, to: credential))
            #expect(try await first.line()["event"] == "banner")
        }
        try first.type("q")
        #expect(try first.status() == 0)
        let second = try phone(api, "--store", store)
        defer { end(first, second) }
        #expect(try await second.line()["event"] == "ready")
        var actions: [JSONValue?] = []
        for _ in ids {
            let line = try await second.line()
            #expect(line["event"] == "waiting")
            #expect(line["title"] == "PushBridge")
            actions.append(line["actions"])
        }
        #expect(actions.first == .array(["pushbridge.number", "pushbridge.deny"]))
        // The newest push is answered first. The phone does not send 99, because the challenge does not have this
        // number.
        for (key, event) in [("a", "answered"), ("a", "answered"), ("99", "failed"), ("34", "answered")] {
            try second.type(key)
            #expect(try await second.line()["event"] == .string(event))
        }
        for id in ids { #expect(try await state(id) == "approved") }
    }

    @Test func phoneEndsAtAPushThatNoInputCanAnswer() async throws {
        let phone = try phone("async", "--enrol", uri, "--pushes", "2", "--press", "a")
        defer { end(phone) }
        let credential = try await phone.line().text("credential")
        try phone.closeInput()
        _ = try await push("default", to: credential)
        #expect(try await phone.line()["event"] == "banner")
        #expect(try await phone.line()["event"] == "answered")
        _ = try await push("default", to: credential)
        #expect(try await phone.line()["event"] == "banner")
        #expect(try phone.status() == 1)
    }

    @Test(arguments: ["legacy", "async"])
    func newDeviceTokenReachesTheServer(_ api: String) async throws {
        let phone = try phone(api, "--enrol", uri)
        defer { end(phone) }
        let start = try await phone.line()
        try phone.type("t")
        let token = try await phone.line().text("token")
        #expect(try start.text("token") != token)
        // The legacy API sends tokens in the background, and it sends them in upper case.
        func hasArrived() async throws -> Bool {
            try await ask("devices").text.lowercased().contains(token.lowercased())
        }
        try await waitFor("the token to reach the server") { try await hasArrived() }
        _ = try await push("default", to: try start.text("credential"))
        #expect(try await phone.line()["event"] == "banner")
    }

    /// The phone shows the server's texts on one line, with spaces instead of control characters.
    @Test func bannerEscapesControlCharacters() async throws {
        let phone = try RunningTool(["phone", "--api", "async", "--apns", file, "--enrol", uri])
        defer { end(phone) }
        #expect(try await phone.text() == "phone: enrolled, waits for pushes")
        #expect(try await phone.text().hasPrefix("    device token "))
        guard case .array(let devices) = try await ask("devices"), let device = devices.first else {
            throw CocoaError(.coderInvalidValue)
        }
        let credential = try device.text("mechanismUid")
        let message = #"a\u001b[31mb\nc\u202ed\u009be"#
        let order = #"{"mechanismUid":"\#(credential)","type":"default","message":"\#(message)"}"#
        try #require(try await ask("pushes", order)["apns"]?["status"] == 200)
        #expect(try await phone.text() == "phone: PushBridge, demo: a [31mb c d e")
        #expect(try await phone.text() == "    [a] Approve   [d] Deny")
    }

    /// A biometric push from a server of version 7.2 has the usual approve button, which opens the app.
    ///
    /// The server gives every push the same category.
    @Test(arguments: ["legacy", "async"])
    func approvingABiometricPushOfAnOlderServerOpensTheApp(_ api: String) async throws {
        let old = try RunningTool(["simulate", "--json", "--apns", file, "--am-version", "7.2"])
        let start = try await old.line()
        let phone = try phone(api, "--enrol", try start.text("uri"))
        defer { end(phone, old) }
        let credential = try await phone.line().text("credential")
        let control = try start.text("control")
        let order = #"{"mechanismUid":"\#(credential)","type":"biometric"}"#
        let id = try await Self.ask("\(control)/pushes", order).text("messageId")
        let banner = try await phone.line()
        #expect(banner["actions"] == .array(["pushbridge.approve", "pushbridge.deny"]))
        try phone.type("a")
        #expect(try await phone.line()["event"] == "opened")
        // This key press approves the push in the app, where the phone can authenticate the user.
        try phone.type("a")
        #expect(try await phone.line() == ["event": "answered", "approved": true])
        #expect(try await Self.ask("\(control)/pushes/\(id)")["state"] == "approved")
    }

    /// Servers before 7.3 do not request a service extension.
    ///
    /// Servers before 7.2 define no buttons.
    @Test(arguments: [("6.5", []), ("7.2", ["pushbridge.approve", "pushbridge.deny"])])
    func phoneShowsAPushOfAnOlderServerUnchanged(_ version: String, _ actions: [String]) async throws {
        let old = try RunningTool(["simulate", "--json", "--apns", file, "--am-version", version])
        let start = try await old.line()
        let phone = try phone("async", "--enrol", try start.text("uri"))
        defer { end(phone, old) }
        let credential = try await phone.line().text("credential")
        let order = #"{"mechanismUid":"\#(credential)","type":"default","message":"Is it you?"}"#
        _ = try await Self.ask("\(try start.text("control"))/pushes", order)
        let banner = try await phone.line()
        #expect(banner["title"] == "")
        #expect(banner["body"] == "Is it you?")
        #expect(banner["actions"] == .array(actions.map(JSONValue.string)))
    }

    /// If the access file has two apps, each with its own push configuration, the named provider sends the push.
    @Test func pushUsesTheNamedProvider() async throws {
        let both = try RunningTool(["apns", "serve", "--json", "--topic", "com.a", "--topic", "com.b"])
        let line = try await both.line()
        guard case .object(var access) = line else { throw CocoaError(.coderInvalidValue) }
        access["topics"] = nil
        var accesses: [JSONValue] = []
        for (name, topic) in [("first", "com.a"), ("second", "com.b")] {
            access["name"] = .string(name)
            access["topic"] = .string(topic)
            accesses.append(.object(access))
        }
        let list = try folder.file("list.json", JSONValue.array(accesses).data).path
        let server = try RunningTool(["simulate", "--json", "--apns", list, "--provider", "second"])
        let start = try await server.line()
        let uri = try start.text("uri")
        let phone = try RunningTool([
            "phone", "--api", "async", "--apns", list, "--topic", "com.b", "--enrol", uri, "--json",
        ])
        defer { end(phone, server, both) }
        let credential = try await phone.line().text("credential")
        let order = #"{"mechanismUid":"\#(credential)","type":"default"}"#
        let control = try start.text("control")
        #expect(try await Self.ask("\(control)/pushes", order)["apns"]?["status"] == 200)
        #expect(try await phone.line()["event"] == "banner")
        let other = try CommandLineTool()("simulate", "--apns", list, "--provider", "third")
        #expect(other.status == 64)
        #expect(other.sentences == ["pushbridge: \(list) has no provider named third."])
        let token = String(repeating: "0a", count: 32)
        let stranger = try CommandLineTool()("apns", "send", token, "--apns", list, "--topic", "com.stranger")
        #expect(stranger.status == 64)
        #expect(stranger.sentences == ["pushbridge: \(list) has no provider for the topic com.stranger."])
    }

    @Test(arguments: ["legacy", "async"])
    func silentPushShowsNothing(_ api: String) async throws {
        let phone = try phone(api, "--enrol", uri)
        defer { end(phone) }
        let token = try await phone.line().text("token")
        for (content, result) in [("\"content-available\":1", "foreign"), ("\"badge\":1", "not woken")] {
            let payload = try folder.file("silent.json", "{\"aps\":{\(content)}}").path
            let type = result == "foreign" ? "background" : "alert"
            let tool = try CommandLineTool()
            let run = try tool(
                "apns",
                "send",
                token,
                "--apns",
                file,
                "--type",
                type,
                "--priority",
                "5",
                "--payload",
                payload
            )
            #expect(run.status == 0)
            #expect(try await phone.line() == ["event": "silent", "result": .string(result)])
        }
    }
}
