import Foundation
import PushBridgeAPNs
import PushBridgeCommandLineTestSupport
import PushBridgeCore
import PushBridgeTestSupport
import Testing

/// The stand-in for APNs, run as a command; its clients are other programs, such as curl.
@Suite struct APNsCommandTests {
    private static let token = String(repeating: "0a", count: 32)
    private static let gone = String(repeating: "0b", count: 32)
    private static let accepted =
        "200, accepted by APNs, which does not report whether the push is delivered\n"
    private let pushbridge: CommandLineTool
    private let folder: TemporaryFolder

    init() throws {
        pushbridge = try CommandLineTool()
        folder = try TemporaryFolder()
    }

    /// Starts a stand-in, and stores the line that it prints in a file.
    private func serve(_ arguments: String...) async throws -> (RunningTool, APNsAccess, file: String) {
        let tool = try RunningTool(["apns", "serve", "--json"] + arguments)
        let line = try await tool.line()
        let file = try folder.file("apns.json", line.data)
        return (tool, try #require(try APNsAccess.read(file.path).first), file.path)
    }

    /// Sends a request with curl, and returns the body, the status and the HTTP version.
    private func curl(_ access: APNsAccess, _ path: String, _ arguments: String...) throws -> String {
        let port = try #require(access.port)
        let process = Process()
        let output = Pipe()
        process.executableURL = URL(fileURLWithPath: "/usr/bin/env")
        process.arguments =
            [
                "curl", "--silent", "--show-error", "--max-time", "120", "--http2", "--cacert",
                try #require(access.certificate),
                "--write-out", "\n%{http_code} %{http_version}",
            ] + arguments + ["https://localhost:\(port)\(path)"]
        process.standardOutput = output
        try process.run()
        let text = String(decoding: output.fileHandleForReading.readDataToEndOfFile(), as: UTF8.self)
        try process.waitForEnd("curl to end")
        return text
    }

    #if os(Linux)
    /// A server without free file descriptors does not constantly try to accept connections.
    @Test func serverWithoutFileDescriptorsStaysIdle() async throws {
        let tool = try RunningTool(["apns", "serve", "--json"], limits: "ulimit -n 60")
        defer { tool.end() }
        let file = try folder.file("apns.json", try await tool.line().data)
        let access = try #require(try APNsAccess.read(file.path).first)
        let connections = LoopbackConnections(count: 100, port: try #require(access.port))
        defer { connections.close() }
        let start = try tool.processorTime()
        // An idle server does nothing, so there is no event that the test could wait for. The test therefore
        // measures an interval. A server that retried continuously would use almost 2 s of processor time.
        try await Task.sleep(for: .seconds(2))
        #expect(try tool.processorTime() - start < 1)
    }
    #endif

    @Test func curlReceivesApplesAnswers() async throws {
        let (tool, access, _) = try await serve("--unregistered", Self.gone)
        defer { tool.end() }
        let key = try ProviderKey(
            file: try #require(access.keyFile),
            keyId: try #require(access.keyId),
            teamId: try #require(access.teamId)
        )
        let bearer = "authorization: bearer \(try key.token(issuedAt: Date()))"
        let (topic, body) = ("apns-topic: \(access.topic)", #"{"aps":{"alert":"x"}}"#)
        func push(_ token: String, _ more: String...) throws -> String {
            try curl(access, "/3/device/\(token)", "-H", bearer, "-H", topic, "-d", more.first ?? body)
        }
        #expect(try push(Self.token) == "\n200 2")
        #expect(try push("0a0b") == "{\"reason\":\"BadDeviceToken\"}\n400 2")
        let gone = try push(Self.gone)
        #expect(gone.hasPrefix("{\"reason\":\"Unregistered\",\"timestamp\":1"))
        #expect(gone.hasSuffix("}\n410 2"))
        let large = "{\"aps\":{\"alert\":\"\(String(repeating: "x", count: 4096))\"}}"
        #expect(try push(Self.token, large) == "{\"reason\":\"PayloadTooLarge\"}\n413 2")
        let bare = try curl(access, "/3/device/\(Self.token)", "-H", topic, "-d", body)
        #expect(bare == "{\"reason\":\"MissingProviderToken\"}\n403 2")
        #expect(try curl(access, "/3/other", "-d", body) == "{\"reason\":\"BadPath\"}\n404 2")
        let method = try curl(access, "/3/device/\(Self.token)")
        #expect(method == "{\"reason\":\"MethodNotAllowed\"}\n405 2")
    }

    @Test func controlRequestsInjectFaults() async throws {
        let (tool, access, file) = try await serve("--fault", "Shutdown:2")
        defer { tool.end() }
        let first = try pushbridge("apns", "send", Self.token, "--apns", file, "--json").json(Sent.self)
        #expect(first == Sent(status: 200, reason: nil, attempts: 3))
        for wrong in [#"{"reason":"Nonsense"}"#, #"{"times":-5}"#, #"{"reason":"Shutdown","times":0}"#] {
            #expect(try curl(access, "\(access.control ?? "")/control/faults", "-d", wrong) == "\n400 2")
        }
        // Other programs on the machine do not know the secret path, so they cannot use the control endpoint.
        for path in ["/control/faults", "/0/control/faults"] {
            #expect(try !curl(access, path, "-d", #"{"reason":"Forbidden"}"#).hasSuffix("200 2"))
        }
        #expect(try !curl(access, "/device/\(Self.token)").hasSuffix("200 2"))
        #expect(
            try curl(access, "\(access.control ?? "")/control/faults", "-d", #"{"reason":"Forbidden"}"#)
                == "\n200 2"
        )
        let second = try pushbridge("apns", "send", Self.token, "--apns", file)
        #expect(second.status == 1)
        #expect(second.output.hasPrefix("403 Forbidden: correct the set-up\n    cause  "))
        for wrong in [#"{"state":"expired"}"#, #"{"token":"0a0b","state":"expired"}"#] {
            #expect(try curl(access, "\(access.control ?? "")/control/tokens", "-d", wrong) == "\n400 2")
        }
        #expect(
            try curl(
                access,
                "\(access.control ?? "")/control/faults",
                "-d",
                #"{"reason":"Shutdown","token":"x"}"#
            ) == "\n400 2"
        )
        let order = #"{"token":"\#(Self.token)","state":"unregistered"}"#
        #expect(try curl(access, "\(access.control ?? "")/control/tokens", "-d", order) == "\n200 2")
        let third = try pushbridge("apns", "send", Self.token, "--apns", file, "--json").json(Sent.self)
        #expect(third == Sent(status: 410, reason: "Unregistered", attempts: 1))
    }

    @Test(arguments: ["--unregistered", "--expired"])
    func invalidDeviceTokenIsAUsageError(_ option: String) throws {
        let run = try pushbridge("apns", "serve", option, String(repeating: "xy", count: 32))
        #expect(run.status == 64)
        #expect(run.diagnostics.contains("not a device token"))
    }

    @Test(arguments: [
        ["--port", "70000"], ["--port", "-1"], ["--fault", "Shutdown:0"], ["--fault", "Shutdown:-1"],
        ["--fault", "Shutdown:"], ["--fault", "Shutdown:1:1"], ["--fault", ""],
    ])
    func invalidPortOrFaultIsAUsageError(_ arguments: [String]) throws {
        #expect(try pushbridge.run(["apns", "serve"] + arguments).status == 64)
    }

    /// A later run, which is a separate process, reuses the stored provider token.
    @Test func laterRunsReuseTheProviderToken() async throws {
        let (tool, _, file) = try await serve("--one-token-per-key")
        defer { tool.end() }
        for _ in 0..<2 {
            let run = try pushbridge("apns", "send", Self.token, "--apns", file, "--json").json(Sent.self)
            #expect(run == Sent(status: 200, reason: nil, attempts: 1))
            // If a token were signed in a different second, it would be a different token.
            let second = Int(Date().timeIntervalSince1970)
            try await waitFor("the next second") { Int(Date().timeIntervalSince1970) > second }
        }
        // Without the cache, the run signs a new token, which APNs refuses. The command does not retry, because APNs
        // would refuse this token for 20 minutes.
        let arguments = ["apns", "send", Self.token, "--apns", file]
        let cache = ["XDG_CACHE_HOME": folder.path("other")]
        let run = try pushbridge.run(arguments, environment: cache)
        #expect(run.status == 1)
        let words = "429 TooManyProviderTokenUpdates: do not renew the provider token for 20 minutes\n"
        #expect(run.output.hasPrefix(words))
        #expect(run.diagnostics == "")
        // The cache path is the path of a file, so no token can be stored.
        let none = try pushbridge.run(arguments, environment: ["XDG_CACHE_HOME": file])
        #expect(none.output == run.output)
        #expect(none.diagnostics.hasPrefix("The provider token could not be stored"))
    }

    @Test func failedStartLeavesNoKeys() async throws {
        let (tool, access, _) = try await serve()
        defer { tool.end() }
        let port = String(try #require(access.port))
        let noKey = try folder.file("no.p8", "no key").path
        for (arguments, status) in [(["--port", port], 75), (["--key-file", noKey], 66)] {
            let place = try TemporaryFolder()
            let environment = ["TMPDIR": place.url.path]
            let run = try pushbridge.run(["apns", "serve"] + arguments, environment: environment)
            #expect(run.status == Int32(status))
            #expect(run.sentences.count == 1)
            #expect(try place.contents().isEmpty)
        }
    }

    @Test(arguments: [
        ["0a 0b"], ["0a\n0b"], [token, "--topic", "com example"], [token, "--collapse-id", "a\u{1B}b"],
        [token, "--id", "\u{7}"],
    ])
    func unprintableArgumentsAreAUsageError(_ arguments: [String]) async throws {
        let (tool, _, file) = try await serve()
        defer { tool.end() }
        let run = try pushbridge.run(["apns", "send", "--apns", file] + arguments)
        #expect(run.status == 64)
        #expect(run.sentences.count == 1)
        #expect(run.diagnostics.contains("contains a space, or a character that is not printable"))
    }

    @Test func aVoIPPushRequiresTheVoIPTopic() async throws {
        let (tool, _, file) = try await serve()
        defer { tool.end() }
        let call = try pushbridge("apns", "send", Self.token, "--apns", file, "--type", "voip")
        #expect(call.output == Self.accepted)
        let login = try pushbridge(
            "apns",
            "send",
            Self.token,
            "--apns",
            file,
            "--type",
            "voip",
            "--topic",
            "com.example.app"
        )
        #expect(login.output.hasPrefix("400 BadTopic: correct the set-up\n"))
    }

    @Test func standInUsesTheGivenKeyAndTopic() async throws {
        let key = ProviderKey(keyId: "OWNKEY1234", teamId: "OWNTEAM123")
        let certificate = try APNsCertificate()
        let keyFile = try folder.file("own.p8", key.pem).path
        let (tool, access, file) = try await serve(
            "--key-file",
            keyFile,
            "--key-id",
            "OWNKEY1234",
            "--team-id",
            "OWNTEAM123",
            "--topic",
            "com.example.own",
            "--certificate",
            try folder.file("own.pem", certificate.pem).path,
            "--certificate-key",
            try folder.file("own-key.pem", certificate.keyPEM).path
        )
        defer { tool.end() }
        #expect(access.keyFile == keyFile)
        #expect(access.keyId == "OWNKEY1234")
        #expect(access.teamId == "OWNTEAM123")
        #expect(access.topic == "com.example.own")
        #expect(try pushbridge("apns", "send", Self.token, "--apns", file).output == Self.accepted)
    }

    @Test func unreachableOrUntrustedServiceEndsTheCommand() async throws {
        let (tool, access, file) = try await serve()
        defer { tool.end() }
        var other = access
        other.certificate = try folder.file("other.pem", try APNsCertificate().pem).path
        let stranger = try folder.file("stranger.json", try other.line()).path
        let run = try pushbridge("apns", "send", Self.token, "--apns", stranger)
        #expect(run.status == 66)
        #expect(run.sentences.count == 1)
        let host = "127.0.0.1:\(try #require(access.port))"
        let certificate = try #require(other.certificate)
        #expect(
            run.sentences == ["pushbridge: The certificate of \(host) is not the one in \(certificate)."]
        )
        other.certificate = nil
        let bare = try folder.file("bare.json", try other.line()).path
        let unnamed = try pushbridge("apns", "send", Self.token, "--apns", bare)
        #expect(unnamed.status == 66)
        #expect(unnamed.diagnostics.contains(#"add "certificate", the path of its PEM file"#))
        let empty = try folder.file("empty.json", "[]").path
        let none = try pushbridge("apns", "send", Self.token, "--apns", empty)
        #expect(none.status == 66)
        #expect(none.sentences == ["pushbridge: \(empty) contains no provider."])
        #expect(try pushbridge("apns", "send", Self.token, "--apns", folder.path("none")).status == 66)
        #expect(try pushbridge("apns", "send", Self.token, "--apns", file, "--provider", "x").status == 64)
        let taken = try pushbridge("apns", "serve", "--port", String(try #require(access.port)))
        #expect(taken.status == 75)
        tool.end()
        _ = try tool.status()
        let ended = try pushbridge("apns", "send", Self.token, "--apns", file)
        #expect(ended.status == 75)
        let advice = "start another with: pushbridge apns serve --json > \(file)"
        #expect(ended.sentences == ["pushbridge: The stand-in that wrote \(file) has ended; \(advice)"])
        #expect(!FileManager.default.fileExists(atPath: try #require(access.keyFile)))
    }

    @Test(arguments: [
        ("", "is empty; apns serve --json has not written it yet."),
        (" \n", "is empty; apns serve --json has not written it yet."),
        ("port 8443", "does not describe how to reach APNs: it is not the output of apns serve --json."),
        ("5", "does not describe how to reach APNs: it is not the output of apns serve --json."),
        (#"{"port":"x"}"#, #"does not describe how to reach APNs: "port" is missing or invalid."#),
        (
            #"[{"port":70000}]"#,
            "does not describe how to reach APNs: it is not the output of apns serve --json."
        ),
        (#"[{"port":true}]"#, #"does not describe how to reach APNs: "port" is missing or invalid."#),
        (#"{"port":8443}"#, #"does not describe how to reach APNs: "topic" is missing or invalid."#),
        (
            #"{"topic":"com.a"}"#,
            #"does not describe how to send to APNs: "keyFile" or "clientCertificate" is missing."#
        ),
        (
            #"{"topic":"com.a","keyFile":"/dev/null","keyId":"A"}"#,
            #"does not describe how to send to APNs: "keyFile" needs "teamId" beside it."#
        ),
    ])
    func invalidAccessFileIsExplained(_ contents: String, _ words: String) throws {
        let file = try folder.file("access.json", contents).path
        let run = try pushbridge("apns", "send", Self.token, "--apns", file)
        #expect(run.status == 66)
        #expect(run.sentences == ["pushbridge: \(file) \(words)"])
    }

    @Test func missingFilesAndFoldersAreReported() throws {
        let (missing, place) = (folder.path("missing"), folder.url.path)
        for (file, words) in [
            (missing, "There is no file \(missing)."), (place, "\(place) is a folder."),
        ] {
            let run = try pushbridge("apns", "send", Self.token, "--apns", file)
            #expect(run.status == 66)
            #expect(run.sentences == ["pushbridge: \(words)"])
        }
    }

    /// A signal right after the first line of output ends the stand-in, which first removes its keys.
    ///
    /// The system sends SIGHUP when the terminal closes.
    @Test(arguments: [SIGTERM, SIGHUP, SIGTERM, SIGHUP])
    func endBySignalLeavesNoKeys(_ number: Int32) async throws {
        // A command ignores the signals that its parent ignores. So this process does not ignore the signal while the
        // command starts.
        let before = signal(number, SIG_DFL)
        let (tool, access, _) = try await serve()
        signal(number, before)
        defer { tool.end() }
        tool.end(by: number)
        let keyFile = try #require(access.keyFile)
        let folder = URL(fileURLWithPath: keyFile).deletingLastPathComponent().path
        try await waitFor("the keys to be removed") { !FileManager.default.fileExists(atPath: folder) }
    }

    private struct Sent: Decodable, Equatable {
        let status: Int
        let reason: String?
        let attempts: Int
    }
}
