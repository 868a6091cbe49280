public import Foundation
public import PushBridgeTestSupport
import Testing

/// The built command line, which tests run as a user does.
public struct CommandLineTool: Sendable {
    /// The result of a run.
    public struct Run: Sendable {
        /// The exit status; -1 if a signal ended the tool.
        public let status: Int32
        /// The text on stdout.
        public let output: String
        /// The text on stderr.
        public let diagnostics: String

        /// The lines on stderr; a command that fails usually prints one line.
        public var sentences: [Substring] { diagnostics.split(separator: "\n") }

        /// The JSON on stdout without the member `made`.
        ///
        /// The member `made` differs from run to run.
        public var result: String {
            output.replacing(#/"made":\{.*?"tool":"[^"]*"\},?/#, with: "", maxReplacements: 1)
        }

        /// Decodes the JSON on stdout.
        public func json<Document: Decodable>(_ type: Document.Type) throws -> Document {
            try JSONDecoder().decode(type, from: Data(output.utf8))
        }
    }

    /// A separate folder for each test.
    public let folder: TemporaryFolder

    /// Makes the folder.
    public init() throws {
        folder = try TemporaryFolder()
    }

    /// Returns the path of a file in the folder.
    public func path(_ name: String) -> String { folder.path(name) }

    /// Returns the path of a copy of a fixture; a run may change the copy.
    public func fixture(_ name: String) throws -> String { try folder.copy(LegacyFixtures.url(name)).path }

    /// Writes a file into the folder.
    public func file(_ name: String, _ contents: Data = Data()) throws -> String {
        try folder.file(name, contents).path
    }

    /// Runs the tool and waits until it has ended.
    public func callAsFunction(_ arguments: String...) throws -> Run { try run(arguments) }

    /// Runs the tool, or a copy of the tool in another place.
    ///
    /// `limits` contains shell commands that set resource limits.
    public func run(
        _ arguments: [String],
        at copy: URL? = nil,
        limits: String? = nil,
        output device: String? = nil,
        environment: [String: String] = [:]
    ) throws -> Run {
        let process = Process()
        let streams = try TemporaryFolder()
        let output = try streams.file("stdout", "")
        let diagnostics = try streams.file("stderr", "")
        try process.command(arguments, limits: limits)
        if let copy { process.executableURL = copy }
        process.environment = Self.environment.merging(environment) { _, own in own }
        let handles = [
            try FileHandle(forWritingTo: device.map(URL.init(fileURLWithPath:)) ?? output),
            try FileHandle(forWritingTo: diagnostics),
        ]
        process.standardOutput = handles[0]
        process.standardError = handles[1]
        process.standardInput = FileHandle.nullDevice
        try process.run()
        try process.waitForEnd("the command to end")
        // `Process` does not close these handles. If more than 1,300 files are open, Foundation on Linux cannot start
        // another process.
        for handle in handles { try handle.close() }
        return Run(
            status: process.terminationReason == .exit ? process.terminationStatus : -1,
            output: try String(contentsOf: output, encoding: .utf8),
            diagnostics: try String(contentsOf: diagnostics, encoding: .utf8)
        )
    }

    /// Returns everything in the folder, by name, so that a test can check that a run changed nothing.
    public func contents() throws -> [String: Data] { try folder.contents() }

    /// The user's environment, with a separate cache folder for tests.
    public static let environment = ProcessInfo.processInfo.environment.merging([
        "XDG_CACHE_HOME": FileManager.default.temporaryDirectory
            .appendingPathComponent("pushbridge-tests").path
    ]) { _, own in own }

    /// Returns the location of the tool, which the build places beside the test bundle.
    public static func executable() throws -> URL {
        let bundles = [Bundle.main.bundleURL] + Bundle.allBundles.map(\.bundleURL)
        let folders = bundles.flatMap { [$0, $0.deletingLastPathComponent()] }
        let candidates = folders.map { $0.appendingPathComponent("pushbridge") }
        return try #require(candidates.first { FileManager.default.isExecutableFile(atPath: $0.path) })
    }
}

extension Process {
    /// Configures this process to run the tool.
    ///
    /// `limits` contains shell commands that set resource limits.
    func command(_ arguments: [String], limits: String? = nil) throws {
        executableURL = try CommandLineTool.executable()
        self.arguments = arguments
        if let limits {
            let command = [#"\#(limits); exec "$0" "$@""#, try CommandLineTool.executable().path]
            executableURL = URL(fileURLWithPath: "/bin/bash")
            self.arguments = ["-c"] + command + arguments
        }
    }
}
