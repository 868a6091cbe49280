public import Foundation

#if canImport(Glibc)
import Glibc
#elseif canImport(Darwin)
import Darwin
#elseif canImport(Musl)
import Musl
#endif

/// The two output streams of a command.
///
/// Results are written to stdout, and diagnostics to stderr.
public enum Terminal {
    /// Whether stderr is a terminal.
    public static var isErrorInteractive: Bool { isatty(STDERR_FILENO) == 1 }

    /// The width of stdout's terminal.
    ///
    /// `nil` if stdout is not a terminal; 80 if the width of the terminal is unknown.
    public static var columns: Int? {
        guard isatty(STDOUT_FILENO) == 1 else { return nil }
        var size = winsize()
        guard ioctl(STDOUT_FILENO, UInt(TIOCGWINSZ), &size) == 0, size.ws_col > 0 else { return 80 }
        return Int(size.ws_col)
    }

    /// Whether results on stdout are coloured.
    ///
    /// The value depends on `--color`, `NO_COLOR`, `TERM`, and whether stdout is a terminal.
    static let isColored = ColorChoice(arguments: CommandLine.arguments).colors(
        environment: ProcessInfo.processInfo.environment,
        isTerminal: isatty(STDOUT_FILENO) == 1
    )

    /// The width to which reports are fitted: `COLUMNS`, or the width of stdout's terminal; `nil` if there is neither.
    public static var width: Int? { stated ?? columns }

    /// The width to which output on stderr is fitted; `nil` if unknown.
    static var errorWidth: Int? {
        if let stated { return stated }
        var size = winsize()
        guard ioctl(STDERR_FILENO, UInt(TIOCGWINSZ), &size) == 0, size.ws_col > 0 else { return nil }
        return Int(size.ws_col)
    }

    private static var stated: Int? {
        ProcessInfo.processInfo.environment["COLUMNS"].flatMap(Int.init).flatMap { $0 > 0 ? $0 : nil }
    }

    /// Writes a report.
    ///
    /// If ``isColored`` is true, words such as `stop`, `warning` and `damaged` at the start of lines are coloured.
    /// - Parameter text: The report.
    /// - Throws: ``CommandFailure`` if stdout is closed, or its disk is full.
    static func write(report text: String) throws {
        guard isColored else { return try write(text) }
        try write(Data(text.visibleLines.colored.utf8))
    }

    /// Writes a result.
    ///
    /// If the reader has closed the pipe, the process ends, as other command-line tools do.
    /// - Parameter bytes: The result, including line breaks.
    /// - Throws: ``CommandFailure`` if stdout is closed, or its disk is full.
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

    /// Writes a result, with spaces in place of control characters, which file names may contain.
    /// - Parameter text: The result, including line breaks.
    /// - Throws: ``CommandFailure`` if stdout is closed, or its disk is full.
    public static func write(_ text: String) throws {
        try write(Data(text.visibleLines.utf8))
    }

    /// Writes a diagnostic to stderr.
    ///
    /// If the diagnostic cannot be written, the failure is ignored, because the exit status states the
    /// result.
    public static func diagnose(_ text: String) {
        do {
            try FileHandle.standardError.write(contentsOf: Data(text.utf8))
        } catch {
            return
        }
    }

    /// Writes a one-line warning of `pushbridge` to stderr.
    public static func warn(_ sentence: String) { diagnose("pushbridge: \(sentence.visible)\n") }
}

extension String {
    /// The text as one line, with spaces in place of control characters.
    public var visible: String {
        String(unicodeScalars.map { $0.properties.isControl ? " " : Character($0) })
    }

    /// The text with its line breaks, but with spaces in place of all other control characters.
    var visibleLines: String {
        // A report may have a hundred thousand strings. Most of them contain only ASCII, so they need no
        // further work.
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

    /// The text, with words such as `stop`, `warning` and `damaged` at the start of lines in colour.
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
