import Foundation
public import PushBridgeCore
import Testing

/// The built command line while it runs, for commands that go on until they are ended.
public final class RunningTool {
    private let process = Process()
    private let output = Pipe()
    private let input = Pipe()
    private var rest = Data()

    /// Starts the command.
    public init(_ arguments: [String]) throws {
        process.executableURL = try CommandLineTool.executable()
        process.arguments = arguments
        process.environment = CommandLineTool.environment
        process.standardOutput = output
        process.standardError = FileHandle.nullDevice
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
            let bytes = await withCheckedContinuation { read in
                DispatchQueue.global().async { read.resume(returning: file.availableData) }
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

    /// Sends a signal.
    public func end(by signal: Int32) {
        kill(process.processIdentifier, signal)
    }

    /// Waits until the command ends by itself.
    public func status() -> Int32 {
        process.waitUntilExit()
        return process.terminationStatus
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
