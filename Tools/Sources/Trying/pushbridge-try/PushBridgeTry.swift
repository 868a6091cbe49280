import ArgumentParser
import PushBridgeCommandLine
@_spi(PushBridgeTools) import PushBridgeCore

/// The commands that run on simulated servers and phones.
///
/// `pushbridge` runs this executable for these commands.
@main
struct PushBridgeTry: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "pushbridge",
        abstract: "Try out stores, servers and both APIs.",
        version: PackageVersion.current,
        subcommands: [
            Rehearse.self, Simulate.self, Phone.self, Conform.self, Parity.self, Lab.self,
        ]
    )

    /// Runs the subcommand that the arguments name.
    static func main() async {
        endIfMisspelt(Array(CommandLine.arguments.dropFirst()))
        await main(nil)
    }
}
