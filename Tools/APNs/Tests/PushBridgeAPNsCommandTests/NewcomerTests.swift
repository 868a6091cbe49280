import Foundation
import PushBridgeAPNs
import PushBridgeCommandLineTestSupport
import PushBridgeCore
import PushBridgeTestSupport
import Testing

/// A user who follows only the guide sends pushes, first with a key and then with a certificate.
///
/// If the user makes a mistake, the command explains the mistake.
@Suite struct NewcomerTests {
    private let pushbridge: CommandLineTool
    private let standIn: RunningTool
    private let file: String
    private let access: APNsAccess

    init() async throws {
        pushbridge = try CommandLineTool()
        standIn = try RunningTool([
            "apns", "serve", "--json", "--topic", "com.example.app", "--topic", "com.example.other",
            "--unregistered", Self.gone,
        ])
        file = try pushbridge.file("apns.json", try await standIn.line().data)
        access = try #require(try APNsAccess.read(file).first)
    }

    private static let token = String(repeating: "0a", count: 32)
    private static let gone = String(repeating: "0b", count: 32)

    /// Runs the four commands of the guide's chapter "Pushes by hand", each in a separate process.
    @Test func linesOfTheGuideSendAPushToThePhone() async throws {
        defer { standIn.end() }
        let guide = URL(fileURLWithPath: #filePath)
            .deletingLastPathComponent().appendingPathComponent("../../../../docs/simulator.md").standardized
        let text = try String(contentsOf: guide, encoding: .utf8)
        let chapter = try #require(
            text.components(separatedBy: "\n## ").first { $0.hasPrefix("Pushes by hand\n") }
        )
        let lines = chapter.split(separator: "\n").filter { $0.hasPrefix("$ pushbridge ") }
        #expect(lines.count == 4)
        #expect(lines[0] == "$ pushbridge apns serve --json > apns.json")
        func command(_ line: Substring, _ values: [String: String] = [:]) -> [String] {
            let own = values.merging(["apns.json": file]) { own, _ in own }
            return line.dropFirst("$ pushbridge ".count).split(separator: " ").map {
                own[String($0)] ?? String($0)
            }
        }
        let phone = try RunningTool(command(lines[1]))
        defer { phone.end() }
        #expect(chapter.contains("\n\(try await phone.text())\n"))
        let token = try await phone.text().replacingOccurrences(of: "    device token ", with: "")
        let values = [
            "TOKEN": token, "CERTIFICATE": try #require(access.clientCertificate),
            "KEY": try #require(access.clientKey),
        ]
        for line in lines[2...] {
            let sent = try pushbridge.run(command(line, values))
            #expect(sent.status == 0)
            #expect(chapter.contains("\n\(sent.output)"))
            let shown = try await phone.text()
            #expect(shown == "phone: a push from another sender, ignored: Hello: World")
            #expect(chapter.contains("`\(shown.dropFirst("phone: ".count))`"))
        }
    }

    /// The mistakes that a new user makes.
    enum Mistake: String, CaseIterable {
        case tokenCutShort, tokenOfTheOtherEnvironment, tokenOfAnotherApp, topicOfAnotherTeam,
            callToTheAppsTopic
        case anotherKeyFile, anotherKeyId, alertSentAsSilent, silentPushWithTen, largePayload,
            payloadThatIsNoJSON
        case appThatWasRemoved, certificateOfAnother, certificateOfTheOtherEnvironment,
            certificateForAnotherTopic
        case certificateInP12, privateKeyOfAnother, neitherKeyNorCertificate, serverThatIsNotTrusted
        case standInThatHasEnded, standInThatWasKilled, certificateOfAStandInThatHasEnded

        /// The exit status and the texts that the output must contain.
        var expected: (status: Int32, words: [String]) {
            switch self {
            case .tokenCutShort: (1, ["400 BadDeviceToken", "or is not a device token", "complete token"])
            case .tokenOfTheOtherEnvironment:
                (1, ["400 BadDeviceToken", "the other environment", "sandbox, topic com.example.app"])
            case .tokenOfAnotherApp:
                (1, ["400 DeviceTokenNotForTopic", "belongs to a different app from the one in apns-topic"])
            case .topicOfAnotherTeam: (1, ["400 TopicDisallowed", "bundle identifier is mistyped"])
            case .callToTheAppsTopic: (1, ["400 BadTopic", "a call ends with .voip"])
            case .anotherKeyFile, .anotherKeyId:
                (1, ["403 InvalidProviderToken", "the key id and the team id do not match"])
            case .alertSentAsSilent: (1, ["400 InvalidPushType", "content-available, and no alert"])
            case .silentPushWithTen: (1, ["400 BadPriority", "it is 10 and the push is silent"])
            case .largePayload: (1, ["413 PayloadTooLarge", "more than 4,096 bytes"])
            case .payloadThatIsNoJSON: (1, ["400 PayloadEmpty", "is not a JSON object"])
            case .appThatWasRemoved:
                (1, ["410 Unregistered", "The app was removed from the device", "    since  20"])
            case .certificateOfAnother: (1, ["403 BadCertificate:", "Apple did not issue the client"])
            case .certificateOfTheOtherEnvironment:
                (
                    1,
                    [
                        "403 BadCertificateEnvironment", "certificate is for the other environment",
                        "production",
                    ]
                )
            case .certificateForAnotherTopic:
                (1, ["400 TopicDisallowed", "key or certificate is not allowed to send"])
            case .certificateInP12: (66, ["openssl pkcs12 -in FILE.p12 -nodes -out push.pem"])
            case .privateKeyOfAnother:
                (66, ["The private key in ", "does not belong to the certificate in "])
            case .neitherKeyNorCertificate: (66, ["\"keyFile\" or \"clientCertificate\" is missing"])
            case .serverThatIsNotTrusted: (66, ["is not the one in"])
            case .standInThatHasEnded, .standInThatWasKilled, .certificateOfAStandInThatHasEnded:
                (75, ["has ended; start another with"])
            }
        }
    }

    @Test(arguments: Mistake.allCases)
    func mistakeIsReportedWithItsCause(_ mistake: Mistake) async throws {
        let made = try await make(mistake)
        defer { for tool in made.tools + [standIn] { tool.end() } }
        let run = try pushbridge.run(["apns", "send"] + made.arguments)
        let screen = run.output + run.diagnostics
        #expect(run.status == mistake.expected.status, "\(screen)")
        for words in mistake.expected.words { #expect(screen.contains(words), "\(screen)") }
        if run.status == 1 {
            for part in ["\n    cause  ", "\n    fault  ", "\n    do     "] { #expect(screen.contains(part)) }
        } else {
            #expect(run.sentences.count == 1)
        }
    }

    /// Writes a changed copy of the stand-in's access file, and returns the copy's path.
    private func changed(_ change: (inout APNsAccess) throws -> Void) throws -> String {
        var other = access
        try change(&other)
        return try pushbridge.file("changed.json", Data(try other.line().utf8))
    }

    /// Writes a certificate and key that the stand-in does not accept, and returns the paths of both files.
    private func stranger() throws -> [String] {
        let made = try PushCertificate.make(bundles: ["com.example.app"], environments: [.sandbox])
        return [
            try pushbridge.file("stranger.pem", Data(made.pem.utf8)),
            try pushbridge.file("stranger-key.pem", Data(made.keyPEM.utf8)),
        ]
    }

    private func make(_ mistake: Mistake) async throws -> (arguments: [String], tools: [RunningTool]) {
        let plain = [Self.token, "--apns", file]
        let own = ["--certificate", access.clientCertificate ?? "", "--private-key", access.clientKey ?? ""]
        func with(_ more: String...) -> ([String], [RunningTool]) { (plain + more, []) }
        func phone(_ more: String...) async throws -> ([String], [RunningTool]) {
            let phone = try RunningTool(["phone", "--api", "async", "--apns", file, "--json"] + more)
            return ([try await phone.line().text("token"), "--apns", file], [phone])
        }
        switch mistake {
        case .tokenCutShort: return (["0a0b", "--apns", file], [])
        case .tokenOfTheOtherEnvironment: return try await phone("--environment", "production")
        case .tokenOfAnotherApp: return try await phone("--topic", "com.example.other")
        case .topicOfAnotherTeam: return with("--topic", "com.exmaple.app")
        case .callToTheAppsTopic: return with("--type", "voip", "--topic", "com.example.app")
        case .anotherKeyFile:
            let key = ProviderKey(keyId: "", teamId: "").pem
            let other = try pushbridge.file("other.p8", Data(key.utf8))
            return ([Self.token, "--apns", try changed { $0.keyFile = other }], [])
        case .anotherKeyId: return ([Self.token, "--apns", try changed { $0.keyId = "ABC1234567" }], [])
        case .alertSentAsSilent: return with("--type", "background", "--body", "Hello")
        case .silentPushWithTen: return with("--content-available", "--priority", "10")
        case .largePayload: return with("--body", String(repeating: "x", count: 4096))
        case .payloadThatIsNoJSON:
            return with("--payload", try pushbridge.file("payload.json", Data("aps: hello".utf8)))
        case .appThatWasRemoved: return ([Self.gone, "--apns", file], [])
        case .certificateOfAnother:
            let files = try stranger()
            return with("--certificate", files[0], "--private-key", files[1])
        case .certificateOfTheOtherEnvironment:
            let other = try RunningTool([
                "apns", "serve", "--json", "--environment", "production", "--client-certificate", own[1],
            ])
            let production = try pushbridge.file("production.json", try await other.line().data)
            return ([Self.token, "--apns", production] + own, [other])
        case .certificateForAnotherTopic: return (plain + own + ["--topic", "com.example.third"], [])
        case .certificateInP12:
            let der = try pushbridge.file("push.p12", Data([0x30, 0x82, 0x01, 0x00]))
            return with("--certificate", der)
        case .privateKeyOfAnother:
            return with("--certificate", own[1], "--private-key", try stranger()[1])
        case .neitherKeyNorCertificate:
            return (
                [Self.token, "--apns", try changed { ($0.keyFile, $0.clientCertificate) = (nil, nil) }], []
            )
        case .serverThatIsNotTrusted:
            let other = try pushbridge.file("server.pem", Data(try APNsCertificate().pem.utf8))
            return ([Self.token, "--apns", try changed { $0.certificate = other }], [])
        case .standInThatHasEnded, .standInThatWasKilled:
            standIn.end(by: mistake == .standInThatHasEnded ? SIGTERM : SIGKILL)
            _ = try standIn.status()
            return with()
        case .certificateOfAStandInThatHasEnded:
            standIn.end()
            _ = try standIn.status()
            return (plain + own, [])
        }
    }

    /// The program curl, an independent client, also connects with the certificate.
    @Test func curlSendsAPushWithTheCertificate() throws {
        defer { standIn.end() }
        func curl(_ more: String...) throws -> String {
            let (process, output) = (Process(), Pipe())
            process.executableURL = URL(fileURLWithPath: "/usr/bin/env")
            process.arguments =
                [
                    "curl", "--silent", "--max-time", "120", "--http2", "--cacert",
                    try #require(access.certificate),
                    "--write-out", "\n%{http_code}", "-d", #"{"aps":{"alert":"x"}}"#, "-H",
                    "apns-topic: com.example.app",
                    "https://localhost:\(try #require(access.port))/3/device/\(Self.token)",
                ] + more
            process.standardOutput = output
            try process.run()
            let text = String(decoding: output.fileHandleForReading.readDataToEndOfFile(), as: UTF8.self)
            try process.waitForEnd("curl to end")
            return text
        }
        let (certificate, key) = (try #require(access.clientCertificate), try #require(access.clientKey))
        #expect(try curl("--cert", certificate, "--key", key) == "\n200")
        #expect(try curl() == "{\"reason\":\"MissingProviderToken\"}\n403")
        let files = try stranger()
        #expect(try curl("--cert", files[0], "--key", files[1]) == "{\"reason\":\"BadCertificate\"}\n403")
    }
}
