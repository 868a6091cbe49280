import Foundation
import PushBridgeCommandLineTestSupport
import PushBridgeTestSupport
import Testing

@testable import PushBridgeAudit

/// Compiles sources and writes an index, as an app's build does.
struct Compiler {
    let folder: TemporaryFolder
    /// The folder of the sources for these tests.
    static let packages = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
        .appendingPathComponent("Packages")

    init() throws {
        folder = try TemporaryFolder()
    }

    var store: String { folder.path("index/store") }

    /// Returns the audit of the build.
    func audit(modules: [String] = Audit.Options.defaultModules) throws -> Audit {
        try Audit.read(Audit.Options(index: store, project: folder.url.path, modules: modules))
    }

    /// Copies sources into the folder, so that a test can change them.
    func copy(_ path: String) throws -> [URL] {
        let source = Self.packages.appendingPathComponent(path)
        let target = folder.url.appendingPathComponent(path)
        try FileManager.default.createDirectory(
            at: target.deletingLastPathComponent(),
            withIntermediateDirectories: true
        )
        try FileManager.default.copyItem(at: source, to: target)
        return try Self.files(in: target)
    }

    static func files(in folder: URL) throws -> [URL] {
        try FileManager.default.contentsOfDirectory(atPath: folder.path).sorted()
            .filter { $0.hasSuffix(".swift") }.map { folder.appendingPathComponent($0) }
    }

    static let repository = packages.appendingPathComponent("../../../../..").standardizedFileURL

    /// Returns the options to import this project's modules, which were built for the tests.
    static func ownModules() throws -> [String] {
        let products = try CommandLineTool.executable().deletingLastPathComponent()
        let checkouts = products.deletingLastPathComponent().deletingLastPathComponent()
            .appendingPathComponent("checkouts")
        let headers = [
            "GRDB.swift/Sources/GRDBSQLite", "swift-crypto/Sources/CCryptoBoringSSL/include",
            "swift-crypto/Sources/CCryptoBoringSSLShims/include", "swift-crypto/Sources/CXKCP/include",
            "swift-crypto/Sources/CXKCPShims/include",
        ]
        let folders =
            [products.appendingPathComponent("Modules")] + headers.map(checkouts.appendingPathComponent)
        return folders.flatMap { ["-I", $0.path] }
    }

    /// Returns the compiler options that the macros of Swift Testing require.
    static func macrosOfTests() throws -> [String] {
        let plugins = URL(fileURLWithPath: try IndexLibrary(at: nil).path).deletingLastPathComponent()
            .appendingPathComponent("swift/host/plugins")
        return ["-plugin-path", plugins.path, "-plugin-path", plugins.appendingPathComponent("testing").path]
    }

    /// Builds a module that other sources can import, without an index; returns the compiler's diagnostics.
    @discardableResult
    func module(_ name: String, _ sources: [URL], _ options: [String] = []) throws -> String {
        try output(
            of: [
                "swiftc", "-emit-module", "-parse-as-library", "-module-name", name, "-enable-testing", "-I",
                ".",
                "-o", "\(name).swiftmodule",
            ] + options + sources.map(\.path)
        )
    }

    /// Compiles an app's sources with an index; each configuration has its own folder for object files.
    func app(
        _ sources: [URL],
        named name: String = "App",
        as configuration: String = "debug",
        _ options: [String] = []
    ) throws {
        let objects = folder.url.appendingPathComponent(configuration)
        try FileManager.default.createDirectory(at: objects, withIntermediateDirectories: true)
        try run(
            [
                "swiftc", "-c", "-parse-as-library", "-module-name", name, "-I", folder.url.path,
                "-enable-testing",
                "-index-store-path", store,
            ] + options + sources.map(\.path),
            in: objects
        )
    }

    func run(_ command: [String], in place: URL? = nil) throws {
        _ = try output(of: command, in: place)
    }

    /// Returns a command's output; the command must succeed.
    func output(of command: [String], in place: URL? = nil) throws -> String {
        let process = Process()
        let log = try folder.file("log.txt", "")
        process.executableURL = URL(fileURLWithPath: "/usr/bin/env")
        process.arguments = command
        process.currentDirectoryURL = place ?? folder.url
        process.standardOutput = try FileHandle(forWritingTo: log)
        process.standardError = process.standardOutput
        try process.run()
        process.waitUntilExit()
        let messages = try String(contentsOf: log, encoding: .utf8)
        try #require(process.terminationStatus == 0, "\(messages)")
        return messages
    }
}

/// The uses of an audit as text: for each line of a file, its symbols from left to right.
struct Places: Equatable, CustomStringConvertible {
    private(set) var lines: [String: [String]] = [:]

    /// Reads the marks after `//=` in sources.
    init(markedIn sources: [URL]) throws {
        for source in sources {
            let text = try String(contentsOf: source, encoding: .utf8)
            for (index, line) in text.split(separator: "\n", omittingEmptySubsequences: false).enumerated() {
                let parts = line.components(separatedBy: "//=")
                guard parts.count == 2 else { continue }
                let symbols = parts[1].trimmingCharacters(in: .whitespaces).components(separatedBy: ", ")
                if symbols != [""] { lines["\(source.lastPathComponent):\(index + 1)"] = symbols }
            }
        }
    }

    /// Reads a list in which each line describes one line of a source.
    init(listedIn list: URL) throws {
        for line in try String(contentsOf: list, encoding: .utf8).split(separator: "\n") {
            let parts = line.split(separator: " ", maxSplits: 1)
            lines[String(parts[0])] = parts[1].components(separatedBy: ", ")
        }
    }

    /// The uses of an audit.
    init(of audit: Audit) {
        for use in audit.uses {
            let file = URL(fileURLWithPath: audit.files[use.file]).lastPathComponent
            let alias = use.alias.map { " as \(audit.names[$0])" } ?? ""
            lines["\(file):\(use.line)", default: []].append(audit.symbols[use.symbol].spelling + alias)
        }
    }

    var count: Int { lines.values.reduce(0) { $0 + $1.count } }

    var description: String {
        lines.sorted { $0.key < $1.key }.map { "\($0.key) \($0.value.joined(separator: ", "))" }.joined(
            separator: "\n"
        )
    }

    /// Returns the lines that differ, for a readable failure message.
    func differences(from other: Places) -> [String] {
        Set(lines.keys).union(other.lines.keys).filter { lines[$0] != other.lines[$0] }.sorted().map {
            place in
            "\(place): \(lines[place] ?? []) and not \(other.lines[place] ?? [])"
        }
    }
}
