import ArgumentParser
import PushBridgeCommandLine
import PushBridgeMigrating

/// A command of a companion, which is a separate executable in the folder of pushbridge.
protocol CompanionCommand: ParsableCommand {
    /// The executable.
    static var companion: Companion { get }
    /// The arguments of the companion before those of the user.
    static var first: [String] { get }
    var arguments: [String] { get }
}

extension CompanionCommand {
    static var first: [String] { [] }

    static func command(_ name: String, _ abstract: String) -> CommandConfiguration {
        CommandConfiguration(
            commandName: name,
            abstract: abstract,
            discussion: "Runs \(companion.name), a separate executable in the folder of pushbridge."
        )
    }

    func run() throws {
        // Keeps the default handling of signals: the companion would inherit signals that this process ignores.
        try perform(translating: { CommandFailure($0, storeRole: .input) }) {
            try Self.companion.takeOver(Self.first + arguments)
        }
    }
}

struct Simulate: CompanionCommand {
    static let companion = Companion.trying
    static let first = ["simulate"]
    static let configuration: CommandConfiguration = command(
        "simulate",
        "Run a PingAM push service on this machine, for rehearsals; it forgets everything when it ends."
    )

    @Argument(parsing: .captureForPassthrough, help: "The arguments of the command: --help lists them.")
    var arguments: [String] = []
}

struct Phone: CompanionCommand {
    static let companion = Companion.trying
    static let first = ["phone"]
    static let configuration: CommandConfiguration = command(
        "phone",
        "Be a device: enrol, receive pushes from the stand-in for APNs, show banners, answer."
    )

    @Argument(parsing: .captureForPassthrough, help: "The arguments of the command: --help lists them.")
    var arguments: [String] = []
}

struct Parity: CompanionCommand {
    static let companion = Companion.trying
    static let first = ["parity"]
    static let configuration: CommandConfiguration = command(
        "parity",
        "Play scenarios on both APIs, against a simulated service, and compare what happens."
    )

    @Argument(parsing: .captureForPassthrough, help: "The arguments of the command: --help lists them.")
    var arguments: [String] = []
}

struct Lab: CompanionCommand {
    static let companion = Companion.trying
    static let first = ["lab"]
    static let configuration: CommandConfiguration = command(
        "lab",
        "Open a page with both APIs side by side: what each phone shows, calls and sends."
    )

    @Argument(parsing: .captureForPassthrough, help: "The arguments of the command: --help lists them.")
    var arguments: [String] = []
}

struct Rehearse: CompanionCommand {
    static let companion = Companion.trying
    static let first = ["rehearse"]
    static let configuration: CommandConfiguration = command(
        "rehearse",
        "Let credentials answer logins at a simulated push service; changes no store."
    )

    @Argument(parsing: .captureForPassthrough, help: "The arguments of the command: --help lists them.")
    var arguments: [String] = []
}

struct Conform: CompanionCommand {
    static let companion = Companion.trying
    static let first = ["conform"]
    static let configuration: CommandConfiguration = command(
        "conform",
        "Test the answers of a push service, and report which version of PingAM it resembles."
    )

    @Argument(parsing: .captureForPassthrough, help: "The arguments of the command: --help lists them.")
    var arguments: [String] = []
}

struct Fleet: CompanionCommand {
    static let companion = Companion.fleet
    static let configuration: CommandConfiguration = command(
        "fleet",
        "Decide whether a roll-out should continue, from the migration events of all phones."
    )

    @Argument(parsing: .captureForPassthrough, help: "The arguments of the command: --help lists them.")
    var arguments: [String] = []
}

struct APNs: CompanionCommand {
    static let companion = Companion.apns
    static let configuration: CommandConfiguration = command(
        "apns",
        "Serve as a stand-in for Apple's push service, or send a push to it or to Apple."
    )

    @Argument(parsing: .captureForPassthrough, help: "The arguments of the command: --help lists them.")
    var arguments: [String] = []
}

struct Audit: CompanionCommand {
    static let companion = Companion.audit
    static let configuration: CommandConfiguration = command(
        "audit",
        "List every use of the legacy SDK in an app's code, with its replacement."
    )

    @Argument(parsing: .captureForPassthrough, help: "The arguments of the command: --help lists them.")
    var arguments: [String] = []
}
