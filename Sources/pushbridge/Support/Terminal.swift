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
