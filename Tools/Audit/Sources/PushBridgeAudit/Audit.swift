public import Foundation
public import PushBridgeSymbols

/// Every use of the legacy API in an app's sources, as its index tells.
public struct Audit: Sendable {
    /// The index store.
    public internal(set) var index: String
    /// The newest time at which one of its files was compiled.
    public internal(set) var indexTime: Date
    /// The library that it was read with.
    public internal(set) var library: String
    /// The folder that files are named from.
    public internal(set) var project: String
    /// The modules that were looked for.
    public internal(set) var modules: [String]
    /// How many files of the app the index knows.
    public internal(set) var indexedFiles: Int
    /// The symbols that are used.
    public internal(set) var symbols: [Symbol]
    /// The files with uses, from the project's folder if they are in it.
    public internal(set) var files: [String]
    /// Names of declarations, for ``Use/enclosing`` and ``Use/alias``.
    public internal(set) var names: [String]
    /// Every use, by file, line and column.
    public internal(set) var uses: [Use]
    /// Files that were changed after they were compiled.
    public internal(set) var stale: [String]
    /// Files that import a module and were not compiled.
    public internal(set) var unindexed: [String]
    /// Files of packages and pods that use the legacy API themselves, and are not counted.
    public internal(set) var dependencies: [String] = []
    /// Modules that were asked for and that nothing names.
    public internal(set) var unknownModules: [String] = []
    /// What builds the app again.
    public internal(set) var refreshCommand: String
    /// Lines of manifests that name the packages, and imports.
    public internal(set) var mentions: [Mention]

    /// A symbol of the legacy API.
    public struct Symbol: Sendable {
        /// The module that declares it.
        public let module: String
        /// The types it is nested in, from the outside.
        public let owners: [String]
        /// Its name in Swift, with argument labels if they are known.
        public let name: String
        /// What the table says; `nil` if it is not in the table.
        public let entry: SymbolEntry?
        /// Whether it is a type.
        public let isType: Bool

        /// Its name with the types around it.
        public var spelling: String { (owners + [name]).joined(separator: ".") }
        /// What is to be done.
        public var work: Work { entry?.row.work ?? .needsDecision }
        /// Its new form, in Markdown.
        public var becomes: String { entry?.becomes ?? "not in the table" }

        /// What else there is to know, in Markdown.
        public var remark: String {
            guard let entry else {
                return
                    "device binding, a newer release of the SDK, or not public: PushBridge has no such symbol"
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
        /// What the place does with the symbol.
        public let role: SymbolRole
        /// The index in ``Audit/names`` of the declaration around it; `nil` at the top of a file.
        public let enclosing: Int?
        /// The index in ``Audit/names`` of the app's name for the type that the place uses; `nil` for its own.
        public let alias: Int?
    }

    /// A line that names a package or module of the legacy SDK.
    public struct Mention: Sendable, Equatable {
        /// What kind of file it is in.
        public enum Kind: String, Sendable {
            /// `Package.swift`, `Podfile`, `project.pbxproj` and the like.
            case manifest
            /// A source that imports the module.
            case `import`
        }

        /// What kind of file it is in.
        public let kind: Kind
        /// The file, from the project's folder.
        public let file: String
        /// The line, from 1.
        public let line: Int
        /// The line's text, without the space around it.
        public let text: String
    }

    /// The divergences that the uses can meet, of both registers, each with its places as indices of ``uses``.
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

    /// The divergences that a use can meet.
    public func divergences(of use: Use) -> [RegisteredDivergence] {
        (met[MetKey(symbol: use.symbol, role: use.role)] ?? []).map { Self.registered[$0] }
    }

    /// What is to be decided at a use, in one sentence of Markdown; empty if nothing is.
    public func decision(at use: Use) -> String {
        decisions[MetKey(symbol: use.symbol, role: use.role)] ?? ""
    }

    /// How many uses are of each class.
    public var totals: [Work: Int] {
        uses.reduce(into: [:]) { $0[symbols[$1.symbol].work, default: 0] += 1 }
    }

    /// The rows of the table of which no symbol is used.
    public var unusedRows: [SymbolRow] {
        let used = Set(symbols.compactMap { $0.entry?.row.subject })
        return SymbolTable.record.sections.flatMap(\.rows).filter { !used.contains($0.subject) }
    }

    // MARK: - What each symbol meets, worked out once

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

    /// The row's own sentence, or that of the register of divergences between the APIs.
    private func decision(about symbol: Symbol, as role: SymbolRole) -> String {
        guard let row = symbol.entry?.row else {
            return
                "PushBridge has no such symbol, because it is of device binding, of a newer release of the SDK, or not "
                + "public: decide what the app does without it."
        }
        guard row.decision.isEmpty else { return row.decision }
        let met = RegisteredDivergence.Register.betweenAPIs.divergences.first {
            $0.isMet(owners: symbol.owners, name: symbol.name, as: role)
        }
        return met?.sentence ?? ""
    }
}
