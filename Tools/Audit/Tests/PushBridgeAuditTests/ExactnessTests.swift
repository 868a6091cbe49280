import Foundation
import PushBridgeAudit
import PushBridgeSymbols
import PushBridgeTestSupport
import Testing

/// Every use and nothing else, held against lists that were written by hand.
@Suite struct ExactnessTests {
    @Test(arguments: ["5", "6"])
    func trapsAreTold(fromUses languageMode: String) throws {
        let compiler = try Compiler()
        for module in ["FRCore", "FRAuthenticator", "Elsewhere"] {
            try compiler.module(module, compiler.copy("Traps/\(module)"))
        }
        let sources = try compiler.copy("Traps/App")
        try compiler.app(sources, ["-swift-version", languageMode])
        // A build of another configuration, which counts as well.
        try compiler.app(sources, as: "extra", ["-swift-version", languageMode, "-D", "EXTRA"])

        let expected = try Places(markedIn: sources)
        let audit = try compiler.audit()
        #expect(Places(of: audit).differences(from: expected) == [])
        #expect(expected.count > 100)
        #expect(audit.stale == [])
        try columnsNameTheirSymbols(audit, in: compiler)
    }

    /// The call sites of this project, with its own modules: in both language modes, and those of the old-style app.
    @Test(arguments: [
        ("Tests/LegacyCallSites", "5", "LegacyCallSites"),
        ("Tests/LegacyCallSitesSwift6", "6", "LegacyCallSites"),
        ("Examples/OldStyleApp/Sources/Step1", "5", "Step1"),
    ])
    func callSitesAreTold(in path: String, mode: String, by list: String) throws {
        let compiler = try Compiler()
        let sources = try Compiler.files(in: Compiler.repository.appendingPathComponent(path))
        try compiler.app(sources, Compiler.ownModules() + ["-swift-version", mode])

        let list = Compiler.packages.appendingPathComponent("CallSites/\(list).uses")
        let expected = try Places(listedIn: list)
        let audit = try compiler.audit()
        #expect(Places(of: audit).differences(from: expected) == [])
        #expect(audit.symbols.allSatisfy { $0.entry != nil })
    }

    /// The messages, properties and types of a generated header have USRs of Objective-C's form.
    @Test func objectiveCIsToldFromUses() throws {
        let compiler = try Compiler()
        _ = try compiler.copy("ObjectiveC")
        let source = compiler.folder.url.appendingPathComponent("ObjectiveC/Screen.m")
        try compiler.run([
            "clang", "-c", "-x", "objective-c", "-fblocks", "-fobjc-runtime=gnustep-2.0", "-w", "-o",
            "screen.o",
            "-index-store-path", compiler.store, source.path,
        ])
        let audit = try compiler.audit()
        #expect(try Places(of: audit).differences(from: Places(markedIn: [source])) == [])
        #expect(audit.symbols.allSatisfy { $0.entry != nil })
    }

    #if os(Linux)
    /// On Apple platforms what Objective-C can see has such USRs in Swift as well.
    @Test func symbolsThatObjectiveCSeesAreTheSameInSwift() throws {
        let compiler = try Compiler()
        let sources = try compiler.copy("Apple")
        let options = [
            "-parse-as-library", "-enable-objc-interop", "-disable-objc-attr-requires-foundation-module",
            "-I", ".",
        ]
        try compiler.run(
            ["swiftc", "-frontend", "-emit-module", "-module-name", "FRAuthenticator"] + options
                + ["-o", "FRAuthenticator.swiftmodule", sources[1].path]
        )
        try compiler.run(
            ["swiftc", "-frontend", "-typecheck", "-module-name", "App"] + options
                + ["-index-store-path", compiler.store, "-index-unit-output-path", "App.o", sources[0].path]
        )
        let audit = try compiler.audit()
        #expect(try Places(of: audit).differences(from: Places(markedIn: [sources[0]])) == [])
        #expect(audit.symbols.contains { $0.spelling == "Account.lock(policy:)" })
    }
    #endif

    /// The text at a place is the symbol's name, or what the app calls it.
    private func columnsNameTheirSymbols(_ audit: Audit, in compiler: Compiler) throws {
        var lines: [String: [Substring]] = [:]
        for file in audit.files {
            let text = try String(
                contentsOf: compiler.folder.url.appendingPathComponent(file),
                encoding: .utf8
            )
            lines[file] = text.split(separator: "\n", omittingEmptySubsequences: false)
        }
        for use in audit.uses where use.role != .override {
            let line = try #require(lines[audit.files[use.file]]?[Int(use.line) - 1])
            let text = String(decoding: line.utf8.dropFirst(Int(use.column) - 1), as: UTF8.self)
            let symbol = audit.symbols[use.symbol]
            var names = [symbol.name.prefix { $0 != "(" }.description, use.alias.map { audit.names[$0] }]
            // An initializer's place is its type's name, unless it is written.
            if symbol.name.hasPrefix("init"), let owner = symbol.owners.last { names.append(owner) }
            #expect(
                names.contains { $0.map(text.hasPrefix) ?? false },
                "\(audit.files[use.file]):\(use.line) \(symbol.spelling)"
            )
        }
    }
}
