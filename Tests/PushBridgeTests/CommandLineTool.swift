import Foundation
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
    let folder: URL

    init() throws {
        folder = FileManager.default.temporaryDirectory.appendingPathComponent(
            "pushbridge-\(UUID().uuidString)"
        )
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    }

    func path(_ name: String) -> String { folder.appendingPathComponent(name).path }

    /// A copy of a fixture, which a run may change.
    func fixture(_ name: String) throws -> String {
        let source = URL(fileURLWithPath: #filePath)
            .deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()
            .appendingPathComponent("LegacyFixtures").appendingPathComponent(name)
        try FileManager.default.copyItem(atPath: source.path, toPath: path(name))
        return path(name)
    }

    func file(_ name: String, _ contents: Data = Data()) throws -> String {
        try contents.write(to: folder.appendingPathComponent(name))
        return path(name)
    }

    func callAsFunction(_ arguments: String...) throws -> Run { try run(arguments) }

    func run(_ arguments: [String]) throws -> Run {
        let process = Process()
        let output = folder.appendingPathComponent("stdout-\(UUID().uuidString)")
        let diagnostics = folder.appendingPathComponent("stderr-\(UUID().uuidString)")
        FileManager.default.createFile(atPath: output.path, contents: nil)
        FileManager.default.createFile(atPath: diagnostics.path, contents: nil)
        process.executableURL = try Self.executable()
        process.arguments = arguments
        process.standardOutput = try FileHandle(forWritingTo: output)
        process.standardError = try FileHandle(forWritingTo: diagnostics)
        process.standardInput = FileHandle.nullDevice
        try process.run()
        process.waitUntilExit()
        defer {
            try? FileManager.default.removeItem(at: output)
            try? FileManager.default.removeItem(at: diagnostics)
        }
        return Run(
            status: process.terminationReason == .exit ? process.terminationStatus : -1,
            output: try String(contentsOf: output, encoding: .utf8),
            diagnostics: try String(contentsOf: diagnostics, encoding: .utf8)
        )
    }

    /// Everything in the folder, by name, to see that a run changed nothing.
    func contents() throws -> [String: Data] {
        let names = try FileManager.default.contentsOfDirectory(atPath: folder.path)
        return try Dictionary(
            uniqueKeysWithValues: names.filter { !$0.hasPrefix("std") }.map { name in
                var isFolder: ObjCBool = false
                FileManager.default.fileExists(atPath: path(name), isDirectory: &isFolder)
                return (
                    name,
                    isFolder.boolValue ? Data() : try Data(contentsOf: folder.appendingPathComponent(name))
                )
            }
        )
    }

    /// The tool lies beside the test bundle.
    private static func executable() throws -> URL {
        let bundles = [Bundle.main.bundleURL] + Bundle.allBundles.map(\.bundleURL)
        let folders = bundles.flatMap { [$0, $0.deletingLastPathComponent()] }
        let candidates = folders.map { $0.appendingPathComponent("pushbridge") }
        return try #require(candidates.first { FileManager.default.isExecutableFile(atPath: $0.path) })
    }
}
