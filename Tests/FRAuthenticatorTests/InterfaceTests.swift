#if os(Linux)
import Foundation
import PushBridgeTestSupport
import Testing

/// PushBridge's modules contain every public declaration of the legacy SDK.
///
/// The tests compare the compiler's symbol graphs. If there is a new release, list its public declarations in
/// a file beside `LegacyInterface/frauthenticator-4.9.1.txt`. Also add call sites to those in
/// `LegacyCallSites`, which are compiled in Swift 5 mode and in Swift 6 mode.
@Suite("The interface of the SDK")
struct InterfaceTests {
    @Test func ourInterfaceContainsEveryDeclarationOfTheLegacySDK() async throws {
        let ours = try await Interface(
            of: ["FRAuthenticator", "FRCore", "PushBridgeStore", "PushBridgePlatform"]
        )
        // PushBridgeCore is loaded separately, because some of its types have the same names as types of
        // FRAuthenticator.
        let core = try await Interface(of: ["PushBridgeCore"])
        let missing = try LegacyDeclaration.all().filter { !ours.has($0) && !core.has($0) }
            .map(\.description)
        #expect(missing.sorted() == Self.ourOwnWay.keys.sorted())
    }

    @Test func theInterfaceCheckDetectsAChangedDeclaration() async throws {
        let ours = try await Interface(of: ["FRCore"])
        let lines = [
            "func build() -> URLRequest", "let url: Int", "let url: String { get set }", "class Request",
            "struct Request: NSObject", "mutating func updateHeader(headers: [String: String], a: Int)",
            "open func build() -> URLRequest?", "@discardableResult func build() -> URLRequest?",
        ]
        for line in lines { #expect(!ours.has(LegacyDeclaration(owner: "Request", line: line)), "\(line)") }
        let known = LegacyDeclaration(owner: "Request", line: "func build() -> URLRequest?")
        #expect(ours.has(known))
    }

    /// As in the SDK, code that uses names of FRCore must import FRCore, except for three names.
    ///
    /// The legacy SDK declares these three names in FRAuthenticator.
    @Test func theModuleReexportsOnlyThreeNamesOfFRCore() throws {
        let file = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
            .appendingPathComponent("../../Sources/FRAuthenticator/Exports.swift")
        let exported = try String(contentsOf: file, encoding: .utf8)
            .matches(of: #/@_exported public import \w+ FRCore\.(\w+)/#).map { String($0.1) }
        #expect(Set(exported) == ["FRALog", "SuccessCallback", "ErrorCallback"])
    }

    /// The declarations that differ from the SDK's declarations but compile at the SDK's call sites, each
    /// with the reason.
    private static let ourOwnWay = [
        "FRURLSessionHandlerProtocol: protocol FRURLSessionHandlerProtocol: URLSessionTaskDelegate":
            "URLSessionTaskDelegate is Sendable, and the handlers of apps are not",
        "KeychainAccessibility: var rawValue: String": "the compiler generates this property, and does not list it",
    ]
}

/// A declaration of the SDK: a line of the file in `LegacyInterface`.
private struct LegacyDeclaration: CustomStringConvertible {
    let owner: String
    let line: String

    var description: String { owner.isEmpty ? line : "\(owner): \(line)" }

    /// Returns the declarations for this platform.
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

/// The declarations of PushBridge's modules, in the format of the list's lines.
private struct Interface {
    private let declared: DeclaredSymbols
    private var members: [String: [String: Set<Trait>]] = [:]
    private var types: [String: (text: String, isOpen: Bool)] = [:]

    /// A trait of a declaration that is compared separately from its text.
    private enum Trait: String, CaseIterable {
        case open
        case discardable = "@discardableResult"
    }

    init(of modules: [String]) async throws {
        declared = try await DeclaredSymbols(of: modules)
        for symbol in declared.symbols {
            let text = Self.plain(symbol.declaration, in: symbol.owner)
            var traits: Set<Trait> = symbol.isOpen ? [.open] : []
            if symbol.declaration.contains(Trait.discardable.rawValue) { traits.insert(.discardable) }
            // A conforming type may repeat a declaration of its protocol, so the traits of both declarations are
            // combined.
            members[symbol.owner, default: [:]][text, default: []].formUnion(traits)
            if symbol.isType { types[symbol.path] = (text, symbol.isOpen) }
        }
    }

    func has(_ declaration: LegacyDeclaration) -> Bool {
        let (owner, line) = (declaration.owner, Self.plain(declaration.line, in: declaration.owner))
        let ancestors = declared.ancestors(of: owner)
        let traits = Set(Trait.allCases.filter { declaration.line.contains("\($0.rawValue) ") })
        if let type = line.wholeMatch(of: #/(class|struct|enum|protocol) (\w+)(?:: (.*))?/#) {
            let expected = (type.3 ?? "").split(separator: ", ").flatMap { name in
                name == "Codable" ? ["Encodable", "Decodable"] : name == "String" ? [] : [String(name)]
            }
            guard let known = types[owner], known.isOpen || !traits.contains(.open) else { return false }
            return known.text.hasPrefix("\(type.1) \(type.2)") && Set(expected).isSubset(of: ancestors)
        }
        let candidates = ancestors.union([owner]).flatMap { members[$0] ?? [:] }
            .filter { traits.isSubset(of: $0.value) }.map(\.key)
        guard let property = Property(line) else { return candidates.contains(line) }
        return candidates.compactMap(Property.init).contains { candidate in
            candidate.declaration == property.declaration
                && (candidate.isSettable || !property.isToBeSettable)
        }
    }

    /// Returns a declaration without the parts that make no difference at call sites.
    private static func plain(_ text: String, in owner: String) -> String {
        var text = text.replacing(#/@\w+ |nonisolated\(unsafe\) /#, with: "")
            .replacing(#/\b(public|final|open|override|convenience|required|any) /#, with: "")
            .replacing(#/\((\w+)\)\?/#) { "\($0.1)?" }
            .replacingOccurrences(of: "TimeInterval", with: "Double")
            .replacingOccurrences(of: " : ", with: ": ")
        if !owner.isEmpty { text = text.replacingOccurrences(of: "\(owner).", with: "") }
        return text
    }
}

/// A property: its declaration, and whether it is settable or must be settable.
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
#endif
