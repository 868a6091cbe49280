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
