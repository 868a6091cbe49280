import Foundation
import Testing

/// The successor SDK's public names, from the list beside this file, against the compiled modules.
@Suite("Interface")
struct InterfaceTests {
    /// What the list names and ours has in another shape; the guide says so.
    private static let otherShape: Set<String> = [
        // They take the caller's isolation as well, which call sites leave out.
        "PushClient.createClient(configure:)", "OathClient.createClient(configure:)",
        // Structs over a store; their calls are async as an actor's are.
        "PushKeychainStorage : _Concurrency.Actor", "OathKeychainStorage : _Concurrency.Actor",
    ]
    /// Our names of types that the list calls otherwise.
    private static let aliases = [
        "PushKeychainStorage": "KeychainStorage", "OathKeychainStorage": "KeychainStorage",
    ]

    @Test func everyNameOfTheListIsThere() async throws {
        let listed = try Self.listed()
        let interface = try await CompiledInterface()
        #expect(listed.count > 350)
        #expect(listed.filter { !interface.has($0, aliases: Self.aliases) } == [])
    }

    private static func listed() throws -> [String] {
        let url = try #require(Bundle.module.url(forResource: "successor-api", withExtension: "txt"))
        return try String(contentsOf: url, encoding: .utf8).split(separator: "\n").map(String.init)
            .filter { !$0.hasPrefix("#") }
            .map { $0.components(separatedBy: " | ")[0] }
            .filter { !otherShape.contains($0) }
    }
}

/// The public symbols of the modules as the compiler tells them.
private struct CompiledInterface {
    private var names: Set<String> = []
    private var conformances: Set<String> = []

    init() async throws {
        let folder = FileManager.default.temporaryDirectory.appendingPathComponent(UUID().uuidString)
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(at: folder) }
        let modules = [
            "PingPush", "PingOath", "PingCommons", "PingLogger", "PushBridgeCore", "PushBridgeStore",
        ]
        let target = try await Self.target(folder.appendingPathComponent("target"))
        for module in modules { try await Self.extract(module, for: target, into: folder) }
        let graphs = try FileManager.default.contentsOfDirectory(at: folder, includingPropertiesForKeys: nil)
            .filter { $0.pathExtension == "json" }
            .map { try JSONDecoder().decode(Graph.self, from: Data(contentsOf: $0)) }
        let symbols = graphs.flatMap(\.symbols)
        let ids = symbols.map { ($0.identifier.precise, $0.pathComponents.joined(separator: ".")) }
        let types = Dictionary(ids) { first, _ in first }
        names = Set(types.values)
        for relation in graphs.flatMap(\.relationships) where relation.kind == "conformsTo" {
            guard let type = types[relation.source],
                let name = relation.targetFallback ?? types[relation.target]
            else { continue }
            conformances.insert("\(type) : \(name.split(separator: ".").last ?? "")")
        }
    }

    /// Whether a type, a member or a conformance is there.
    func has(_ listed: String, aliases: [String: String]) -> Bool {
        if listed.contains(" : ") {
            let parts = listed.components(separatedBy: " : ")
            let type = aliases[parts[0]] ?? parts[0]
            return conformances.contains("\(type) : \(parts[1].split(separator: ".").last ?? "")")
        }
        let parts = listed.split(separator: ".", maxSplits: 1).map(String.init)
        guard parts.count == 2, let alias = aliases[parts[0]] else {
            return names.contains(listed.replacingOccurrences(of: "`", with: ""))
        }
        let owners = [alias, "StoreBackedStorage", "StoreBackedOathStorage", "PushStorage", "OathStorage"]
        return owners.contains { owner in names.contains { $0.hasPrefix("\(owner).\(stem(parts[1]))") } }
    }

    /// A method's name as it is, and of an initialiser the first label: more arguments may follow.
    private func stem(_ member: String) -> String {
        member.hasPrefix("init") ? String(member.prefix { $0 != ":" && $0 != ")" }) : member
    }

    private static func extract(_ module: String, for target: String, into folder: URL) async throws {
        let source = URL(fileURLWithPath: #filePath)
        let root = source.deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()
        let products = Bundle.module.bundleURL.deletingLastPathComponent()
        let status = try await swift([
            "symbolgraph-extract", "-module-name", module,
            "-I", products.appendingPathComponent("Modules").path,
            "-I", root.appendingPathComponent(".build/checkouts/GRDB.swift/Sources/GRDBSQLite").path,
            "-target", target, "-minimum-access-level", "public", "-emit-extension-block-symbols",
            "-output-dir", folder.path,
        ])
        #expect(status == 0, "\(module)")
    }

    /// The triple that the modules are compiled for.
    private static func target(_ file: URL) async throws -> String {
        struct Info: Decodable {
            struct Target: Decodable { let triple: String }
            let target: Target
        }
        _ = FileManager.default.createFile(atPath: file.path, contents: nil)
        _ = try await swift(["-print-target-info"], output: try FileHandle(forWritingTo: file))
        return try JSONDecoder().decode(Info.self, from: Data(contentsOf: file)).target.triple
    }

    /// Runs the compiler; no thread waits for it, because other tests need the few that tasks share.
    private static func swift(_ arguments: [String], output: FileHandle? = nil) async throws -> Int32 {
        let process = Process()
        process.executableURL = URL(fileURLWithPath: "/usr/bin/env")
        process.arguments = ["swift"] + arguments
        if let output { process.standardOutput = output }
        let (ends, end) = AsyncStream.makeStream(of: Int32.self)
        process.terminationHandler = { end.yield($0.terminationStatus) }
        try process.run()
        for await status in ends { return status }
        return -1
    }

    private struct Graph: Decodable {
        let symbols: [Symbol]
        let relationships: [Relation]
    }

    private struct Symbol: Decodable {
        struct Identifier: Decodable { let precise: String }
        let identifier: Identifier
        let pathComponents: [String]
    }

    private struct Relation: Decodable {
        let kind: String
        let source: String
        let target: String
        let targetFallback: String?

    }
}
