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

    /// Writes a result.
    ///
    /// A reader that went away ends the process, as it does for every command.
    static func write(_ text: String) {
        write(Data(text.utf8))
    }

    /// Writes a result.
    static func write(_ bytes: Data) {
        FileHandle.standardOutput.write(bytes)
    }

    /// Writes a diagnostic.
    static func diagnose(_ text: String) {
        FileHandle.standardError.write(Data(text.utf8))
    }
}
