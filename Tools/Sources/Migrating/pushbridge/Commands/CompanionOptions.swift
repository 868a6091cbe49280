import PushBridgeCommandLine

/// Completes the options of a companion's commands in a shell.
enum CompanionOptions {
    /// Returns the possible words at a position in a command line of `pushbridge`.
    /// - Parameters:
    ///   - words: The words of the command line.
    ///   - index: The index of the word to complete.
    /// - Returns: The subcommands and options, or the values of the preceding option. Empty if the companion
    ///   is not built.
    static func completions(of words: [String], at index: Int) -> [String] {
        guard words.count > 1, let moved = MovedCommand(rawValue: words[1]) else { return [] }
        let before = words.dropFirst(2).prefix(max(0, index - 2))
        do {
            let description = try moved.companion.output(of: ["--experimental-dump-help"])
            return try CommandDescription(description).completions(after: moved.first + before)
        } catch {
            // A completion cannot show an error.
            return []
        }
    }
}
