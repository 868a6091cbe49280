import Foundation
import PushBridgeAudit
import PushBridgeSymbols
import PushBridgeTestSupport
import Testing

/// Audits find exactly the uses in hand-written lists.
@Suite struct ExactnessTests {
    @Test(arguments: ["5", "6"])
    func theAuditFindsExactlyTheMarkedUses(fromUses languageMode: String) throws {
        let compiler = try Compiler()
        for module in ["FRCore", "FRAuthenticator", "Elsewhere"] {
            try compiler.module(module, compiler.copy("Traps/\(module)"))
        }
        let sources = try compiler.copy("Traps/App")
        let options = try ["-swift-version", languageMode, "-suppress-warnings"] + Compiler.macrosOfTests()
        try compiler.app(sources, options)
        // A build of another configuration also counts.
        try compiler.app(sources, as: "extra", options + ["-D", "EXTRA"])

        let expected = try Places(markedIn: sources)
        let audit = try compiler.audit()
        #expect(Places(of: audit).differences(from: expected) == [])
        #expect(expected.count > 380)
        #expect(audit.stale == [])
        try columnsNameTheirSymbols(audit, in: compiler)
    }

    /// Audits this project's call sites, compiled with its modules in both language modes, and the old-style app.
    ///
    /// The lists do not count lines that contain only a comment.
    @Test(arguments: [
        ("Tests/LegacyCallSites", "5", "LegacyCallSites"),
        ("Tests/LegacyCallSitesSwift6", "6", "LegacyCallSites"),
        ("Examples/OldStyleApp/Sources/Step1", "5", "Step1"),
    ])
    func theAuditFindsExactlyTheListedCallSites(in path: String, mode: String, by list: String) throws {
        let compiler = try Compiler()
        let sources = try Compiler.files(in: Compiler.repository.appendingPathComponent(path)).map { file in
            let code = try String(contentsOf: file, encoding: .utf8)
                .split(separator: "\n", omittingEmptySubsequences: false)
                .filter { !$0.trimmingCharacters(in: .whitespaces).hasPrefix("//") }
            return try compiler.folder.file(file.lastPathComponent, code.joined(separator: "\n"))
        }
        try compiler.app(sources, Compiler.ownModules() + ["-swift-version", mode])

        let list = Compiler.packages.appendingPathComponent("CallSites/\(list).uses")
        let expected = try Places(listedIn: list)
        let audit = try compiler.audit()
        #expect(Places(of: audit).differences(from: expected) == [])
        #expect(audit.symbols.allSatisfy { $0.entry != nil })
    }

    /// The audit finds uses in Objective-C, where the symbols of a generated header have USRs in Objective-C's form.
    @Test func objectiveCUsesAreFound() throws {
        let compiler = try Compiler()
        _ = try compiler.copy("ObjectiveC")
        let sources = ["Screen.m", "Header.h", "Header.m", "Plus.mm"].map {
            compiler.folder.url.appendingPathComponent("ObjectiveC/\($0)")
        }
        for source in sources where source.pathExtension != "h" {
            let language = source.pathExtension == "mm" ? "objective-c++" : "objective-c"
            try compiler.run([
                "clang", "-c", "-x", language, "-fblocks", "-fobjc-runtime=gnustep-2.0", "-w", "-o",
                "\(source.lastPathComponent).o", "-index-store-path", compiler.store, source.path,
            ])
        }
        let audit = try compiler.audit()
        #expect(try Places(of: audit).differences(from: Places(markedIn: sources)) == [])
        #expect(audit.symbols.allSatisfy { $0.entry != nil })
    }

    #if os(Linux)
    /// On Apple platforms, symbols in Swift sources may also have USRs in Objective-C's form; the audit recognises
    /// them.
    @Test func symbolsVisibleToObjectiveCAreTheSameInSwift() throws {
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

    /// In a file with Windows line endings, an alias of an account counts, and an alias of a list of accounts does not.
    @Test func carriageReturnsDoNotChangeTheFoundUses() throws {
        let compiler = try Compiler()
        try compiler.module("FRCore", compiler.copy("Traps/FRCore"))
        try compiler.module("FRAuthenticator", compiler.copy("Traps/FRAuthenticator"))
        let lines = [
            "import FRAuthenticator", "typealias Customer = Account", "typealias Customers = [Account]",
            "func show(_ one: Customer, _ all: Customers) {}", "",
        ]
        try compiler.app([compiler.folder.file("App.swift", lines.joined(separator: "\r\n"))])
        let found = try compiler.audit().uses.map { "\($0.line):\($0.column)" }
        #expect(found == ["2:22", "3:24", "4:18"])
    }

    /// Checks that the text at each place, apart from overrides, is the symbol's name or the app's alias for the
    /// symbol.
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
            let text = String(decoding: line.utf8.dropFirst(Int(use.column) - 1), as: UTF8.self).drop {
                $0 == "`"
            }
            let symbol = audit.symbols[use.symbol]
            var names = [symbol.name.prefix { $0 != "(" }.description, use.alias.map { audit.names[$0] }]
            // A call of an initializer contains the type's name, unless the call names `init`.
            if symbol.name.hasPrefix("init"), let owner = symbol.owners.last { names.append(owner) }
            if symbol.name.hasPrefix("subscript") { names.append("[") }
            #expect(
                names.contains { $0.map(text.hasPrefix) ?? false },
                "\(audit.files[use.file]):\(use.line) \(symbol.spelling)"
            )
        }
    }
}
