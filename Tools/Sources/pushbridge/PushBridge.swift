import ArgumentParser
import PushBridgeCommandLine
@_spi(PushBridgeTools) import PushBridgeCore

/// The command line: thin, scriptable, and the same calls an app makes.
@main
struct PushBridge: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "pushbridge",
        abstract: "Moves legacy authenticator accounts to new credentials, and proves every one.",
        discussion: """
            Results go to stdout, diagnostics to stderr. Stores are recognised by content, not by name.

            Exit status: 0 everything arrived or is kept; 1 finished, some records need attention; 2 and 3 the \
            verdicts hold and stop of fleet; 64 usage; \
            66 the input cannot be opened or is not a store; 70 a fault of ours; 73 the output cannot be written; \
            75 locked or port taken, try again later; 77 wrong key.
            """,
        version: PackageVersion.current,
        subcommands: [
            Inspect.self, Plan.self, Migrate.self, Verify.self, Retire.self, Credentials.self, Export.self,
            Simulate.self, APNs.self, Phone.self, Rehearse.self, Conform.self, Parity.self, Audit.self,
            Lab.self, Doctor.self, Fleet.self,
        ]
    )
}
