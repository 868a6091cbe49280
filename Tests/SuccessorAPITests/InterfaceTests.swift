import Foundation
import PushBridgeTestSupport
import Testing

/// The compiled modules contain the public declarations of each release of the successor SDK, with the listed
/// exceptions.
///
/// For a new release, add its list of declarations in a file `successor-X.Y.txt`, and its number to `releases`. The
/// test then names the missing declarations. Also add call sites to the existing ones, which are compiled in Swift 5
/// mode and in Swift 6 mode.
@Suite("Interface")
struct InterfaceTests {
    /// PushBridge's names for types that have different names in the list, by the name in the list.
    private static let aliases = [
        "PushKeychainStorage": "KeychainStorage", "OathKeychainStorage": "KeychainStorage",
    ]
    private static let modules = [
        "PingPush", "PingOath", "PingCommons", "PingLogger", "PingAuthMigration", "PushBridgeCore",
        "PushBridgeStore",
        "PushBridgeClients",
    ]

    /// The releases whose declarations are listed, each with the declarations that a later release removed or changed.
    private static let releases: [String: Set<String>] = [
        "2.2": [],
        "2.0": [
            "PushKeychainStorage | actor PushKeychainStorage", "PushKeychainStorage : _Concurrency.Actor",
            "OathKeychainStorage | actor OathKeychainStorage", "OathKeychainStorage : _Concurrency.Actor",
            "OathError.duplicateCredential(_:)",
            "OathKeychainStorage.hasCredential(id:) | func hasCredential(id: String) -> Bool",
            "PushKeychainStorage.init(logger:) | init(logger: (any Logger)? = nil)",
        ],
    ]

    @Test(arguments: releases.keys.sorted())
    func theInterfaceLacksOnlyTheExpectedDeclarations(_ release: String) async throws {
        let listed = try Listed.all(of: release)
        let interface = try await CompiledInterface(Self.modules)
        #expect(listed.count > 350)
        #expect(listed.filter { $0.signature != nil }.count > 100)
        let missing = listed.filter { !interface.has($0, aliases: Self.aliases) }.map(\.description)
        #expect(try missing.sorted() == #require(Self.releases[release]).sorted())
    }
}

/// A line of the list: a name and, on some lines, the signature.
private struct Listed: CustomStringConvertible {
    let name: String
    let signature: String?

    var description: String { signature.map { "\(name) | \($0)" } ?? name }

    init(_ line: some StringProtocol) {
        let parts = line.components(separatedBy: " | ")
        name = parts[0].replacingOccurrences(of: "`", with: "")
        signature = parts.count > 1 ? parts[1] : nil
    }

    static func all(of release: String) throws -> [Listed] {
        let name = "successor-\(release)"
        let url = try #require(Bundle.module.url(forResource: name, withExtension: "txt"))
        return try String(contentsOf: url, encoding: .utf8).split(separator: "\n")
            .filter { !$0.hasPrefix("#") }
            .map { Listed($0) }
    }
}

/// The public symbols of PushBridge's modules, in the format of the list's lines.
private struct CompiledInterface {
    private let declared: DeclaredSymbols
    private let declarations: [String: Set<String>]

    init(_ modules: [String]) async throws {
        declared = try await DeclaredSymbols(of: modules)
        declarations = Dictionary(
            declared.symbols.map { ($0.path, [Self.plain($0.declaration)]) }
        ) { $0.union($1) }
    }

    /// Returns whether a type, a member or a conformance exists.
    ///
    /// If the list has a signature, the signature must also be the same.
    func has(_ listed: Listed, aliases: [String: String]) -> Bool {
        if listed.name.contains(" : ") {
            let parts = listed.name.components(separatedBy: " : ")
            let name = parts[1].split(separator: ".").last.map(String.init) ?? ""
            return declared.ancestors(of: aliases[parts[0]] ?? parts[0]).contains(name)
        }
        let parts = listed.name.split(separator: ".", maxSplits: 1).map(String.init)
        if parts.count == 2, let alias = aliases[parts[0]] {
            let owners = [
                alias, "StoreBackedStorage", "StoreBackedOathStorage", "PushStorage", "OathStorage",
            ]
            guard parts[1].hasPrefix("init") else {
                return has(owners.map { "\($0).\(parts[1])" }, listed.signature)
            }
            // The names are compared up to the first label, because other arguments may follow.
            let start = parts[1].prefix { $0 != ":" && $0 != ")" }
            return owners.contains { owner in
                declarations.keys.contains { $0.hasPrefix("\(owner).\(start)") }
            }
        }
        if let alias = aliases[listed.name], let signature = listed.signature {
            // PushBridge's type is generic, so the comparison ends at the type's name.
            let named = Self.plain(signature).replacingOccurrences(of: listed.name, with: alias)
            return declarations[alias]?.contains { $0.hasPrefix(named) } ?? false
        }
        let owners = declared.ancestors(of: parts[0]).union([parts[0]])
        let names = parts.count == 2 ? owners.map { "\($0).\(parts[1])" } : [listed.name]
        return has(names, listed.signature)
    }

    private func has(_ names: [String], _ signature: String?) -> Bool {
        let ours = names.flatMap { declarations[$0] ?? [] }
        guard !ours.isEmpty else { return false }
        return signature.map { ours.contains(Self.plain($0)) } ?? true
    }

    /// Returns a declaration without the parts that make no difference at call sites.
    private static func plain(_ text: String) -> String {
        var plain = text.replacing(#/\b(public|final|any) /#, with: "").replacing(#/\((\w+)\)\?/#) {
            "\($0.1)?"
        }
        .replacingOccurrences(of: "`", with: "").replacing(#/ \{ get (nonmutating )?set \}/#, with: "")
        if plain.hasSuffix(" { get }") {
            plain = String(plain.dropLast(" { get }".count)).replacing(#/\bvar /#, with: "let ")
        }
        return plain
    }
}
