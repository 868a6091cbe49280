package import Foundation

/// The commands and options of an executable, decoded from the description that it prints.
package struct CommandDescription {
    private let root: Command

    private struct Tool: Decodable {
        let command: Command
    }

    private struct Command: Decodable {
        let commandName: String
        let shouldDisplay: Bool
        let defaultSubcommand: String?
        let arguments: [Argument]?
        let subcommands: [Command]?

        /// The names of the subcommands that the help shows.
        var shownCommands: [String] { (subcommands ?? []).filter(\.shouldDisplay).map(\.commandName) }

        /// The arguments of the command and of its default subcommand.
        var allArguments: [Argument] {
            let implied = subcommands?.first { $0.commandName == defaultSubcommand }
            return (arguments ?? []) + (implied?.arguments ?? [])
        }
    }

    private struct Argument: Decodable {
        let shouldDisplay: Bool
        let names: [Name]?
        let allValues: [String]?

        /// The spellings of an option; empty for a positional argument.
        var words: [String] { (names ?? []).map(\.word) }
    }

    private struct Name: Decodable {
        let kind: String
        let name: String

        var word: String { (kind == "long" ? "--" : "-") + name }
    }

    /// Decodes a description.
    /// - Parameter description: The output of `--experimental-dump-help`.
    /// - Throws: `DecodingError` if the text is not a description.
    package init(_ description: Data) throws {
        root = try JSONDecoder().decode(Tool.self, from: description).command
    }

    /// Returns the possible next words of a command line.
    /// - Parameter words: The words after the name of the executable.
    /// - Returns: The subcommands and options, or the values of the option that the last word names.
    package func completions(after words: [String]) -> [String] {
        var command = root
        for word in words {
            if let next = command.subcommands?.first(where: { $0.commandName == word }) { command = next }
        }
        if let last = words.last,
            let values = command.allArguments.first(where: { $0.words.contains(last) })?.allValues
        {
            return values
        }
        return command.shownCommands + command.allArguments.filter(\.shouldDisplay).flatMap(\.words)
    }

    /// Finds a misspelt command or option.
    /// - Parameter arguments: The arguments after the name of the executable.
    /// - Returns: A sentence, with a suggestion if a known word is similar; `nil` if no word is misspelt.
    package func misspelling(in arguments: [String]) -> String? {
        var command = root
        var path = command.commandName
        var rest = arguments[...]
        while let word = rest.first, let next = command.subcommands?.first(where: { $0.commandName == word })
        {
            command = next
            path += " \(word)"
            rest = rest.dropFirst()
        }
        if let word = rest.first, !word.hasPrefix("-"), !command.shownCommands.isEmpty {
            let suggestion = word.suggestion(among: command.shownCommands)
            // If the command has a default subcommand, the word may be an argument of that subcommand.
            if command.defaultSubcommand == nil || !suggestion.isEmpty {
                let end = "\(path) --help lists the commands."
                return "There is no command \(path) \(word.visible).\(suggestion) \(end)"
            }
        }
        let known = command.allArguments.flatMap(\.words) + ["--help", "--version"]
        for argument in rest.prefix(while: { $0 != "--" }) where argument.hasPrefix("--") {
            let word = String(argument.prefix { $0 != "=" })
            guard !known.contains(word) else { continue }
            let suggestion = word.suggestion(among: known)
            return "Unknown option '\(word.visible)'.\(suggestion) \(path) --help lists the options."
        }
        return nil
    }
}

extension String {
    /// Returns a space and a question with the most similar of the given words; empty if no word is similar.
    ///
    /// A similar word differs in at most two characters, and in at most a third of the characters of this
    /// text.
    package func suggestion(among words: [String]) -> String {
        let near = words.map { (word: $0, distance: editDistance(to: $0)) }.min { $0.distance < $1.distance }
        guard let near, near.distance <= min(2, count / 3) else { return "" }
        return " Did you mean \(near.word)?"
    }

    /// Returns the minimum number of characters that must be inserted, removed, replaced or swapped to turn the first
    /// 40 characters of this text into another text.
    package func editDistance(to other: String) -> Int {
        let (own, other) = (Array(self.prefix(40)), Array(other))
        var rows = [Array(0...other.count)]
        for i in own.indices {
            var row = [i + 1]
            for j in other.indices {
                var least = Swift.min(
                    rows[i][j + 1] + 1,
                    row[j] + 1,
                    rows[i][j] + (own[i] == other[j] ? 0 : 1)
                )
                if i > 0, j > 0, own[i] == other[j - 1], own[i - 1] == other[j] {
                    least = Swift.min(least, rows[i - 1][j - 1] + 1)
                }
                row.append(least)
            }
            rows.append(row)
        }
        return rows[own.count][other.count]
    }
}
