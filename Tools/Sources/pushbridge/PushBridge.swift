import ArgumentParser
import PushBridgeCommandLine
@_spi(PushBridgeTools) import PushBridgeCore

/// The command line: a thin, scriptable layer over the API that apps use.
@main
struct PushBridge: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "pushbridge",
        abstract: "Moves legacy authenticator accounts to new credentials, and proves every one.",
        discussion: """
            Results go to stdout, diagnostics to stderr. Stores are recognised by content, not by name.

            Exit status: \(ExitStatus.allCases.map { "\($0.rawValue) \($0.meaning)" }.joined(separator: "; ")).
            """,
        version: PackageVersion.current,
        subcommands: [
            Inspect.self, Plan.self, Migrate.self, Verify.self, Retire.self, Credentials.self, Export.self,
            Move.self, Simulate.self, APNs.self, Phone.self, Rehearse.self, Conform.self, Parity.self,
            Audit.self,
            Lab.self, Doctor.self, Fleet.self,
        ]
    )
}
