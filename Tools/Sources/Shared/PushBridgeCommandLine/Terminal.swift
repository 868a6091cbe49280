public import Foundation

#if canImport(Glibc)
import Glibc
#elseif canImport(Darwin)
import Darwin
#elseif canImport(Musl)
import Musl
#endif

/// The two streams of a command: results on stdout, diagnostics on stderr.
public enum Terminal {
    /// Whether stderr is a terminal.
    public static var isErrorInteractive: Bool { isatty(STDERR_FILENO) == 1 }

    /// The width of stdout's terminal; `nil` if stdout is not a terminal, 80 if the width is unknown.
    public static var columns: Int? {
        guard isatty(STDOUT_FILENO) == 1 else { return nil }
        var size = winsize()
        guard ioctl(STDOUT_FILENO, UInt(TIOCGWINSZ), &size) == 0, size.ws_col > 0 else { return 80 }
        return Int(size.ws_col)
    }

    /// Whether results on stdout have colours: as `--color` and `NO_COLOR` ask.
    static let isColored = ColorChoice(arguments: CommandLine.arguments).colors(
        environment: ProcessInfo.processInfo.environment,
        isTerminal: isatty(STDOUT_FILENO) == 1
    )

    /// The width to which reports are fitted: `COLUMNS`, or that of stdout's terminal; `nil` if neither is known.
    public static var width: Int? { stated ?? columns }

    /// The same for what is written to stderr.
    static var errorWidth: Int? {
        if let stated { return stated }
        var size = winsize()
        guard ioctl(STDERR_FILENO, UInt(TIOCGWINSZ), &size) == 0, size.ws_col > 0 else { return nil }
        return Int(size.ws_col)
    }

    private static var stated: Int? {
        ProcessInfo.processInfo.environment["COLUMNS"].flatMap(Int.init).flatMap { $0 > 0 ? $0 : nil }
    }

    /// Writes a report; on a terminal, the words with which its lines begin have the colour of their severity.
    /// - Parameter text: The report.
    /// - Throws: ``CommandFailure`` if stdout is closed or full.
    static func write(report text: String) throws {
        guard isColored else { return try write(text) }
        try write(Data(text.visibleLines.colored.utf8))
    }

    /// Writes a result.
    ///
    /// If the reader has closed the pipe, the process ends, like any other command.
    /// - Parameter bytes: The result, with its line ends.
    /// - Throws: ``CommandFailure`` if stdout is closed or full.
    public static func write(_ bytes: Data) throws {
        do {
            try FileHandle.standardOutput.write(contentsOf: bytes)
        } catch {
            throw CommandFailure(
                status: .unwritableOutput,
                sentence: "The result cannot be written to standard output."
            )
        }
    }

    /// Writes a result with control characters escaped, because it may contain file names.
    /// - Parameter text: The result, with its line ends.
    /// - Throws: ``CommandFailure`` if stdout is closed or full.
    public static func write(_ text: String) throws {
        try write(Data(text.visibleLines.utf8))
    }

    /// Writes a diagnostic; a failure to write it is ignored, because the exit status is the result.
    public static func diagnose(_ text: String) {
        do {
            try FileHandle.standardError.write(contentsOf: Data(text.utf8))
        } catch {
            return
        }
    }

    /// Prints a warning of `pushbridge` on stderr, on one line.
    public static func warn(_ sentence: String) { diagnose("pushbridge: \(sentence.visible)\n") }
}

extension String {
    /// The text as one line, with spaces for control characters.
    public var visible: String {
        String(unicodeScalars.map { $0.properties.isControl ? " " : Character($0) })
    }

    /// The text with its line breaks, and spaces for all other control characters.
    var visibleLines: String {
        // Most texts of a report are short and ASCII, and there may be a hundred thousand.
        if utf8.allSatisfy({ 0x20...0x7E ~= $0 || $0 == UInt8(ascii: "\n") }) { return self }
        return split(separator: "\n", omittingEmptySubsequences: false)
            .map { $0.contains(where: \.isControl) ? String($0).visible : String($0) }
            .joined(separator: "\n")
    }
}

extension Character {
    /// Whether the character could control a terminal or change the direction of text.
    public var isControl: Bool { unicodeScalars.contains { $0.properties.isControl } }
}

extension Unicode.Scalar.Properties {
    /// Whether the scalar could control a terminal or change the direction of text.
    fileprivate var isControl: Bool {
        switch generalCategory {
        case .control, .lineSeparator, .paragraphSeparator: true
        case .format: !isJoinControl
        default: false
        }
    }
}

extension String {
    private static let red = ["fault", "stop", "damaged", "conflict", "undecryptable"]
    private static let yellow = ["warning", "hold", "locked", "unsupported"]
    private static let green = ["continue"]

    /// The text with the severity at the start of a line in colour; the word alone also has the meaning.
    var colored: String {
        split(separator: "\n", omittingEmptySubsequences: false).map { line in
            let word = line.prefix { $0.isLetter }
            let number =
                switch String(word) {
                case let word where Self.red.contains(word): 31
                case let word where Self.yellow.contains(word): 33
                case let word where Self.green.contains(word): 32
                default: 0
                }
            let rest = line.dropFirst(word.count)
            guard number != 0, rest.first == ":" || rest.first == " " else { return String(line) }
            return "\u{1B}[\(number)m\(word)\u{1B}[0m\(rest)"
        }
        .joined(separator: "\n")
    }
}
