import Foundation
import PushBridgeCommandLineTestSupport
import PushBridgeTestSupport
import Testing

/// The fix-its of the package trait `MigrationFixIts`, as the compiler shows them.
@Suite struct FixItTests {
    private let compiler: Compiler

    init() throws {
        compiler = try Compiler()
    }

    /// Properties of the legacy API, each with its name in the new one.
    private static let renamed = [
        ("PushNotification", "mechanismUUID", "credentialId"),
        ("PushNotification", "timeExpired", "expiresAt"),
        ("PushNotification", "message", "messageText"), ("PushNotification", "identifier", "id"),
        ("Account", "imageUrl", "imageURL"), ("Account", "lock", "isLocked"),
        ("PushDeviceToken", "tokenId", "token"), ("PushDeviceToken", "timeAdded", "createdAt"),
        ("Mechanism", "mechanismUUID", "id"), ("Mechanism", "timeAdded", "createdAt"),
        ("Mechanism", "uid", "userId"),
    ]

    /// A function for each property: it takes a value of the type and reads it.
    private func source(
        importing module: String,
        _ uses: [(type: String, name: String)]
    ) throws -> URL {
        let functions = uses.enumerated().map { index, use in
            "func use\(index)(_ value: \(use.type)) { _ = value.\(use.name) }\n"
        }
        return try compiler.folder.file("App.swift", "import \(module)\n\(functions.joined())")
    }

    /// Compiles a file and returns what the compiler says about it.
    private func diagnostics(of source: URL) throws -> [String] {
        let options = ["-parse-as-library", "-swift-version", "6", "-diagnostic-style", "llvm"]
        let command = ["swiftc", "-typecheck", "-I", compiler.folder.url.path] + options
        return try compiler.output(of: command + Compiler.ownModules() + [source.path])
            .split(separator: "\n").map(String.init)
            .filter { $0.hasPrefix(source.path) }
            .map { $0.replacing(#/^.*?:\d+:\d+: /#, with: "") }
    }

    @Test func theTraitOffersTheNewNames() throws {
        let legacy = Compiler.repository.appendingPathComponent("Sources/FRAuthenticator")
        let sources = try FileManager.default.subpathsOfDirectory(atPath: legacy.path).sorted()
            .filter { $0.hasSuffix(".swift") }.map(legacy.appendingPathComponent)
        // SwiftPM defines a trait that is on for the sources of its package.
        let features = ["ExistentialAny", "InternalImportsByDefault", "MemberImportVisibility"]
        let noise = try compiler.module(
            "FRAuthenticator",
            sources,
            [
                "-D", "MigrationFixIts", "-swift-version", "6",
                "-package-name", Compiler.repository.lastPathComponent.lowercased(),
            ] + features.flatMap { ["-enable-upcoming-feature", $0] } + Compiler.ownModules()
        )
        #expect(!noise.contains("warning:"), "The module's own sources are not to be changed: \(noise)")
        let found = try diagnostics(
            of: source(importing: "FRAuthenticator", Self.renamed.map { ($0.0, $0.1) })
        )
        let expected = Self.renamed.flatMap { _, old, new in
            ["warning: '\(old)' is deprecated: renamed to '\(new)'", "note: use '\(new)' instead"]
        }
        #expect(found.map { $0.replacing(#/ \[#\w+\]$/#, with: "") } == expected)
    }

    @Test func withoutTheTraitNothingIsDeprecated() throws {
        let found = try diagnostics(
            of: source(importing: "FRAuthenticator", Self.renamed.map { ($0.0, $0.1) })
        )
        #expect(found == [])
    }

    /// What a fix-it writes compiles as soon as the value comes from the new API.
    @Test func theNewNamesAreThoseOfTheNewTypes() throws {
        let types = ["Account": "PushCredential", "Mechanism": "PushCredential"]
        let uses = Self.renamed.map { (types[$0.0] ?? $0.0, $0.2) }
        #expect(try diagnostics(of: source(importing: "PingPush", uses)) == [])
    }

    /// Off by default, and named as the guide names it.
    @Test func theTraitIsOffByDefault() throws {
        let manifest = Compiler.repository.appendingPathComponent("Package.swift")
        let text = try String(contentsOf: manifest, encoding: .utf8)
        #expect(text.contains("name: \"MigrationFixIts\""))
        #expect(!text.contains(".default(enabledTraits:"))
    }
}
