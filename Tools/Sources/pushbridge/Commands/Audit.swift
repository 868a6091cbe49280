import ArgumentParser
import PushBridgeCommandLine

/// Where an app's own code uses the legacy SDK: a companion's command.
struct Audit: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "audit",
        abstract: "List every use of the legacy SDK in an app's code, and what becomes of it.",
        discussion: "Runs pushbridge-audit, a separate executable that lies beside pushbridge."
    )

    @Argument(parsing: .captureForPassthrough, help: "The arguments of pushbridge-audit: --help lists them.")
    var arguments: [String] = []

    func run() throws {
        try perform(translating: { CommandFailure($0, storeRole: .input) }) {
            try Companion.audit.takeOver(arguments)
        }
    }
}
