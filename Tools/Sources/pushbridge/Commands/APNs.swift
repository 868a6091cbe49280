import ArgumentParser
import PushBridgeCommandLine

/// A stand-in for Apple's push service, and pushes by hand: the commands of a companion.
struct APNs: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "apns",
        abstract: "Serve as a stand-in for Apple's push service, or send a push to it or to Apple.",
        discussion: "Runs pushbridge-apns, a separate executable in the folder of pushbridge."
    )

    @Argument(parsing: .captureForPassthrough, help: "The arguments of pushbridge-apns: --help lists them.")
    var arguments: [String] = []

    func run() throws {
        // Keeps the default handling of signals: the companion would inherit signals that this process ignores.
        try perform(translating: { CommandFailure($0, storeRole: .input) }) {
            try Companion.apns.takeOver(arguments)
        }
    }
}

extension ProviderOptions {
    /// The companion's options for access to APNs.
    func arguments(reaching file: String) -> [String] {
        let named = [("--provider", provider), ("--topic", topic)]
        return ["--apns", file] + named.flatMap { name, value in value.map { ["\(name)=\($0)"] } ?? [] }
    }
}
