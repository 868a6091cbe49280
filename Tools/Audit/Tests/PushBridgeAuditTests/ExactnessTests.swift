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
