public import ArgumentParser
import Foundation
public import PushBridgeAPNs
import PushBridgeCommandLine
public import PushBridgeCore

/// Runs the stand-in until it is interrupted.
struct Serve: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "serve",
        abstract: "Run a stand-in for APNs on this machine, over HTTP/2 with TLS.",
        discussion: """
            Listens on 127.0.0.1 only. Prints its address, keys and certificates; with --json, prints one line, to store \
            in the file for --apns of other commands. Accepts provider tokens of its key, or its client certificate. \
            Every device token of 64 hexadecimal digits is registered. Below the path that it prints as control, \
            POST /control/faults with {"reason","times","seconds","token"} makes the next pushes fail or wait; POST \
            /control/tokens with {"token","state"} makes a token unregistered, expired or known; GET /device/TOKEN \
            delivers the pushes of a token. The path is random, so other users of this machine cannot guess it.
            """
    )

    @Option(help: "The port; 0 selects any free port.")
    var port: UInt16 = 0

    @Option(help: ArgumentHelp("A device token whose app was removed; may be repeated.", valueName: "token"))
    var unregistered: [String] = []

    @Option(help: ArgumentHelp("A device token that has expired; may be repeated.", valueName: "token"))
    var expired: [String] = []

    @Option(
        help: ArgumentHelp(
            "Refuse the next push with this reason, or the next three with REASON:3; may be repeated.",
            valueName: "reason"
        )
    )
    var fault: [APNsFault] = []

    @Option(help: "The service that device tokens are for: sandbox or production.")
    var environment = APNsEnvironment.sandbox

    @Option(help: ArgumentHelp("The app's bundle identifier; may be repeated.", valueName: "identifier"))
    var topic: [String] = []

    @Option(help: ArgumentHelp("The stand-in's certificate, PEM (default: a new one).", valueName: "file"))
    var certificate: String?

    @Option(help: ArgumentHelp("The certificate's private key, PEM.", valueName: "file"))
    var certificateKey: String?

    @Option(
        help: ArgumentHelp(
            "A provider's PEM certificate to accept as if Apple had issued it (default: a new one).",
            valueName: "file"
        )
    )
    var clientCertificate: String?

    @Option(help: ArgumentHelp("The .p8 key of the provider (default: a new one).", valueName: "file"))
    var keyFile: String?

    @Option(help: ArgumentHelp("The id of the provider's key.", valueName: "id"))
    var keyId = "PUSHBRIDGE"

    @Option(help: ArgumentHelp("The id of the provider's team.", valueName: "id"))
    var teamId = "EXAMPLE123"

    @Flag(help: "Count renewals of the provider token per key instead of per connection.")
    var oneTokenPerKey = false

    @OptionGroup var output: OutputOptions

    func validate() throws {
        guard (certificate == nil) == (certificateKey == nil) else {
            throw ValidationError("Use --certificate and --certificate-key together.")
        }
        for token in unregistered + expired where !APNsService.isDeviceToken(token) {
            throw ValidationError("\(token) is not a device token of 64 hexadecimal digits.")
        }
    }

    func run() async throws {
        try await perform {
            StandInFiles.removeWhatKilledOnesLeft()
            let files = StandInFiles()
            defer { files.remove() }
            try await serve(with: files)
        }
    }

    private func serve(with files: StandInFiles) async throws {
        // A signal may arrive as soon as keys have been written, before there is a server that can be stopped. So
        // signals are collected from here on.
        let (signals, received) = AsyncStream.makeStream(of: Void.self)
        let interruptions = Interruption.calls { _ in received.yield() }
        defer { for interruption in interruptions { interruption.cancel() } }
        let (certificate, certificateKey) = try files.certificate(certificate, certificateKey)
        let (key, keyFile) = try files.key(keyFile, keyId: keyId, teamId: teamId)
        let topics = topic.isEmpty ? ["com.example.app"] : topic
        let client = try files.clientCertificate(clientCertificate, for: topics, in: environment)
        let server = try await APNsServer.start(
            service(key, client.0, topics),
            certificate: certificate,
            privateKey: certificateKey,
            port: port
        )
        var access = APNsAccess(
            port: server.port,
            control: server.control,
            certificate: certificate,
            keyFile: keyFile,
            key: key,
            topics: topics
        )
        access.environment = environment
        (access.clientCertificate, access.clientKey) = (client.file, client.keyFile)
        let stopping = Task {
            for await _ in signals { break }
            try await server.stop()
        }
        try show(access)
        await server.waitUntilStopped()
        stopping.cancel()
    }

    private func service(
        _ key: ProviderKey,
        _ certificate: PushCertificate,
        _ topics: [String]
    ) -> APNsService {
        var settings = APNsSettings(key: key, topics: topics)
        settings.certificates = [certificate]
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
            address             https://127.0.0.1:\(access.port ?? 0)
            environment         \(environment.rawValue)
            control             \(access.control ?? "")
            certificate         \(access.certificate ?? "")
            key                 \(access.keyFile ?? "")
            key id              \(access.keyId ?? "")
            team id             \(access.teamId ?? "")
            client certificate  \(access.clientCertificate ?? "")
            client key          \(access.clientKey ?? "(not known to the stand-in)")
            topic               \(([access.topic] + (access.topics ?? [])).joined(separator: ", "))

            """
        )
    }
}

extension APNsEnvironment: @retroactive ExpressibleByArgument {
    /// The names of the environments, for the help and for the error about an invalid name.
    public static var allValueStrings: [String] { [Self.sandbox, .production].map(\.rawValue) }
}

extension APNsFault: ExpressibleByArgument {
    /// The names of the reasons, for the help and for the error about an invalid name.
    package static var allValueStrings: [String] { APNsReason.allCases.map(\.rawValue) }

    /// Parses `Shutdown` or `Shutdown:3`.
    package init?(argument: String) {
        let parts = argument.split(separator: ":", omittingEmptySubsequences: false)
        guard parts.count <= 2, let reason = APNsReason(rawValue: String(parts[0])) else { return nil }
        self.init(reason)
        guard parts.count == 2 else { return }
        guard let times = Int(parts[1]), times > 0 else { return nil }
        self.times = times
    }
}
