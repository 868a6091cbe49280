import Foundation

/// The public declarations of modules, from the compiler's symbol graphs.
///
/// This type runs the compiler, so it is unavailable on iOS.
public struct DeclaredSymbols {
    /// A type or one of its members.
    public struct Symbol {
        /// The name of the type and the name of the symbol, as in `PushClient.close()`.
        public let path: String
        /// The type that contains the member; empty for a type of the module.
        public let owner: String
        /// Whether the symbol is a type.
        public let isType: Bool
        /// Whether an app may override the member or subclass the type.
        public let isOpen: Bool
        /// The declaration as the compiler writes it.
        public let declaration: String
    }

    /// All types and members.
    public private(set) var symbols: [Symbol] = []
    /// The direct superclass and the direct protocols of each type, without their modules.
    public private(set) var supertypes: [String: Set<String>] = [:]

    /// Reads the symbols of modules in the build folder of the running tests, with the compiler.
    public init(of modules: [String]) async throws {
        let folder = FileManager.default.temporaryDirectory.appendingPathComponent(UUID().uuidString)
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(at: folder) }
        let target = try await Self.target(folder.appendingPathComponent("target"))
        for module in modules { try await Self.extract(module, for: target, into: folder) }
        let graphs = try FileManager.default.contentsOfDirectory(at: folder, includingPropertiesForKeys: nil)
            .filter { $0.pathExtension == "json" }
            .map { try JSONDecoder().decode(Graph.self, from: Data(contentsOf: $0)) }
        let all = graphs.flatMap(\.symbols)
        symbols = all.map(Symbol.init)
        let paths = Dictionary(all.map { ($0.identifier.precise, $0.path) }) { first, _ in first }
        for relation in graphs.flatMap(\.relationships) {
            guard ["inheritsFrom", "conformsTo"].contains(relation.kind), let source = paths[relation.source],
                let name = paths[relation.target]
                    ?? relation.targetFallback?.split(separator: ".").last.map(String.init)
            else { continue }
            supertypes[source, default: []].insert(name)
        }
    }

    /// Returns all types and protocols from which a type inherits or to which it conforms.
    public func ancestors(of type: String) -> Set<String> {
        var (found, next) = (Set<String>(), [type])
        while let type = next.popLast() {
            next += (supertypes[type] ?? []).filter { found.insert($0).inserted }
        }
        return found
    }

    private static func extract(_ module: String, for target: String, into folder: URL) async throws {
        let products = URL(fileURLWithPath: CommandLine.arguments[0]).resolvingSymlinksInPath()
            .deletingLastPathComponent()
        let checkouts = products.deletingLastPathComponent().deletingLastPathComponent()
            .appendingPathComponent("checkouts")
        let status = try await swift([
            "symbolgraph-extract", "-module-name", module, "-target", target,
            "-I", products.appendingPathComponent("Modules").path,
            "-I", checkouts.appendingPathComponent("GRDB.swift/Sources/GRDBSQLite").path,
            "-minimum-access-level", "public", "-emit-extension-block-symbols",
            "-output-dir", folder.path,
        ])
        guard status == 0 else { throw Failure(module: module, status: status) }
    }

    /// Returns the target triple for which the modules are compiled.
    private static func target(_ file: URL) async throws -> String {
        struct Info: Decodable {
            struct Target: Decodable { let triple: String }
            let target: Target
        }
        _ = FileManager.default.createFile(atPath: file.path, contents: nil)
        _ = try await swift(["-print-target-info"], output: try FileHandle(forWritingTo: file))
        return try JSONDecoder().decode(Info.self, from: Data(contentsOf: file)).target.triple
    }

    /// Runs the compiler without blocking a thread.
    ///
    /// Tasks share only a few threads, which other tests need.
    private static func swift(_ arguments: [String], output: FileHandle? = nil) async throws -> Int32 {
        let process = Process()
        process.executableURL = URL(fileURLWithPath: "/usr/bin/env")
        process.arguments = ["swift"] + arguments
        if let output { process.standardOutput = output }
        try process.run()
        let limit = WaitedInVain.secondsOfProcess
        try await waitFor("the compiler to end", seconds: limit) { !process.isRunning }
        return process.terminationStatus
    }

    private struct Failure: Error {
        let module: String
        let status: Int32
    }
}

extension DeclaredSymbols.Symbol {
    fileprivate init(_ symbol: Graph.Symbol) {
        path = symbol.path
        owner = symbol.pathComponents.dropLast().joined(separator: ".")
        isType = ["class", "struct", "enum", "protocol"].contains { symbol.kind.identifier == "swift.\($0)" }
        isOpen = symbol.accessLevel == "open"
        declaration = (symbol.declarationFragments ?? []).map(\.spelling).joined()
    }
}

/// The parts of a symbol graph that are decoded.
private struct Graph: Decodable {
    let symbols: [Symbol]
    let relationships: [Relationship]

    struct Symbol: Decodable {
        struct Identifier: Decodable { let precise: String }
        struct Kind: Decodable { let identifier: String }
        struct Fragment: Decodable { let spelling: String }

        let identifier: Identifier
        let kind: Kind
        let pathComponents: [String]
        let declarationFragments: [Fragment]?
        let accessLevel: String

        var path: String { pathComponents.joined(separator: ".") }
    }

    struct Relationship: Decodable {
        let kind: String
        let source: String
        let target: String
        let targetFallback: String?
    }
}
