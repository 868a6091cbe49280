import Foundation
import PushBridgeToolsTestSupport
import Testing

/// The built command line, run as a user runs it.
struct CommandLineTool {
    struct Run {
        let status: Int32
        let output: String
        let diagnostics: String

        /// The one sentence of a failure.
        var sentences: [Substring] { diagnostics.split(separator: "\n") }

        func json<Document: Decodable>(_ type: Document.Type) throws -> Document {
            try JSONDecoder().decode(type, from: Data(output.utf8))
        }
    }

    /// A folder of its own for every test.
    let folder: TemporaryFolder

    init() throws {
        folder = try TemporaryFolder()
    }

    func path(_ name: String) -> String { folder.path(name) }

    /// A copy of a fixture, which a run may change.
    func fixture(_ name: String) throws -> String { try folder.copy(LegacyFixtures.url(name)).path }

    func file(_ name: String, _ contents: Data = Data()) throws -> String {
        try folder.file(name, contents).path
    }

    func callAsFunction(_ arguments: String...) throws -> Run { try run(arguments) }

    /// Runs the tool; `limits` are commands of a shell that set them.
    func run(
        _ arguments: [String],
        limits: String? = nil,
        output device: String? = nil,
        environment: [String: String] = [:]
    ) throws -> Run {
        let process = Process()
        let streams = try TemporaryFolder()
        let output = try streams.file("stdout", "")
        let diagnostics = try streams.file("stderr", "")
        process.executableURL = try Self.executable()
        process.arguments = arguments
        if let limits {
            let command = [#"\#(limits); exec "$0" "$@""#, try Self.executable().path]
            process.executableURL = URL(fileURLWithPath: "/bin/bash")
            process.arguments = ["-c"] + command + arguments
        }
        process.environment = Self.environment.merging(environment) { _, own in own }
        process.standardOutput = try FileHandle(
            forWritingTo: device.map(URL.init(fileURLWithPath:)) ?? output
        )
        process.standardError = try FileHandle(forWritingTo: diagnostics)
        process.standardInput = FileHandle.nullDevice
        try process.run()
        process.waitUntilExit()
        return Run(
            status: process.terminationReason == .exit ? process.terminationStatus : -1,
            output: try String(contentsOf: output, encoding: .utf8),
            diagnostics: try String(contentsOf: diagnostics, encoding: .utf8)
        )
    }

    /// Everything in the folder, by name, to see that a run changed nothing.
    func contents() throws -> [String: Data] { try folder.contents() }

    /// The user's, with a cache folder that is the tests'.
    static let environment = ProcessInfo.processInfo.environment.merging([
        "XDG_CACHE_HOME": FileManager.default.temporaryDirectory
            .appendingPathComponent("pushbridge-tests").path
    ]) { _, own in own }

    /// The tool lies beside the test bundle.
    static func executable() throws -> URL {
        let bundles = [Bundle.main.bundleURL] + Bundle.allBundles.map(\.bundleURL)
        let folders = bundles.flatMap { [$0, $0.deletingLastPathComponent()] }
        let candidates = folders.map { $0.appendingPathComponent("pushbridge") }
        return try #require(candidates.first { FileManager.default.isExecutableFile(atPath: $0.path) })
    }
}
