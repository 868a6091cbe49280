import Foundation

#if canImport(Glibc)
import Glibc
#elseif canImport(Darwin)
import Darwin
#elseif canImport(Musl)
import Musl
#endif

/// The two streams of a command: results on stdout, diagnostics on stderr.
enum Terminal {
    /// Whether a person watches stderr.
    static var isErrorInteractive: Bool { isatty(STDERR_FILENO) == 1 }

    /// How wide the terminal is that stdout is; `nil` if it is none, 80 if it does not say.
    static var columns: Int? {
        guard isatty(STDOUT_FILENO) == 1 else { return nil }
        var size = winsize()
        guard ioctl(STDOUT_FILENO, UInt(TIOCGWINSZ), &size) == 0, size.ws_col > 0 else { return 80 }
        return Int(size.ws_col)
    }

    /// Writes a result; a closed or full stdout is a failure of the command.
    ///
    /// A reader that went away ends the process, as it does for every command.
    static func write(_ bytes: Data) throws {
        do {
            try FileHandle.standardOutput.write(contentsOf: bytes)
        } catch {
            throw CommandFailure(
                status: .unwritableOutput,
                sentence: "The result cannot be written to standard output."
            )
        }
    }

    /// Writes a result.
    static func write(_ text: String) throws {
        try write(Data(text.utf8))
    }

    /// Writes a diagnostic; where nobody can see one, the exit status has to do.
    static func diagnose(_ text: String) {
        do {
            try FileHandle.standardError.write(contentsOf: Data(text.utf8))
        } catch {
            return
        }
    }
}
