import ArgumentParser
import PushBridgeCommandLine
@_spi(PushBridgeTools) import PushBridgeCore

/// The command `pushbridge`: a thin, scriptable layer over the API that apps use.
@main
struct PushBridge: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "pushbridge",
        abstract: "Migrates the accounts of legacy stores to new credentials, and proves every credential.",
        discussion: """
            Results go to stdout, diagnostics to stderr. Stores are recognised by content, not by name.

            Look at a store:
              pushbridge inspect legacy.sqlite
              pushbridge doctor new.db --extension
              pushbridge credentials new.db
            Migrate:
              pushbridge plan legacy.sqlite --to new.db
              pushbridge migrate legacy.sqlite --to new.db
              pushbridge verify legacy.sqlite --against new.db
              pushbridge retire legacy.sqlite --against new.db --backup old
              pushbridge export new.db --as legacy-store --to back.sqlite
              pushbridge move new.db --to other.db
            Try with a simulated server:
              pushbridge rehearse new.db --am-version 7.5
              pushbridge simulate --listen 127.0.0.1:8080 --am-version 7.5
              pushbridge apns serve
              pushbridge phone --api async --apns apns.json
              pushbridge conform --server URL --code URI --push PATH
            Compare and decide:
              pushbridge parity --am-version 7.5
              pushbridge lab
              pushbridge audit
              pushbridge fleet events.jsonl --phase 10
              pushbridge report verify report.html

            Exit status: \(ExitStatus.allCases.map { "\($0.rawValue) \($0.meaning)" }.joined(separator: "; ")).
            """,
        version: PackageVersion.current,
        subcommands: [
            Inspect.self, Doctor.self, Credentials.self, Plan.self, Migrate.self, Verify.self, Retire.self,
            Export.self, Move.self, Rehearse.self, Simulate.self, APNs.self, Phone.self, Conform.self,
            Parity.self, Lab.self, Audit.self, Fleet.self,
            ReportCommand.self,
        ]
    )

    /// Runs the subcommand that the arguments name.
    static func main() async {
        let arguments = Array(CommandLine.arguments.dropFirst())
        do {
            try HelpRequest(arguments)?.show()
        } catch let failure as CommandFailure {
            Terminal.diagnose("pushbridge: \(failure.sentence.visible)\n")
            exit(withError: ExitCode(failure.status.rawValue))
        } catch {
            exit(withError: error)
        }
        endIfMisspelt(arguments)
        await main(nil)
    }
}

/// A request that ArgumentParser cannot answer: help for a companion's command, or a suggestion for a
/// misspelt command.
struct HelpRequest {
    private let arguments: [String]
    /// The names of the subcommands.
    static let names = PushBridge.configuration.subcommands.map { $0._commandName }

    /// Examines the arguments; returns `nil` if ArgumentParser handles them.
    init?(_ arguments: [String]) {
        self.arguments = arguments
        guard let first = arguments.first, !first.hasPrefix("-") else { return nil }
        if first == "help" {
            guard arguments.count > 1,
                MovedCommand(rawValue: arguments[1]) != nil || !Self.names.contains(arguments[1])
            else { return nil }
        } else if Self.names.contains(first) {
            return nil
        }
    }

    /// Shows the companion's help, or throws an error that suggests a command.
    /// - Throws: `CommandFailure` if the companion is needed and is not built; `ValidationError` if there is no such
    ///   command.
    func show() throws {
        if arguments.first == "help", let command = MovedCommand(rawValue: arguments[1]) {
            // If the companion is not built, ArgumentParser shows this executable's short help for the command. A
            // subcommand of the companion, such as `apns send`, has no short help, so an error is reported.
            guard command.companion.isBuilt || arguments.count > 2 else { return }
            try command.companion.takeOver(command.first + arguments.dropFirst(2) + ["--help"])
        }
        let name = arguments.first == "help" ? arguments[1] : arguments[0]
        guard name != "help" else { return }
        let suggestion = name.suggestion(among: Self.names)
        throw ValidationError(
            "There is no command \(name.visible).\(suggestion) pushbridge --help lists the commands."
        )
    }
}
