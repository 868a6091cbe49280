import Foundation
import PushBridgeSymbols

/// The uses found so far, one for each place, and their symbols.
struct UseCollection {
    private var symbols: [Audit.Symbol] = []
    private var symbolIndices: [String: Int] = [:]
    private var names: [String] = []
    private var nameIndices: [String: Int] = [:]
    private var files: [String] = []
    private var places: [Place: Int] = [:]
    private var uses: [Found] = []
    /// The target of each type alias, by the alias's USR: a legacy symbol's key, or the USR of another alias.
    var aliases: [String: String] = [:]
    /// Uses of type aliases by the alias's USR, until their targets are known.
    private var aliasUses: [String: [Found]] = [:]
    /// The USRs of members that the app adds to legacy classes in Objective-C.
    ///
    /// Like the USRs of the SDK's own members, these USRs contain the name of the legacy class.
    var ownMembers: Set<String> = []

    struct Place: Hashable {
        let file: Int
        let line: UInt32
        let column: UInt32
    }

    struct Found {
        var symbol: Int
        let place: Place
        var role: SymbolRole
        var enclosing: Int?
        var alias: Int?
        /// The symbol's USR if the symbol may turn out to belong to the app itself; otherwise `nil`.
        var usr: String?
    }

    /// Returns the index of a symbol by its key; `nil` if the symbol has not been added yet.
    func symbol(_ key: String) -> Int? { symbolIndices[key] }

    /// Adds a symbol and returns its index.
    mutating func add(_ symbol: Audit.Symbol, as key: String) -> Int {
        symbolIndices[key] = symbols.count
        symbols.append(symbol)
        return symbols.count - 1
    }

    /// Adds a file and returns its index.
    mutating func add(file: String) -> Int {
        files.append(file)
        return files.count - 1
    }

    /// Returns the index of a declaration's name, and adds the name if it is new.
    mutating func index(of name: String) -> Int {
        if let known = nameIndices[name] { return known }
        nameIndices[name] = names.count
        names.append(name)
        return names.count - 1
    }

    /// Adds a use of a type alias.
    mutating func add(_ found: Found, named usr: String) { aliasUses[usr, default: []].append(found) }

    /// Adds a use, or merges two uses at one place: a member replaces its type, and the more specific role wins.
    mutating func add(_ found: Found) {
        guard let index = places[found.place] else {
            places[found.place] = uses.count
            uses.append(found)
            return
        }
        let known = uses[index]
        uses[index].alias = known.alias ?? found.alias
        if symbols[known.symbol].isType, !symbols[found.symbol].isType {
            uses[index] = found
            uses[index].alias = known.alias ?? found.alias
        } else if known.symbol == found.symbol {
            let order: [SymbolRole] = [.conformance, .override, .extension, .write, .call, .read, .reference]
            uses[index].role = order.first { $0 == known.role || $0 == found.role } ?? known.role
        }
    }

    /// Returns all uses, including those of type aliases.
    /// - Parameter modules: The modules that the audit searched for.
    /// - Returns: An audit without locations.
    mutating func audit(of modules: Set<String>) -> Audit {
        for (alias, found) in aliasUses {
            guard let symbol = target(of: alias) else { continue }
            for var use in found {
                use.symbol = symbol
                add(use)
            }
        }
        let ownMembers = ownMembers
        let kept = uses.filter { use in use.usr.map { !ownMembers.contains($0) } ?? true }
        var audit = Audit(
            index: "",
            indexTime: .distantPast,
            library: "",
            project: "",
            modules: modules.sorted(),
            indexedFiles: 0,
            symbols: symbols,
            files: files,
            names: names,
            uses: kept.map { use in
                Audit.Use(
                    symbol: use.symbol,
                    file: use.place.file,
                    line: use.place.line,
                    column: use.place.column,
                    role: use.role,
                    enclosing: use.enclosing,
                    alias: use.alias
                )
            },
            stale: [],
            unindexed: [],
            refreshCommand: "",
            mentions: []
        )
        audit.mergeSymbols()
        audit.workOutDivergences()
        return audit
    }

    private func target(of alias: String) -> Int? {
        var usr = alias
        // The number of steps is limited, because aliases in a damaged index may form a cycle.
        for _ in 0..<16 {
            guard let next = aliases[usr] else { return nil }
            if let symbol = symbolIndices[next] { return symbol }
            usr = next
        }
        return nil
    }
}

extension Audit {
    /// Merges symbols that the report shows as one, such as a property and its setter in Objective-C.
    fileprivate mutating func mergeSymbols() {
        var merged: [Symbol] = []
        var indices: [String: Int] = [:]
        var map: [Int] = []
        for symbol in symbols {
            let key = "\(symbol.module) \(symbol.spelling)"
            if let index = indices[key] {
                map.append(index)
            } else {
                indices[key] = merged.count
                map.append(merged.count)
                merged.append(symbol)
            }
        }
        symbols = merged
        uses = uses.map {
            Use(
                symbol: map[$0.symbol],
                file: $0.file,
                line: $0.line,
                column: $0.column,
                role: $0.role,
                enclosing: $0.enclosing,
                alias: $0.alias
            )
        }
        let used = Set(uses.map(\.symbol))
        // Symbols without uses are dropped, such as a symbol that is overridden only by a compiler-generated member.
        var kept: [Symbol] = []
        var positions: [Int: Int] = [:]
        for (index, symbol) in symbols.enumerated() where used.contains(index) {
            positions[index] = kept.count
            kept.append(symbol)
        }
        symbols = kept
        uses = uses.map {
            Use(
                symbol: positions[$0.symbol] ?? 0,
                file: $0.file,
                line: $0.line,
                column: $0.column,
                role: $0.role,
                enclosing: $0.enclosing,
                alias: $0.alias
            )
        }
    }
}
