import ArgumentParser
import PushBridgeCommandLine

/// Apple's push service without Apple, and pushes by hand: a companion's commands.
struct APNs: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "apns",
        abstract: "Serve as a stand-in for Apple's push service, or send a push to it or to Apple.",
        discussion: "Runs pushbridge-apns, a separate executable that lies beside pushbridge."
    )

    @Argument(parsing: .captureForPassthrough, help: "The arguments of pushbridge-apns: --help lists them.")
    var arguments: [String] = []

    func run() throws {
        // Signals stay as they are: what this process ignores, the companion would ignore as well.
        try perform(translating: { CommandFailure($0, storeRole: .input) }) {
            try Companion.apns.takeOver(arguments)
        }
    }
}

extension ProviderOptions {
    /// The options of a companion for access to APNs.
    func arguments(reaching file: String) -> [String] {
        let named = [("--provider", provider), ("--topic", topic)]
        return ["--apns", file] + named.flatMap { name, value in value.map { ["\(name)=\($0)"] } ?? [] }
    }
}
