import Foundation
public import PushBridgeCore
import PushBridgeTestSupport
import Testing

/// A running command of the built command line, for commands that run until a signal or a key ends them.
public final class RunningTool {
    private let process = Process()
    private let output = Pipe()
    private let input = Pipe()
    private let folder: TemporaryFolder
    private var rest = Data()

    /// Starts the command.
    ///
    /// `limits` contains shell commands that set resource limits.
    public init(_ arguments: [String], limits: String? = nil) throws {
        folder = try TemporaryFolder()
        try process.command(arguments, limits: limits)
        process.environment = CommandLineTool.environment
        process.standardOutput = output
        process.standardError = try FileHandle(forWritingTo: folder.file("stderr", ""))
        process.standardInput = input
        try process.run()
    }

    /// Waits for the next line without blocking other tests.
    ///
    /// The line must be JSON.
    public func line() async throws -> JSONValue {
        try #require(JSONValue(json: Data(try await text().utf8)))
    }

    /// Waits for the next line, which may have any form.
    public func text() async throws -> String {
        while true {
            if let end = rest.firstIndex(of: UInt8(ascii: "\n")) {
                let line = Data(rest[..<end])
                rest = Data(rest[(end + 1)...])
                return String(decoding: line, as: UTF8.self)
            }
            let file = output.fileHandleForReading
            let bytes = try await waitForCall("a line of the command") { read in
                DispatchQueue.global().async { read(file.availableData) }
            }
            try #require(!bytes.isEmpty, "The command ended before it printed the expected line.")
            rest += bytes
        }
    }

    /// Presses a key.
    public func type(_ key: String) throws {
        try input.fileHandleForWriting.write(contentsOf: Data("\(key)\n".utf8))
    }

    /// Closes stdin, so that the command receives no more keys.
    public func closeInput() throws {
        try input.fileHandleForWriting.close()
    }

    /// Ends the command.
    public func end() {
        process.terminate()
    }

    #if os(Linux)
    /// Returns the CPU time that the command has used so far, in seconds.
    public func processorTime() throws -> Double {
        let path = "/proc/\(process.processIdentifier)/stat"
        let text = try String(contentsOfFile: path, encoding: .utf8)
        // The name of the program may contain spaces, so the fields are counted after the name. Fields 12 and
        // 13 are the user time and the system time, in ticks.
        let numbers = text.split(separator: ")").last?.split(separator: " ") ?? []
        let ticks = try numbers.dropFirst(11).prefix(2).map { try #require(Double($0)) }
        return ticks.reduce(0, +) / Double(sysconf(Int32(_SC_CLK_TCK)))
    }
    #endif

    #if os(Linux)
    /// Interrupts the command as Ctrl-C does.
    ///
    /// Waits until the command handles the signal, and returns the command's exit status. The method blocks
    /// the thread, because other tests could delay a task until the command has ended.
    public func interrupt() throws -> Int32 {
        let path = "/proc/\(process.processIdentifier)/status"
        var isHandled = false
        try process.waitForEnd("the command to end") {
            // If the command has ended, the file is missing.
            let lines = ((try? String(contentsOfFile: path, encoding: .utf8)) ?? "").split(separator: "\n")
            // The command first ignores the signal, and then catches it with Dispatch; in both states, the signal is
            // handled.
            for line in lines where line.hasPrefix("SigIgn:") || line.hasPrefix("SigCgt:") {
                let signals = line.split(separator: "\t").last.flatMap { UInt64($0, radix: 16) } ?? 0
                isHandled = isHandled || signals & 1 << (SIGINT - 1) != 0
            }
            // The signal is sent repeatedly, because the first signal may arrive before the command listens.
            if isHandled { kill(process.processIdentifier, SIGINT) }
        }
        return process.terminationStatus
    }
    #endif

    /// Sends a signal.
    public func end(by signal: Int32) {
        kill(process.processIdentifier, signal)
    }

    /// Waits until the command exits, and returns its exit status.
    public func status() throws -> Int32 {
        try process.waitForEnd("the command to end")
        return process.terminationStatus
    }

    /// Returns the text that the command has written to stderr so far.
    public func diagnostics() throws -> String {
        try String(contentsOf: folder.url("stderr"), encoding: .utf8)
    }
}

extension JSONValue {
    /// Returns the text of a member.
    public func text(_ name: String) throws -> String {
        guard case .string(let text)? = self[name] else {
            throw MissingMember(name: name, value: self)
        }
        return text
    }

    struct MissingMember: Error {
        let name: String
        let value: JSONValue
    }
}
