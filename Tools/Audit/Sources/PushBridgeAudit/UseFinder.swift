import CIndexStore
import Foundation
import PushBridgeCommandLine
import PushBridgeSymbols

/// Collects the uses of legacy symbols from the records of the compiler's index.
///
/// A record of the index describes the symbols in a file.
///
/// A use is a place in a file that names a symbol, or a declaration that overrides a symbol or satisfies it as a
/// protocol requirement. Code that the compiler synthesizes (accessors, macro output, members) does not count. Each
/// place counts once.
struct UseFinder {
    private let modules: Set<String>
    /// The USR of every legacy symbol contains one of these texts.
    private let marks: [[CChar]]
    private var collection = UseCollection()
    /// The legacy protocol requirements that the app's declarations satisfy, by the declaration's USR.
    ///
    /// The index records them at the conformance and not at the declaration, so the declarations are looked up later.
    private var witnesses: [String: Int] = [:]

    /// Legacy types that PushBridge declares in modules below the legacy API, by module and name.
    ///
    /// The async API also has these types, so they count only in files that import the legacy API.
    private static let typesBelow = [
        ("PushBridgePlatform", "JailbreakDetector"), ("PushBridgeCore", "KeychainAccessibility"),
    ]

    init(modules: [String]) {
        self.modules = Set(modules)
        let marks =
            modules.flatMap {
                ["\($0.utf8.count)\($0)", "c:@M@\($0)@", "c:@CM@\($0)@", "c:\($0)-Swift.h@T@"]
            }
            + Self.typesBelow.map { "\($0.0.utf8.count)\($0.0)\($0.1.utf8.count)\($0.1)" }
        self.marks = marks.map { $0.utf8.map { CChar(bitPattern: $0) } }
    }

    // MARK: - Records

    /// Collects the uses in one record of the index.
    mutating func read(
        _ record: String,
        of file: String,
        in store: IndexStore
    ) throws(CommandFailure) {
        var reading = Reading(file: file)
        let marks = marks
        try store.read(record, of: file) { symbol in
            let usr = symbol.usr
            return marks.contains(where: usr.contains) || symbol.isTypeAlias && Self.mayBeOwn(usr)
        } _: { occurrence in
            take(occurrence, &reading)
        }
    }

    /// Returns whether a record of the index contains a symbol of one of the modules.
    func mayUse(_ record: String, of file: String, in store: IndexStore) throws(CommandFailure) -> Bool {
        var isFound = false
        try store.read(record, of: file) { symbol in
            let usr = symbol.usr
            if !isFound, marks.contains(where: usr.contains), symbol.kind != IndexSymbol.Kind.extension {
                isFound = LegacyName(usr: usr.string).map { modules.contains($0.module) } ?? false
            }
            return false
        } _: { _ in
        }
        return isFound
    }

    /// The state while a record is being read.
    private struct Reading {
        let file: String
        /// Whether the record belongs to a Swift file; the legacy symbols themselves are always declared in Swift.
        var isSwift: Bool { file.hasSuffix(".swift") }
        /// Returns the key of a symbol; Objective-C files have separate keys, because the symbol has a different name
        /// there.
        func key(of usr: String) -> String {
            isSwift || !usr.hasPrefix("c:@") ? usr : "\(usr) in Objective-C"
        }
        var fileIndex: Int?
        /// The kinds of symbols by the symbol's address, which stays valid while the record is open.
        var known: [index_object: Kind] = [:]
        var nameOf: [index_object: Int] = [:]
        /// The type alias that is being declared; `nil` if no alias is being declared.
        var declaredAlias: (usr: String, name: String, line: UInt32)?
        var importsLegacy = false
        lazy var lines: [Data] = {
            do {
                // The bytes are split, because in a `String` a carriage return and the following newline are one
                // `Character`.
                return try Data(contentsOf: URL(fileURLWithPath: file))
                    .split(separator: UInt8(ascii: "\n"), omittingEmptySubsequences: false)
            } catch {
                return []
            }
        }()

        /// Returns the parts of the line before and after a name; `nil` if the index has no column, or if the file no
        /// longer has the line.
        mutating func text(around place: (line: UInt32, column: UInt32)) -> (String, String)? {
            // An index contains 0 for an unknown column.
            guard lines.indices.contains(Int(place.line) - 1), place.column > 0 else { return nil }
            let line = lines[Int(place.line) - 1]
            let name = line.dropFirst(Int(place.column) - 1)
            let after = String(decoding: name, as: UTF8.self)
                .drop { $0.isLetter || $0.isNumber || $0 == "_" || $0 == "`" }
            return (String(decoding: line.prefix(Int(place.column) - 1), as: UTF8.self), String(after))
        }

        enum Kind {
            case other
            case legacyModule
            case legacy(symbol: Int, usr: String)
            case alias(usr: String)
        }
    }

    private mutating func take(_ occurrence: IndexOccurrence, _ reading: inout Reading) {
        guard let symbol = occurrence.symbol else { return }
        let roles = occurrence.roles
        if roles.contains(.definition) || roles.contains(.declaration) {
            return takeDeclaration(of: symbol, occurrence, roles, &reading)
        }
        if roles.contains(.implicit), !roles.contains(.reference) {
            return learnWitness(symbol, occurrence, &reading)
        }
        guard roles.contains(.reference) else { return }
        let kind = kind(of: symbol, &reading)
        switch kind {
        case .other: return
        case .legacyModule: reading.importsLegacy = true
        case .legacy(let index, let usr):
            if reading.isSwift, symbol.isAccessor { return }
            let relations = occurrence.relations
            // The index also marks some written code as implicit: a base class that is named by an alias and, in
            // Objective-C, the getter of a property.
            let isWritten =
                !roles.contains(.implicit) || relations.contains { $0.roles.contains(.baseOf) }
                || !reading.isSwift && roles.contains(.call)
            guard isWritten else { return }
            learnAlias(usr, occurrence, relations, &reading)
            let role = role(of: roles, relations)
            collection.add(
                UseCollection.Found(
                    symbol: index,
                    place: place(occurrence, &reading),
                    role: role,
                    enclosing: enclosing(relations, &reading),
                    usr: reading.isSwift ? nil : usr
                )
            )
        case .alias(let usr):
            guard !roles.contains(.implicit) else { return }
            let relations = occurrence.relations
            learnAlias(usr, occurrence, relations, &reading)
            let found = UseCollection.Found(
                symbol: -1,
                place: place(occurrence, &reading),
                role: role(of: roles, relations),
                enclosing: enclosing(relations, &reading),
                alias: collection.index(of: symbol.name)
            )
            collection.add(found, named: usr)
        }
    }

    /// Records a declaration that satisfies a requirement of a legacy protocol.
    ///
    /// The compiler reports this at the conformance, not at the declaration.
    private mutating func learnWitness(
        _ symbol: IndexSymbol,
        _ occurrence: IndexOccurrence,
        _ reading: inout Reading
    ) {
        guard !symbol.isAccessor else { return }
        for (roles, requirement) in occurrence.relations where roles.contains(.overrideOf) {
            guard case .legacy(let index, _) = kind(of: requirement, &reading) else { continue }
            if case .legacy = kind(of: symbol, &reading) { return }
            witnesses[symbol.usr.string] = index
        }
    }

    /// Collects, from one record of the index, the declarations that satisfy a requirement of a legacy protocol.
    ///
    /// Before this call, the conformances in all records must have been read.
    mutating func readWitnesses(
        _ record: String,
        of file: String,
        in store: IndexStore,
        named hashes: Set<UInt64>
    ) throws(CommandFailure) {
        var reading = Reading(file: file)
        try store.read(record, of: file) { symbol in
            hashes.contains(index_text_hash(symbol.usr))
        } _: { occurrence in
            guard let symbol = occurrence.symbol, occurrence.roles.contains(.definition),
                !occurrence.roles.contains(.implicit), hashes.contains(index_text_hash(symbol.usr)),
                let requirement = witnesses[symbol.usr.string]
            else { return }
            let enclosing = nameIndex(of: symbol, &reading)
            let place = place(occurrence, &reading)
            collection.add(
                UseCollection.Found(symbol: requirement, place: place, role: .override, enclosing: enclosing)
            )
        }
    }

    /// The hashes of the USRs for ``readWitnesses(_:of:in:named:)``.
    var witnessHashes: Set<UInt64> {
        Set(
            witnesses.keys.map { usr in
                let bytes = usr.utf8.map { CChar(bitPattern: $0) }
                return bytes.withUnsafeBufferPointer {
                    index_text_hash(index_text(start: $0.baseAddress, length: $0.count))
                }
            }
        )
    }

    private mutating func takeDeclaration(
        of symbol: IndexSymbol,
        _ occurrence: IndexOccurrence,
        _ roles: IndexRoles,
        _ reading: inout Reading
    ) {
        if symbol.subkind == IndexSymbol.Kind.genericParameter { return }
        let place = occurrence.place
        if symbol.isTypeAlias {
            reading.declaredAlias = (symbol.usr.string, symbol.name, place.line)
        } else if symbol.kind != IndexSymbol.Kind.parameter {
            reading.declaredAlias = nil
        }
        guard !roles.contains(.implicit) else { return }
        if !reading.isSwift, case .legacy(_, let usr) = kind(of: symbol, &reading) {
            collection.ownMembers.insert(usr)
        }
        guard !symbol.isAccessor else { return }
        for (relation, overridden) in occurrence.relations where relation.contains(.overrideOf) {
            guard case .legacy(let index, let usr) = kind(of: overridden, &reading) else { continue }
            let enclosing = nameIndex(of: symbol, &reading)
            let found = UseCollection.Found(
                symbol: index,
                place: self.place(occurrence, &reading),
                role: .override,
                enclosing: enclosing,
                usr: reading.isSwift ? nil : usr
            )
            return collection.add(found)
        }
    }

    /// Returns whether an alias may belong to the app; `false` for an alias of the standard library, Foundation or
    /// a system header.
    private static func mayBeOwn(_ usr: index_text) -> Bool {
        let start = UnsafeRawBufferPointer(start: usr.start, count: min(usr.length, 24))
        return ["s:s", "s:S", "s:10Foundation", "s:20FoundationEssentials", "c:@"]
            .allSatisfy { !start.starts(with: $0.utf8) }
    }

    // MARK: - Symbols

    private mutating func kind(of symbol: IndexSymbol, _ reading: inout Reading) -> Reading.Kind {
        if let known = reading.known[symbol.object] { return known }
        let kind = newKind(of: symbol, reading)
        reading.known[symbol.object] = kind
        return kind
    }

    private mutating func newKind(of symbol: IndexSymbol, _ reading: Reading) -> Reading.Kind {
        let text = symbol.usr
        if symbol.kind == IndexSymbol.Kind.module {
            return modules.contains(symbol.name) ? .legacyModule : .other
        }
        if marks.contains(where: text.contains), symbol.kind != IndexSymbol.Kind.extension {
            let usr = text.string
            let key = reading.key(of: usr)
            if let index = collection.symbol(key) { return .legacy(symbol: index, usr: usr) }
            if let legacy = LegacyName(usr: usr), isWanted(legacy, reading.importsLegacy) {
                let symbol = audited(legacy, symbol, isSwift: reading.isSwift)
                return .legacy(symbol: collection.add(symbol, as: key), usr: usr)
            }
        }
        return symbol.isTypeAlias && Self.mayBeOwn(text) ? .alias(usr: text.string) : .other
    }

    private func isWanted(_ legacy: LegacyName, _ importsLegacy: Bool) -> Bool {
        if modules.contains(legacy.module) { return true }
        let type = legacy.owners.first ?? legacy.name
        return importsLegacy && Self.typesBelow.contains { $0 == (legacy.module, type) }
    }

    private func audited(_ legacy: LegacyName, _ symbol: IndexSymbol, isSwift: Bool) -> Audit.Symbol {
        var name = symbol.name
        let table = SymbolTable.record
        // Swift's index contains the Swift name, even if the USR has Objective-C's form.
        if !isSwift {
            let member = legacy.owners.last.flatMap { table.member(selector: legacy.name, of: $0) }
            name = member ?? legacy.name
        } else if name.isEmpty {
            name = legacy.name
        }
        // The errors of PushBridge share the members of a protocol that callers cannot access, so these members are
        // listed under one error type.
        let owners = legacy.owners.map { $0 == "NumberedError" ? "FRError" : $0 }
        return Audit.Symbol(
            module: legacy.module,
            owners: owners,
            name: name,
            entry: table.entry(owners: owners, name: name)
                ?? owners.last.flatMap(table.entry(type:)),
            isType: IndexSymbol.Kind.types.contains(symbol.kind)
                || symbol.kind == IndexSymbol.Kind.typeAlias
        )
    }

    // MARK: - Places

    private func role(
        of roles: IndexRoles,
        _ relations: [(roles: IndexRoles, symbol: IndexSymbol)]
    ) -> SymbolRole {
        if relations.contains(where: { $0.roles.contains(.baseOf) }) { return .conformance }
        if relations.contains(where: { $0.roles.contains(.extendedBy) }) { return .extension }
        if roles.contains(.write) { return .write }
        if roles.contains(.call) { return .call }
        return roles.contains(.read) ? .read : .reference
    }

    private mutating func place(_ occurrence: IndexOccurrence, _ reading: inout Reading)
        -> UseCollection.Place
    {
        let file = reading.fileIndex ?? collection.add(file: reading.file)
        reading.fileIndex = file
        let (line, column) = occurrence.place
        return UseCollection.Place(file: file, line: line, column: column)
    }

    private mutating func enclosing(
        _ relations: [(roles: IndexRoles, symbol: IndexSymbol)],
        _ reading: inout Reading
    ) -> Int? {
        let around: [IndexRoles] = [.containedBy, .calledBy, .baseOf, .extendedBy]
        let relation = around.lazy.compactMap { role in relations.first { $0.roles.contains(role) } }.first
        return relation.map { nameIndex(of: $0.symbol, &reading) }
    }

    private mutating func nameIndex(of symbol: IndexSymbol, _ reading: inout Reading) -> Int {
        if let known = reading.nameOf[symbol.object] { return known }
        let index = collection.index(of: LegacyName.readable(usr: symbol.usr.string, name: symbol.name))
        reading.nameOf[symbol.object] = index
        return index
    }

    // MARK: - Type aliases

    /// Records the target of the alias that is being declared.
    ///
    /// The target is recorded only if the alias means the type itself, and not, for example, an array of the type.
    private mutating func learnAlias(
        _ usr: String,
        _ occurrence: IndexOccurrence,
        _ relations: [(roles: IndexRoles, symbol: IndexSymbol)],
        _ reading: inout Reading
    ) {
        guard reading.isSwift else {
            // In a typedef, the target precedes the name, so a relation of the index identifies the alias.
            let alias = relations.first { $0.roles.contains(.containedBy) && $0.symbol.isTypeAlias }
            guard let alias, let (before, after) = reading.text(around: occurrence.place),
                before.contains(#/^\s*typedef\s+(?:\w+\s+)*(?:id\s*<\s*)?$/#),
                after.contains(#/^[\s>*]*(?:\w+\s+)*\w+\s*;/#)
            else { return }
            collection.aliases[alias.symbol.usr.string] = reading.key(of: usr)
            return
        }
        guard relations.isEmpty, let declared = reading.declaredAlias else { return }
        let text = reading.text(around: occurrence.place)
        // A type that only qualifies a nested type is not the target.
        if let (_, after) = text, after.hasPrefix(".") { return }
        reading.declaredAlias = nil
        if let (before, after) = text {
            guard before.contains(#/(?:^|=)\s*(?:any\s+|some\s+)?(?:\w+\.)*$/#),
                after.contains(#/^\s*(?:$|[;}\/]|where\b)/#)
            else { return }
        }
        collection.aliases[declared.usr] = reading.key(of: usr)
    }

    // MARK: - The result

    /// Returns all uses, in an audit without locations.
    mutating func finish() -> Audit { collection.audit(of: modules) }
}
