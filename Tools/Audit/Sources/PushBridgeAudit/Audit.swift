public import Foundation
public import PushBridgeSymbols

/// Every use of the legacy API in an app's sources, according to the index of its build.
public struct Audit: Sendable {
    /// The index store.
    public internal(set) var index: String
    /// The time of the newest compilation in the index.
    public internal(set) var indexTime: Date
    /// The library that read the index.
    public internal(set) var library: String
    /// The folder that file paths are relative to.
    public internal(set) var project: String
    /// The modules that the audit searched for.
    public internal(set) var modules: [String]
    /// The number of the app's files in the index.
    public internal(set) var indexedFiles: Int
    /// The symbols in use.
    public internal(set) var symbols: [Symbol]
    /// The paths of the files with uses; relative to the project's folder for files in this folder.
    public internal(set) var files: [String]
    /// Names of declarations, for ``Use/enclosing`` and ``Use/alias``.
    public internal(set) var names: [String]
    /// Every use, sorted by file, line and column.
    public internal(set) var uses: [Use]
    /// Files that changed after their compilation.
    public internal(set) var stale: [String]
    /// Files that import one of the ``modules`` but were not compiled.
    public internal(set) var unindexed: [String]
    /// Files of packages and pods that use the legacy API; the audit does not count them.
    public internal(set) var dependencies: [String] = []
    /// Requested modules that no source imports.
    public internal(set) var unknownModules: [String] = []
    /// The command that rebuilds the app.
    public internal(set) var refreshCommand: String
    /// Lines that import the legacy SDK, or that name it in a manifest.
    public internal(set) var mentions: [Mention]

    /// A symbol of the legacy API.
    public struct Symbol: Sendable {
        /// The module that declares the symbol.
        public let module: String
        /// The types that contain the symbol, outermost first.
        public let owners: [String]
        /// The symbol's name in Swift, with argument labels if they are known.
        public let name: String
        /// The row of the symbol or, if it has none, of its type in ``SymbolTable/record``; `nil` if the table has
        /// neither row.
        public let entry: SymbolEntry?
        /// Whether the symbol is a type.
        public let isType: Bool

        /// The name with the containing types.
        public var spelling: String { (owners + [name]).joined(separator: ".") }
        /// The kind of change that the symbol requires.
        public var work: Work { entry?.row.work ?? .needsDecision }
        /// The replacement in the async API, in Markdown.
        public var becomes: String { entry?.becomes ?? "no entry in the table of symbols" }

        /// Further remarks, in Markdown.
        public var remark: String {
            guard let entry else {
                return
                    "PushBridge lacks this symbol: it belongs to device binding or to a newer release of the SDK, or is not public"
            }
            return entry.row.remark
        }
    }

    /// A place that names a symbol.
    public struct Use: Sendable {
        /// The symbol's index in ``Audit/symbols``.
        public let symbol: Int
        /// The file's index in ``Audit/files``.
        public internal(set) var file: Int
        /// The line, from 1.
        public let line: UInt32
        /// The column in bytes of UTF-8, from 1.
        public let column: UInt32
        /// The way in which the place uses the symbol.
        public let role: SymbolRole
        /// The index in ``Audit/names`` of the enclosing declaration; `nil` at the top level of a file.
        public let enclosing: Int?
        /// The index in ``Audit/names`` of the app's alias that the place uses for the type; `nil` if the place uses
        /// the type's own name.
        public let alias: Int?
    }

    /// A line that names a package or module of the legacy SDK.
    public struct Mention: Sendable, Equatable {
        /// The kinds of files with mentions.
        public enum Kind: String, Sendable {
            /// `Package.swift`, `Podfile`, `project.pbxproj` and the like.
            case manifest
            /// A source that imports a module of the legacy SDK.
            case `import`
        }

        /// The kind of the file.
        public let kind: Kind
        /// The file, relative to the project's folder.
        public let file: String
        /// The line, from 1.
        public let line: Int
        /// The line's text without surrounding white space.
        public let text: String
    }

    /// The divergences that apply to the uses, from both registers, each with the indices of its places in ``uses``.
    public var divergences:
        [(register: RegisteredDivergence.Register, divergence: RegisteredDivergence, uses: [Int])]
    {
        var places: [String: [Int]] = [:]
        for (index, use) in uses.enumerated() {
            for divergence in divergences(of: use) { places[divergence.id, default: []].append(index) }
        }
        return RegisteredDivergence.Register.allCases.flatMap { register in
            register.divergences.compactMap { divergence in
                places[divergence.id].map { (register, divergence, $0) }
            }
        }
    }

    /// Returns the divergences that apply to a use.
    public func divergences(of use: Use) -> [RegisteredDivergence] {
        (met[MetKey(symbol: use.symbol, role: use.role)] ?? []).map { Self.registered[$0] }
    }

    /// Returns the decision that a use requires, in one sentence of Markdown; empty if the use requires no
    /// decision.
    public func decision(at use: Use) -> String {
        decisions[MetKey(symbol: use.symbol, role: use.role)] ?? ""
    }

    /// The number of uses in each class.
    public var totals: [Work: Int] {
        uses.reduce(into: [:]) { $0[symbols[$1.symbol].work, default: 0] += 1 }
    }

    /// The rows of ``SymbolTable/record`` that apply to none of the symbols in use.
    public var unusedRows: [SymbolRow] {
        let used = Set(symbols.compactMap { $0.entry?.row.subject })
        return SymbolTable.record.sections.flatMap(\.rows).filter { !used.contains($0.subject) }
    }

    // MARK: - Divergences of each symbol, computed once

    struct MetKey: Hashable, Sendable {
        let symbol: Int
        let role: SymbolRole
    }

    private static let registered = RegisteredDivergence.Register.allCases.flatMap(\.divergences)
    var met: [MetKey: [Int]] = [:]
    var decisions: [MetKey: String] = [:]

    mutating func workOutDivergences() {
        for key in Set(uses.map { MetKey(symbol: $0.symbol, role: $0.role) }) {
            let symbol = symbols[key.symbol]
            met[key] = Self.registered.indices.filter {
                Self.registered[$0].isMet(owners: symbol.owners, name: symbol.name, as: key.role)
            }
            if symbol.work == .needsDecision { decisions[key] = decision(about: symbol, as: key.role) }
        }
    }

    /// Returns the sentence about the decision that a use of a symbol requires; empty if there is none.
    ///
    /// The sentence is from the symbol's row of the table or, if the row has none, from the register of divergences
    /// between the APIs. All symbols that have no row get one fixed sentence.
    private func decision(about symbol: Symbol, as role: SymbolRole) -> String {
        guard let row = symbol.entry?.row else {
            return
                "PushBridge lacks this symbol, because it belongs to device binding or to a newer release of the SDK, or "
                + "is not public: decide what the app does without it."
        }
        guard row.decision.isEmpty else { return row.decision }
        let met = RegisteredDivergence.Register.betweenAPIs.divergences.first {
            $0.isMet(owners: symbol.owners, name: symbol.name, as: role)
        }
        return met?.sentence ?? ""
    }
}
