import Foundation

#if canImport(Glibc)
import Glibc
#elseif canImport(Darwin)
import Darwin
#endif

/// Measures the memory of a command that runs in a child process.
enum ChildProcess {
    struct Failure: Error, CustomStringConvertible {
        let description: String
    }

    /// Runs a command, discards its output, and returns its peak memory in bytes.
    static func peakMemory(of command: [String]) throws -> Int {
        var actions = posix_spawn_file_actions_t()
        posix_spawn_file_actions_init(&actions)
        defer { posix_spawn_file_actions_destroy(&actions) }
        for stream: Int32 in [1, 2] {
            posix_spawn_file_actions_addopen(&actions, stream, "/dev/null", O_WRONLY, 0)
        }
        var arguments = command.map { strdup($0) } + [nil]
        defer { arguments.forEach { free($0) } }
        var child = pid_t()
        guard posix_spawn(&child, command[0], &actions, nil, &arguments, environ) == 0 else {
            throw Failure(description: "\(command[0]) cannot be started.")
        }
        var status: Int32 = 0
        var usage = rusage()
        guard wait4(child, &status, 0, &usage) == child, status == 0 else {
            throw Failure(
                description: "\(command.joined(separator: " ")) ended with the status \(status >> 8)."
            )
        }
        return usage.ru_maxrss * unit
    }

    /// The unit of `ru_maxrss` in bytes: a kibibyte on Linux, one byte on Darwin.
    private static var unit: Int {
        #if canImport(Darwin)
        1
        #else
        1024
        #endif
    }
}
