#if os(Linux)
import Foundation
import Testing

/// Every public declaration of the SDK is one of ours, as the compiler sees it.
@Suite("The interface of the SDK")
struct InterfaceTests {
    @Test func everyDeclarationOfTheSDKIsOurs() throws {
        let ours = try Interface(of: "FRAuthenticator", "FRCore", "PushBridgeStore", "PushBridgePlatform")
        let missing = try LegacyDeclaration.all().filter { !ours.has($0) }.map(\.description)
        #expect(missing.sorted() == Self.ourOwnWay.keys.sorted())
    }

    @Test func aDeclarationThatIsLostIsMissed() throws {
        let ours = try Interface(of: "FRCore")
        let lines = [
            "func build() -> URLRequest", "let url: Int", "let url: String { get set }", "class Request",
            "struct Request: NSObject", "mutating func updateHeader(headers: [String: String], a: Int)",
        ]
        for line in lines { #expect(!ours.has(LegacyDeclaration(owner: "Request", line: line)), "\(line)") }
        let known = LegacyDeclaration(owner: "Request", line: "func build() -> URLRequest?")
        #expect(ours.has(known))
    }

    /// What compiles at the SDK's call sites though it is declared otherwise, and why it is.
    private static let ourOwnWay = [
        "Account: var displayIssuer: String? { get set }": "String!, for code that is written for either",
        "Account: var displayAccountName: String? { get set }": "String!, for the same reason",
        "FRAClient: func getAllNotifications(mechanism: PushMechanism) -> [PushNotification]":
            "takes any mechanism",
        "FRURLSessionHandlerProtocol: protocol FRURLSessionHandlerProtocol: URLSessionTaskDelegate":
            "that is Sendable, and the handlers of apps are not",
        "KeychainAccessibility: case alwaysThisDeviceOnly": "a constant, because Apple deprecated the class",
        "KeychainAccessibility: var rawValue: String": "the compiler makes it, and does not list it",
        """
        RestClient: func setURLSessionConfiguration(config: URLSessionConfiguration?, \
        handler: FRURLSessionHandler?)
        """:
            "takes anything that conforms to the protocol",
    ]
}

/// A line of the list.
private struct LegacyDeclaration: CustomStringConvertible {
    let owner: String
    let line: String

    var description: String { owner.isEmpty ? line : "\(owner): \(line)" }

    /// Those that are there on this platform.
    static func all() throws -> [LegacyDeclaration] {
        let list = URL(fileURLWithPath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
            .appendingPathComponent("LegacyInterface/frauthenticator-4.9.1.txt")
        var (owner, found) = ("", [LegacyDeclaration]())
        for line in try String(contentsOf: list, encoding: .utf8).split(separator: "\n") {
            if line.hasPrefix("//") || line.hasSuffix("// Security") { continue }
            if line.hasPrefix("#") {
                owner = line.dropFirst().trimmingCharacters(in: .whitespaces)
            } else {
                found.append(LegacyDeclaration(owner: owner, line: String(line)))
            }
        }
        return found
    }
}

/// What modules declare, read from the compiler's symbol graphs.
private struct Interface {
    private var members: [String: Set<String>] = [:]
    private var types: [String: String] = [:]
    private var supertypes: [String: Set<String>] = [:]

    init(of modules: String...) throws {
        let folder = FileManager.default.temporaryDirectory.appendingPathComponent(UUID().uuidString)
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(at: folder) }
        for module in modules { try Self.extract(module, to: folder) }
        let graphs = try FileManager.default.contentsOfDirectory(at: folder, includingPropertiesForKeys: nil)
            .map { try JSONDecoder().decode(Graph.self, from: Data(contentsOf: $0)) }
        let symbols = graphs.flatMap(\.symbols)
        let names = Dictionary(symbols.map { ($0.identifier.precise, $0.name) }) { first, _ in first }
        for symbol in symbols {
            let fragments = (symbol.declarationFragments ?? []).map(\.spelling)
            let text = Self.plain(fragments.joined(), in: symbol.owner)
            members[symbol.owner, default: []].insert(text)
            if symbol.kind.isType { types[symbol.name] = text }
        }
        for relationship in graphs.flatMap(\.relationships) {
            guard ["inheritsFrom", "conformsTo"].contains(relationship.kind),
                let source = names[relationship.source],
                let target = names[relationship.target]
                    ?? relationship.targetFallback?.split(separator: ".").last.map(String.init)
            else { continue }
            supertypes[source, default: []].insert(target)
        }
    }

    func has(_ declaration: LegacyDeclaration) -> Bool {
        let (owner, line) = (declaration.owner, Self.plain(declaration.line, in: declaration.owner))
        if let type = line.wholeMatch(of: #/(class|struct|enum|protocol) (\w+)(?:: (.*))?/#) {
            let expected = (type.3 ?? "").split(separator: ", ").flatMap { name in
                name == "Codable" ? ["Encodable", "Decodable"] : name == "String" ? [] : [String(name)]
            }
            let isThere = types[owner]?.hasPrefix("\(type.1) \(type.2)") == true
            return isThere && Set(expected).isSubset(of: ancestors(of: owner))
        }
        let candidates = ancestors(of: owner).union([owner]).flatMap { members[$0] ?? [] }
        guard let property = Property(line) else { return candidates.contains(line) }
        return candidates.compactMap(Property.init).contains { candidate in
            candidate.declaration == property.declaration
                && (candidate.isSettable || !property.isToBeSettable)
        }
    }

    private func ancestors(of type: String) -> Set<String> {
        var (found, next) = (Set<String>(), [type])
        while let type = next.popLast() {
            next += (supertypes[type] ?? []).filter { found.insert($0).inserted }
        }
        return found
    }

    /// A declaration without what no call site sees.
    private static func plain(_ text: String, in owner: String) -> String {
        var text = text.replacing(#/@\w+ |nonisolated\(unsafe\) /#, with: "")
            .replacing(#/\b(public|final|open|override|convenience|required|any) /#, with: "")
            .replacing(#/\((\w+)\)\?/#) { "\($0.1)?" }
            .replacingOccurrences(of: "TimeInterval", with: "Double")
            .replacingOccurrences(of: " : ", with: ": ")
        if !owner.isEmpty { text = text.replacingOccurrences(of: "\(owner).", with: "") }
        return text
    }

    private static func extract(_ module: String, to folder: URL) throws {
        let products = URL(fileURLWithPath: CommandLine.arguments[0]).resolvingSymlinksInPath()
            .deletingLastPathComponent()
        let checkouts = products.deletingLastPathComponent().deletingLastPathComponent()
            .appendingPathComponent("checkouts")
        let process = Process()
        process.executableURL = URL(fileURLWithPath: "/usr/bin/env")
        process.arguments = [
            "swift-symbolgraph-extract", "-module-name", module, "-target", Self.target,
            "-I", products.appendingPathComponent("Modules").path,
            "-I", checkouts.appendingPathComponent("GRDB.swift/Sources/GRDBSQLite").path,
            "-minimum-access-level", "public", "-output-dir", folder.path,
        ]
        try process.run()
        process.waitUntilExit()
        try #require(process.terminationStatus == 0)
    }

    private static var target: String {
        #if arch(arm64)
        "aarch64-unknown-linux-gnu"
        #else
        "x86_64-unknown-linux-gnu"
        #endif
    }
}

/// A property: what it is, and whether an app may set it.
private struct Property {
    let declaration: String
    let isToBeSettable: Bool
    let isSettable: Bool

    init?(_ line: String) {
        let pattern = #/((?:static |class )?)(var|let) (\w+: .*?)( \{ get( set)? \})?/#
        guard let match = line.wholeMatch(of: pattern) else { return nil }
        declaration = (match.1.isEmpty ? "" : "static ") + match.3
        isToBeSettable = match.5 != nil
        isSettable = match.2 == "var" && (match.4 == nil || match.5 != nil)
    }
}

/// The part of a symbol graph that is read here.
private struct Graph: Decodable {
    let symbols: [Symbol]
    let relationships: [Relationship]

    struct Symbol: Decodable {
        let identifier: Identifier
        let kind: Kind
        let pathComponents: [String]
        let declarationFragments: [Fragment]?

        var name: String { pathComponents.joined(separator: ".") }
        var owner: String { pathComponents.dropLast().joined(separator: ".") }
    }

    struct Identifier: Decodable { let precise: String }
    struct Fragment: Decodable { let spelling: String }

    struct Kind: Decodable {
        let identifier: String

        var isType: Bool { ["class", "struct", "enum", "protocol"].contains { identifier == "swift.\($0)" } }
    }

    struct Relationship: Decodable {
        let kind: String
        let source: String
        let target: String
        let targetFallback: String?
    }
}
#endif
