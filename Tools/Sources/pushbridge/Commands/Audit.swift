import ArgumentParser
import PushBridgeCommandLine

/// Lists an app's uses of the legacy SDK: the command of a companion.
struct Audit: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "audit",
        abstract: "List every use of the legacy SDK in an app's code, with its replacement.",
        discussion: "Runs pushbridge-audit, a separate executable in the folder of pushbridge."
    )

    @Argument(parsing: .captureForPassthrough, help: "The arguments of pushbridge-audit: --help lists them.")
    var arguments: [String] = []

    func run() throws {
        try perform(translating: { CommandFailure($0, storeRole: .input) }) {
            try Companion.audit.takeOver(arguments)
        }
    }
}
