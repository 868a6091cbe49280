public import ArgumentParser
import Foundation
import PushBridgeAPNs
public import PushBridgeCore

/// Apple's push service without Apple, and pushes by hand.
struct APNs: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "apns",
        abstract: "Run a stand-in for Apple's push service, or send a push to it or to Apple.",
        subcommands: [APNsServe.self, APNsSend.self]
    )
}

/// Runs the stand-in until it is interrupted.
struct APNsServe: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "serve",
        abstract: "Run a stand-in for APNs on this machine, over HTTP/2 with TLS.",
        discussion: """
            Listens on 127.0.0.1 only. Prints how to reach it; with --json as one line, which other commands take \
            with --apns. Knows every device token of 64 hexadecimal digits. POST /control/faults with \
            {"reason","times","seconds","token"} makes the next pushes fail or wait; POST /control/tokens with \
            {"token","state"} makes a token unregistered, expired or known; GET /device/TOKEN delivers its pushes.
            """
    )

    @Option(help: "The port; 0 takes any free one.")
    var port: UInt16 = 0

    @Option(help: ArgumentHelp("A device token whose app is gone; may be repeated.", valueName: "token"))
    var unregistered: [String] = []

    @Option(help: ArgumentHelp("A device token that is too old; may be repeated.", valueName: "token"))
    var expired: [String] = []

    @Option(
        help: ArgumentHelp(
            "What the next push meets, such as Shutdown, or Shutdown:3 for three; may be repeated.",
            valueName: "reason"
        )
    )
    var fault: [APNsFault] = []

    @Option(help: "The service that device tokens are for: sandbox or production.")
    var environment = PushEnvironment.sandbox

    @Option(help: ArgumentHelp("The app's bundle identifier; may be repeated.", valueName: "identifier"))
    var topic: [String] = []

    @Option(help: ArgumentHelp("The certificate, PEM (default: a new one).", valueName: "file"))
    var certificate: String?

    @Option(help: ArgumentHelp("The certificate's private key, PEM.", valueName: "file"))
    var certificateKey: String?

    @Option(help: ArgumentHelp("The .p8 key of the provider (default: a new one).", valueName: "file"))
    var keyFile: String?

    @Option(help: ArgumentHelp("The id of the provider's key.", valueName: "id"))
    var keyId = "PUSHBRIDGE"

    @Option(help: ArgumentHelp("The id of the provider's team.", valueName: "id"))
    var teamId = "EXAMPLE123"

    @Flag(help: "Count renewals of the provider token for its key, not for each connection.")
    var oneTokenPerKey = false

    @OptionGroup var output: OutputOptions

    func validate() throws {
        guard (certificate == nil) == (certificateKey == nil) else {
            throw ValidationError("--certificate and --certificate-key go together.")
        }
        for token in unregistered + expired where !APNsService.isDeviceToken(token) {
            throw ValidationError("\(token) is no device token of 64 hexadecimal digits.")
        }
    }

    func run() async throws {
        try await perform(storeRole: .input) {
            let files = APNsFiles()
            defer { files.remove() }
            try await serve(with: files)
        }
    }

    private func serve(with files: APNsFiles) async throws {
        // A signal may come as soon as keys are written, and before there is a server to stop.
        let (signals, received) = AsyncStream.makeStream(of: Void.self)
        let interruptions = Interruption.calls { _ in received.yield() }
        defer { for interruption in interruptions { interruption.cancel() } }
        let (certificate, certificateKey) = try files.certificate(certificate, certificateKey)
        let (key, keyFile) = try files.key(keyFile, keyId: keyId, teamId: teamId)
        let topics = topic.isEmpty ? ["com.example.app"] : topic
        let server = try await APNsServer.start(
            service(key, topics),
            certificate: certificate,
            privateKey: certificateKey,
            port: port
        )
        let access = APNsAccess(
            port: server.port,
            certificate: certificate,
            keyFile: keyFile,
            key: key,
            topics: topics
        )
        let stopping = Task {
            for await _ in signals { break }
            try await server.stop()
        }
        try show(access)
        try await server.waitUntilStopped()
        stopping.cancel()
    }

    private func service(_ key: ProviderKey, _ topics: [String]) -> APNsService {
        var settings = APNsSettings(key: key, topics: topics)
        settings.environment = environment
        settings.countsRenewalsByKey = oneTokenPerKey
        var service = APNsService(settings)
        service.faults = fault
        let now = Date()
        for token in unregistered { service.tokens[token.lowercased()] = .unregistered(since: now) }
        for token in expired { service.tokens[token.lowercased()] = .expired(since: now) }
        return service
    }

    private func show(_ access: APNsAccess) throws {
        guard !output.json else { return try Terminal.write("\(access.line())\n") }
        try Terminal.write(
            """
            address      https://127.0.0.1:\(access.port ?? 0)
            certificate  \(access.certificate ?? "")
            key          \(access.keyFile)
            key id       \(access.keyId)
            team id      \(access.teamId)
            topic        \(access.topic)

            """
        )
    }
}

/// The stand-in's certificate and keys: those of its user, or new ones in a folder of their own.
private struct APNsFiles {
    private let folder = FileManager.default.temporaryDirectory
        .appendingPathComponent("pushbridge-apns-\(UUID().uuidString)")

    func certificate(_ certificate: String?, _ key: String?) throws -> (file: String, keyFile: String) {
        if let certificate, let key { return (certificate, key) }
        let new = try APNsCertificate()
        return (try write(new.pem, "certificate.pem"), try write(new.keyPEM, "certificate-key.pem"))
    }

    func key(_ file: String?, keyId: String, teamId: String) throws -> (ProviderKey, file: String) {
        if let file { return (try ProviderKey(file: file, keyId: keyId, teamId: teamId), file) }
        let new = ProviderKey(keyId: keyId, teamId: teamId)
        return (new, try write(new.pem, "AuthKey_\(keyId).p8"))
    }

    /// Removes what was written, or says that it is still there.
    func remove() {
        guard FileManager.default.fileExists(atPath: folder.path) else { return }
        do {
            try FileManager.default.removeItem(at: folder)
        } catch {
            Terminal.diagnose("\(folder.path.visible) was not removed, and holds keys.\n")
        }
    }

    /// Writes what only the user may read.
    private func write(_ text: String, _ name: String) throws -> String {
        let place = folder.appendingPathComponent(name).path
        let own: [FileAttributeKey: Any] = [.posixPermissions: 0o700]
        let files = FileManager.default
        try files.createDirectory(at: folder, withIntermediateDirectories: true, attributes: own)
        let attributes: [FileAttributeKey: Any] = [.posixPermissions: 0o600]
        guard files.createFile(atPath: place, contents: Data(text.utf8), attributes: attributes) else {
            throw CommandFailure(status: .unwritableOutput, sentence: "\(place) cannot be written.")
        }
        return place
    }
}

extension PushEnvironment: @retroactive ExpressibleByArgument {}

extension APNsFault: ExpressibleByArgument {
    /// Reads `Shutdown`, or `Shutdown:3`.
    init?(argument: String) {
        let parts = argument.split(separator: ":", omittingEmptySubsequences: false)
        guard parts.count <= 2, let reason = APNsReason(rawValue: String(parts[0])) else { return nil }
        self.init(reason)
        guard parts.count == 2 else { return }
        guard let times = Int(parts[1]), times > 0 else { return nil }
        self.times = times
    }
}

/// The option of commands that send or receive pushes.
struct APNsOptions: ParsableArguments {
    @Option(
        help: ArgumentHelp(
            "How to reach APNs: a file with the line of JSON that apns serve prints, or a list of such objects.",
            valueName: "file"
        )
    )
    var apns: String
}

/// Which of several push configurations is used.
struct ProviderOptions: ParsableArguments {
    @Option(help: "The name of a provider in the file (default: the one of the topic, or the first).")
    var provider: String?

    @Option(
        help: ArgumentHelp(
            "The topic as it is sent; it also chooses the provider (default: the provider's).",
            valueName: "identifier"
        )
    )
    var topic: String?

    /// The access that a file has for it.
    func access(in file: String) throws -> APNsAccess {
        guard let access = try APNsAccess.read(file).access(named: provider, topic: topic) else {
            let wanted = provider.map { "named \($0)" } ?? "for the topic \(topic ?? "")"
            throw CommandFailure(status: .usage, sentence: "\(file) has no provider \(wanted).")
        }
        return access
    }
}

/// Sends one push.
struct APNsSend: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "send",
        abstract: "Send one push by way of APNs or its stand-in, and say what came back.",
        discussion: """
            Waits and tries again after 429, 500 and 503, and says what else to do. Its provider token is used by \
            later runs as well, for 55 minutes, from a file in the user's cache folder that nobody else may read. For \
            Apple's own hosts the file names "host" (api.push.apple.com or api.sandbox.push.apple.com) beside keyFile, \
            keyId, teamId and topic, and no certificate. This was tried with the stand-in only: Apple's hosts need a \
            key of a team. Exit status: 0 delivered; 1 refused; 66 not trusted; 75 not reached.
            """
    )

    @OptionGroup var apns: APNsOptions

    @Argument(help: "The device token.")
    var token: String

    @Option(help: ArgumentHelp("The file with the payload, JSON (default: an alert).", valueName: "file"))
    var payload: String?

    @OptionGroup var provider: ProviderOptions

    @Option(help: "The push type.")
    var type = "alert"

    @Option(help: "The priority: 10, 5 or 1.")
    var priority: String?

    @Option(help: "When APNs gives up, in seconds since 1970; 0 tries once.")
    var expiration: String?

    @Option(help: "The id of pushes that replace each other.")
    var collapseId: String?

    @Option(help: "The id of this push, a UUID.")
    var id: String?

    @OptionGroup var output: OutputOptions

    func run() async throws {
        try await perform(storeRole: .input) {
            let chosen = try provider.access(in: apns.apns).provider()
            let standard = APNsService.topic(ofType: type, bundle: chosen.topic)
            var push = APNsPush(to: token, topic: provider.topic ?? standard, payload: try body())
            push.type = type
            push.priority = priority
            push.expiration = expiration
            push.collapseId = collapseId
            push.id = id
            let outcome = try await chosen.send(push)
            try Terminal.write(output.json ? outcome.json.line : "\(outcome.words.visible)\n")
            if !chosen.keepsToken {
                let words = "The provider token is not kept; the next run signs another, too soon for APNs."
                Terminal.diagnose("\(words)\n")
            }
            if outcome.answer.status != 200 { try ExitStatus.needsAttention.exit() }
        }
    }

    private func body() throws -> Data {
        guard let payload else { return Data(#"{"aps":{"alert":"PushBridge"}}"#.utf8) }
        return try Data(named: payload)
    }
}

extension APNsOutcome {
    /// The outcome for machines.
    var json: JSONValue {
        [
            "status": .integer(answer.status), "apnsId": .string(answer.id),
            "reason": .optional(answer.reasonText),
            "timestamp": answer.timestamp.map(JSONValue.integer) ?? .null,
            "advice": .optional(answer.advice?.rawValue), "attempts": .integer(attempts),
        ]
    }
}
