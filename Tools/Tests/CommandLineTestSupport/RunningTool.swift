import Foundation
public import PushBridgeCore
import PushBridgeTestSupport
import Testing

/// The built command line while it runs, for commands that go on until they are ended.
public final class RunningTool {
    private let process = Process()
    private let output = Pipe()
    private let input = Pipe()
    private let folder: TemporaryFolder
    private var rest = Data()

    /// Starts the command; `limits` are commands of a shell that set them.
    public init(_ arguments: [String], limits: String? = nil) throws {
        folder = try TemporaryFolder()
        try process.command(arguments, limits: limits)
        process.environment = CommandLineTool.environment
        process.standardOutput = output
        process.standardError = try FileHandle(forWritingTo: folder.file("stderr", ""))
        process.standardInput = input
        try process.run()
    }

    /// The next line, JSON; waits without holding up other tests.
    public func line() async throws -> JSONValue {
        try #require(JSONValue(json: Data(try await text().utf8)))
    }

    /// The next line, whatever it is.
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
            try #require(!bytes.isEmpty, "The command ended.")
            rest += bytes
        }
    }

    /// Presses a key.
    public func type(_ key: String) throws {
        try input.fileHandleForWriting.write(contentsOf: Data("\(key)\n".utf8))
    }

    /// Presses no key any more.
    public func closeInput() throws {
        try input.fileHandleForWriting.close()
    }

    /// Ends the command.
    public func end() {
        process.terminate()
    }

    #if os(Linux)
    /// How long it has kept a processor busy so far, in seconds.
    public func processorTime() throws -> Double {
        let path = "/proc/\(process.processIdentifier)/stat"
        let text = try String(contentsOfFile: path, encoding: .utf8)
        // Behind the name of the program, which may have blanks, the 12th and 13th: ticks for it and for the system.
        let numbers = text.split(separator: ")").last?.split(separator: " ") ?? []
        let ticks = try numbers.dropFirst(11).prefix(2).map { try #require(Double($0)) }
        return ticks.reduce(0, +) / Double(sysconf(Int32(_SC_CLK_TCK)))
    }
    #endif

    /// Sends a signal.
    public func end(by signal: Int32) {
        kill(process.processIdentifier, signal)
    }

    /// Waits until the command ends by itself.
    public func status() throws -> Int32 {
        try process.waitForEnd("the command to end")
        return process.terminationStatus
    }

    /// What the command has written to stderr.
    public func diagnostics() throws -> String {
        try String(contentsOf: folder.url("stderr"), encoding: .utf8)
    }
}

extension JSONValue {
    /// The text of a member.
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
