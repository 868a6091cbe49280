import Foundation
import PushBridgeCommandLine

/// The options of a companion's commands, read from its own description of them, for the completions of a shell.
struct CompanionOptions: Decodable {
    private let command: Command

    private struct Command: Decodable {
        let commandName: String
        let shouldDisplay: Bool
        let defaultSubcommand: String?
        let arguments: [Argument]?
        let subcommands: [Command]?
    }

    private struct Argument: Decodable {
        let shouldDisplay: Bool
        let names: [Name]?
        let allValues: [String]?

        var words: [String] { shouldDisplay ? (names ?? []).map(\.word) : [] }
    }

    private struct Name: Decodable {
        let kind: String
        let name: String

        var word: String { (kind == "long" ? "--" : "-") + name }
    }

    /// The words that can follow in a command line of `pushbridge`.
    /// - Parameters:
    ///   - words: The words of the command line.
    ///   - index: The index of the word to complete.
    /// - Returns: The subcommands and options, or the values of the option before; none if the companion is not built.
    static func completions(of words: [String], at index: Int) -> [String] {
        guard words.count > 1, let moved = MovedCommand(rawValue: words[1]) else { return [] }
        let before = words.dropFirst(2).prefix(max(0, index - 2))
        do {
            let description = try moved.companion.output(of: ["--experimental-dump-help"])
            let options = try JSONDecoder().decode(CompanionOptions.self, from: description)
            return options.completions(after: moved.first + before)
        } catch {
            // A shell has no place for an error.
            return []
        }
    }

    private func completions(after words: [String]) -> [String] {
        var command = command
        for word in words {
            if let next = command.subcommands?.first(where: { $0.commandName == word }) { command = next }
        }
        let implied = command.subcommands?.first { $0.commandName == command.defaultSubcommand }
        let arguments = (command.arguments ?? []) + (implied?.arguments ?? [])
        if let last = words.last, let option = arguments.first(where: { $0.words.contains(last) }),
            let values = option.allValues
        {
            return values
        }
        let subcommands = (command.subcommands ?? []).filter(\.shouldDisplay).map(\.commandName)
        return subcommands + arguments.flatMap(\.words)
    }
}
