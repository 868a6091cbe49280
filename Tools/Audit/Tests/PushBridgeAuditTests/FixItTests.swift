import Foundation
import PushBridgeCommandLineTestSupport
import PushBridgeTestSupport
import Testing

/// The fix-its of the package trait `MigrationFixIts`, in the compiler's output.
@Suite struct FixItTests {
    private let compiler: Compiler

    init() throws {
        compiler = try Compiler()
    }

    /// Properties of the legacy API and their new names.
    private static let renamed = [
        ("PushNotification", "mechanismUUID", "credentialId"),
        ("PushNotification", "timeExpired", "expiresAt"),
        ("PushNotification", "message", "messageText"), ("PushNotification", "identifier", "id"),
        ("Account", "imageUrl", "imageURL"), ("Account", "lock", "isLocked"),
        ("PushDeviceToken", "tokenId", "token"), ("PushDeviceToken", "timeAdded", "createdAt"),
        ("Mechanism", "mechanismUUID", "id"), ("Mechanism", "timeAdded", "createdAt"),
        ("Mechanism", "uid", "userId"),
    ]

    /// Creates a file with a function for each property; the function reads this property of its argument.
    private func source(
        importing module: String,
        _ uses: [(type: String, name: String)]
    ) throws -> URL {
        let functions = uses.enumerated().map { index, use in
            "func use\(index)(_ value: \(use.type)) { _ = value.\(use.name) }\n"
        }
        return try compiler.folder.file("App.swift", "import \(module)\n\(functions.joined())")
    }

    /// Compiles a file and returns the compiler's diagnostics.
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
        // SwiftPM makes each enabled trait a compilation condition for the sources of the trait's package.
        let features = ["ExistentialAny", "InternalImportsByDefault", "MemberImportVisibility"]
        let noise = try compiler.module(
            "FRAuthenticator",
            sources,
            [
                "-D", "MigrationFixIts", "-swift-version", "6",
                "-package-name", Compiler.repository.lastPathComponent.lowercased(),
            ] + features.flatMap { ["-enable-upcoming-feature", $0] } + Compiler.ownModules()
        )
        #expect(!noise.contains("warning:"), "The fix-its must not affect the module's own sources: \(noise)")
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

    /// Code to which the fix-its have been applied compiles once its values come from the async API.
    @Test func fixItsNamePropertiesOfTheNewTypes() throws {
        let types = ["Account": "PushCredential", "Mechanism": "PushCredential"]
        let uses = Self.renamed.map { (types[$0.0] ?? $0.0, $0.2) }
        #expect(try diagnostics(of: source(importing: "PingPush", uses)) == [])
    }

    /// The manifest declares the trait, and does not enable it by default.
    @Test func theTraitIsOffByDefault() throws {
        let manifest = Compiler.repository.appendingPathComponent("Package.swift")
        let text = try String(contentsOf: manifest, encoding: .utf8)
        #expect(text.contains("name: \"MigrationFixIts\""))
        #expect(!text.contains(".default(enabledTraits:"))
    }
}
