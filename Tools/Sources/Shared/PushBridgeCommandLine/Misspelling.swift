public import ArgumentParser
import Foundation

extension ParsableCommand {
    /// Ends the process with a suggestion and status 64 if a command or an option in the arguments is misspelt.
    ///
    /// With valid arguments, the process ends only if the command has a default subcommand, the first argument
    /// resembles the name of a subcommand, and no file has the name of that argument.
    /// - Parameter arguments: The arguments of the process, without its name.
    public static func endIfMisspelt(_ arguments: [String]) {
        guard let sentence = misspelling(in: arguments) else { return }
        Terminal.diagnose("Error: \(sentence)\n")
        Foundation.exit(ExitStatus.usage.rawValue)
    }

    private static func misspelling(in arguments: [String]) -> String? {
        let isAccepted: Bool
        do {
            _ = try parseAsRoot(arguments)
            isAccepted = true
        } catch {
            guard exitCode(for: error) == .validationFailure else { return nil }
            isAccepted = false
        }
        if isAccepted {
            let names = configuration.subcommands.map { $0._commandName }
            guard configuration.defaultSubcommand != nil, let word = arguments.first, !names.contains(word),
                !word.suggestion(among: names).isEmpty, !FileManager.default.fileExists(atPath: word)
            else { return nil }
        }
        do {
            return try CommandDescription(Data(_dumpHelp().utf8)).misspelling(in: arguments)
        } catch {
            // Without a description, ArgumentParser prints its own message.
            return nil
        }
    }
}
