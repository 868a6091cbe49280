import ArgumentParser
import Foundation
import PingAMSimulator
import PushBridgeCommandLine
import PushBridgeCore
import PushBridgeLab
import PushBridgeMigrating
import PushParity

/// The command `lab`, which shows both APIs side by side on a page until it is interrupted.
struct Lab: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        abstract: MovedCommand.lab.abstract,
        discussion: """
            Shows two phones, one for each API, and a simulated server, all in memory and with sample accounts. \
            Your clicks form a scenario, which the page can save and pushbridge parity --scenario can play. Listens on \
            127.0.0.1, unless --listen names another address. The page's address contains a random token, which \
            works as a password.
            """
    )

    @Option(help: "The port, up to 65535; 0 selects any free port.")
    var port: UInt16 = 0

    @Option(help: ArgumentHelp("The version of the server: \(serverVersionNames).", valueName: "version"))
    var amVersion: String?

    @Option(
        help: ArgumentHelp(
            "First play the scenario in this file, which must contain exactly one.",
            valueName: "file"
        )
    )
    var scenario: String?

    @Option(
        help: ArgumentHelp(
            "Listen on this address of the machine, for an app on a phone: anyone who can reach it and knows the page's address can use the lab.",
            valueName: "address"
        )
    )
    var listen = "127.0.0.1"

    @Flag(name: .customLong("no-open"), help: "Do not open the page in a browser.")
    var withoutBrowser = false

    @OptionGroup var output: OutputOptions

    func validate() throws {
        if let amVersion { _ = try serverVersion(amVersion) }
        let parts = listen.split(separator: ".", omittingEmptySubsequences: false).map { UInt8($0) }
        guard parts.count == 4, !parts.contains(nil), listen != "0.0.0.0" else {
            throw ValidationError("--listen takes one address of this machine, such as 192.168.1.20.")
        }
    }

    func run() async throws {
        try await perform(storeRole: .input) {
            if listen != "127.0.0.1" {
                Terminal.diagnose(
                    "pushbridge: The lab listens on \(listen), without encryption. Keep the page's address secret, because it opens the page. Others on the network can read all requests.\n"
                )
            }
            // A signal may arrive after the stores were created but before the server runs, when the server cannot be
            // stopped yet. The stream therefore keeps the signal until the server runs.
            let (signals, received) = AsyncStream.makeStream(of: Void.self)
            let interruptions = Interruption.calls { _ in received.yield() }
            defer { for interruption in interruptions { interruption.cancel() } }
            let left = LabServer.removeLeftOvers()
            if left > 0 {
                Terminal.diagnose(
                    "pushbridge: Removed the dropped stores of \(left.counted("lab")) that were killed.\n"
                )
            }
            let server = try await LabServer.start(
                try start(),
                on: listen,
                port: port,
                picture: { QRCode(Array($0.utf8))?.svg },
                report: { try MigrationReport(of: $2, from: $0, to: $1).html }
            )
            try Terminal.write(
                output.json
                    ? "\(JSONValue.object(["url": .string(server.url)]).text)\n" : "lab  \(server.url)\n"
            )
            if !withoutBrowser, !output.json { Browser.open(server.url) }
            let stopping = Task {
                for await _ in signals { break }
                await server.stop()
            }
            do {
                try await server.waitUntilStopped()
            } catch {
                await server.stop()
                throw error
            }
            stopping.cancel()
        }
    }

    /// Returns the scenario to play first.
    private func start() throws -> Scenario {
        var first = Scenario("Played in the lab", steps: [])
        if let scenario {
            let scenarios = try Scenario.list(contentsOf: URL(fileURLWithPath: scenario))
            guard scenarios.count == 1, let only = scenarios.first else {
                let sentence =
                    "\(scenario) contains \(scenarios.count) scenarios, but the lab can play only a file that contains one."
                throw CommandFailure(status: .usage, sentence: sentence)
            }
            first = only
        }
        if let amVersion { first.settings.version = try announcedServerVersion(amVersion) }
        return first
    }
}

/// Opens pages in the browser of this machine.
private enum Browser {
    /// Opens a URL if the machine has a browser and a user session that can show the page.
    static func open(_ url: String) {
        #if os(macOS)
        let opener = "/usr/bin/open"
        #else
        let opener = "/usr/bin/xdg-open"
        let environment = ProcessInfo.processInfo.environment
        guard environment["DISPLAY"] != nil || environment["WAYLAND_DISPLAY"] != nil else { return }
        #endif
        guard FileManager.default.isExecutableFile(atPath: opener) else { return }
        let process = Process()
        process.executableURL = URL(fileURLWithPath: opener)
        process.arguments = [url]
        process.standardOutput = FileHandle.nullDevice
        process.standardError = FileHandle.nullDevice
        do {
            try process.run()
        } catch {
            Terminal.diagnose("pushbridge: The page could not be opened; its address is above.\n")
        }
    }
}
