import ArgumentParser
import Foundation
import PingAMSimulator
import PingAMSimulatorServer
import PushBridgeCommandLine
import PushBridgeCore
import PushBridgeMigrating

/// The command `simulate`, which runs a simulated push service until it is interrupted.
struct Simulate: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        abstract: MovedCommand.simulate.abstract,
        discussion: """
            Listens on 127.0.0.1 only, unless --listen names an address that phones reach. Prints a registration URI, \
            which is valid for a minute and contains the secret of a sample account. A terminal also shows it as a QR \
            code. A POST to the control address with /registrations creates another URI. The last part of the control \
            address is the access token; without the token, only what PingAM offers can be requested. See \
            docs/simulator.md.
            """
    )

    @Option(help: "The port on 127.0.0.1, up to 65535; 0 selects any free port.")
    var port: UInt16 = 0

    @OptionGroup var listening: ListenOptions

    @Option(help: "The issuer of the sample account.")
    var issuer = "PushBridge"

    @Option(help: "The name of the sample account.")
    var account = "demo"

    @Option(help: "The realm of the sample account; this realm gets a push service.")
    var realm = "/"

    @Option(help: ArgumentHelp("The version of the server: \(serverVersionNames).", valueName: "version"))
    var amVersion = ServerVersion.v8_0_2.rawValue

    @Option(help: "The component that creates codes and pushes: node or module.")
    var sender = PushSender.node.rawValue

    @Flag(help: "Let a user have several devices, as customised servers do.")
    var severalDevices = false

    @Option(
        help: ArgumentHelp(
            "Simulate several servers behind the address; they send in turn. The value is their names, such as 01,02.",
            valueName: "names"
        )
    )
    var servers: String?

    @Flag(
        name: .customLong("no-token-store"),
        help: "Each server in --servers knows only its own messages."
    )
    var withoutTokenStore = false

    @Option(
        help: ArgumentHelp(
            "A device token for which Amazon SNS creates no endpoint; may be repeated.",
            valueName: "token"
        )
    )
    var tokenWithoutEndpoint: [String] = []

    @Option(
        help: ArgumentHelp(
            "Use the alternative to a server behaviour that is only inferred (see docs/simulator.md); may be repeated.",
            valueName: "switch"
        )
    )
    var alternative: [String] = []

    @Option(
        help: ArgumentHelp("How many seconds a message waits for the device's answer.", valueName: "seconds")
    )
    var messageLifetime = 120.0

    @Option(
        help: ArgumentHelp(
            "How many seconds the page of a registration waits for a device.",
            valueName: "seconds"
        )
    )
    var patience = 60.0

    @Flag(
        name: .customLong("no-page"),
        help:
            "Do not let pages poll automatically: each GET registrations/MESSAGE-ID at the control address polls once."
    )
    var withoutPage = false

    @Option(
        help: ArgumentHelp(
            "Write every push as an .apns file into this folder, which is created if it is missing.",
            valueName: "folder"
        )
    )
    var pushes: String?

    @Option(
        help: ArgumentHelp(
            "The bundle identifier of the app that receives the .apns files.",
            valueName: "identifier"
        )
    )
    var bundle: String?

    @Option(
        help: ArgumentHelp(
            "Send every push through APNs or its stand-in. The file contains the output of apns serve --json.",
            valueName: "file"
        )
    )
    var apns: String?

    @OptionGroup var provider: ProviderOptions

    @Flag(name: .customLong("no-qr"), help: "Do not show the registration URI as a QR code.")
    var withoutCode = false

    @OptionGroup var output: OutputOptions

    func validate() throws {
        guard (pushes == nil) == (bundle == nil) else {
            throw ValidationError("Use --pushes and --bundle together.")
        }
        _ = try topology()
        _ = try serverVersion(amVersion)
        _ = try named(sender) as PushSender
        for name in alternative { _ = try named(name) as ServerAlternative }
        for (option, seconds) in [("message-lifetime", messageLifetime), ("patience", patience)] {
            guard seconds.isFinite, seconds >= 0 else {
                throw ValidationError("--\(option) takes a number of seconds, not below 0.")
            }
        }
        guard !issuer.isEmpty, !account.isEmpty else {
            throw ValidationError("--issuer and --account must not be empty.")
        }
        guard apns != nil || provider.provider == nil && provider.topic == nil else {
            throw ValidationError("--provider and --topic need --apns.")
        }
    }

    func run() async throws {
        try await perform(storeRole: .input) {
            try makeFolder()
            var settings = ServiceSettings()
            settings.realms.insert(Realm(realm))
            settings.version = try announcedServerVersion(amVersion)
            settings.sender = try named(sender)
            settings.allowsSeveralDevices = severalDevices
            settings.topology = try topology()
            settings.tokensWithoutEndpoint = Set(tokenWithoutEndpoint)
            settings.messageLifetime = messageLifetime
            settings.registrationPatience = patience
            settings.pagesLook = !withoutPage
            settings.alternatives = Set(try alternative.map(named))
            let simulator = Simulator(settings: settings, deliver: delivery, observe: Self.report)
            let server = try await SimulatorServer.start(
                simulator,
                port: port,
                offersControl: true,
                token: try listening.token(),
                forward: try await forwarding(of: simulator)
            )
            let opened = try await listening.open(server)
            let order = RegistrationOrder(issuer: issuer, account: account, realm: Realm(realm))
            opened?.report()
            try show(uri: try simulator.createCode(order).uri, of: server, opened)
            try await withThrowingTaskGroup(of: Void.self) { group in
                group.addTask { try await server.waitUntilStopped() }
                if let opened, opened.front != nil { group.addTask { try await opened.waitUntilEnded() } }
                // When the first task has ended, the other task is cancelled.
                try await group.next()
                group.cancelAll()
            }
        }
    }

    /// Returns the servers behind the address.
    private func topology() throws -> Topology {
        guard let servers else {
            guard !withoutTokenStore else { throw ValidationError("--no-token-store needs --servers.") }
            return .single
        }
        let names = servers.split(separator: ",", omittingEmptySubsequences: false).map(String.init)
        let arePlain = names.allSatisfy { name in
            !name.isEmpty
                && name.allSatisfy { $0.isASCII && ($0.isLetter || $0.isNumber || "-._".contains($0)) }
        }
        guard names.count > 1, Set(names).count == names.count, arePlain else {
            throw ValidationError(
                "--servers takes two or more names of letters, digits and -._, such as 01,02."
            )
        }
        return .balanced(nodes: names, tokenStore: !withoutTokenStore)
    }

    /// Prints the simulator's note about a request; the device does not receive the note.
    @Sendable private static func report(_ entry: JournalEntry) {
        guard let note = entry.note else { return }
        Terminal.diagnose("\(entry.action.visible): \(note.visible)\n")
    }

    /// Creates the folder for pushes, before the server starts.
    ///
    /// A failure is therefore reported before the first push.
    private func makeFolder() throws {
        guard let pushes else { return }
        var isFolder: ObjCBool = false
        if FileManager.default.fileExists(atPath: pushes, isDirectory: &isFolder) {
            guard !isFolder.boolValue else { return }
            throw CommandFailure(status: .unwritableOutput, sentence: "\(pushes) is not a folder.")
        }
        do {
            // Parent folders are not created, because the path may be mistyped.
            try FileManager.default.createDirectory(
                atPath: pushes,
                withIntermediateDirectories: false,
                attributes: [.posixPermissions: 0o700]
            )
        } catch {
            throw CommandFailure(
                status: .unwritableOutput,
                sentence: "The folder \(pushes) does not exist and cannot be created."
            )
        }
    }

    private var delivery: Simulator.Delivery {
        guard let pushes, let bundle else { return { _ in } }
        let folder = ApnsFolder(URL(fileURLWithPath: pushes), bundleIdentifier: bundle)
        return { try folder.write($0) }
    }

    private func forwarding(of simulator: Simulator) async throws -> SimulatorServer.Forwarding? {
        guard let apns else { return nil }
        let relay = try await APNsRelay(provider.arguments(reaching: apns))
        return { await relay.send($0, of: simulator) }
    }

    private func show(uri: String, of server: SimulatorServer, _ opened: Listening?) throws {
        let control = server.control ?? ""
        let local = server.localControl ?? ""
        if output.json {
            var start: [String: JSONValue] = [
                "base": .string(server.base), "control": .string(control), "uri": .string(uri),
                "localControl": .string(local),
            ]
            start["listening"] = opened?.json
            try Terminal.write("\(JSONValue.object(start).text)\n")
        } else {
            var lines = [("service", server.base), ("control", control)]
            if local != control { lines.append(("here", local)) }
            lines += (opened?.trust ?? []) + [("scan", uri)]
            let texts = lines.map { "\($0.padding(toLength: 9, withPad: " ", startingAt: 0))\($1)\n" }
            try Terminal.write(texts.joined())
            try showCode(of: uri)
        }
    }

    /// Shows a registration URI as a QR code for scanning, if stdout is a terminal.
    private func showCode(of uri: String) throws {
        guard !withoutCode, let columns = Terminal.columns, let code = QRCode(Array(uri.utf8)) else { return }
        if let text = code.terminalText(columns: columns) {
            try Terminal.write("\n\(text)\n")
        } else {
            let needed = code.size + 2 * code.leastMargin
            Terminal.diagnose("The QR code needs \(needed) columns, and this terminal has \(columns).\n")
        }
    }
}

/// The version numbers for the help of an option.
let serverVersionNames =
    ServerVersion.allCases.map(\.rawValue).joined(separator: ", ")
    + "; "
    + ServerVersion.allCases.flatMap { version in
        version.releases.filter { $0 != version.rawValue }.map { "\($0) behaves like \(version.rawValue)" }
    }.joined(separator: ", ")

/// Parses a version number.
///
/// Also accepts the number of a version that behaves like another version.
func serverVersion(_ number: String) throws -> ServerVersion {
    try ServerVersion(number: number) ?? named(number)
}

/// Parses a version number.
///
/// If the version behaves like another version, returns the other version and reports this on stderr.
func announcedServerVersion(_ number: String) throws -> ServerVersion {
    let version = try serverVersion(number)
    if version.rawValue != number {
        Terminal.diagnose("pushbridge: AM \(number) behaves like \(version.rawValue), which is simulated.\n")
    }
    return version
}

/// Returns the value with this name; throws if there is no such value.
func named<Value: RawRepresentable<String> & CaseIterable>(_ name: String) throws -> Value {
    guard let value = Value(rawValue: name) else {
        let names = Value.allCases.map(\.rawValue).joined(separator: ", ")
        throw ValidationError("\(name) is not one of \(names).")
    }
    return value
}
