/// The table of record: what becomes of each public symbol of the legacy API.
///
/// The guide's tables, the audit and the skill are made from it or held against it.
public struct SymbolTable: Sendable {
    /// The table.
    public static let record = SymbolTable(sections: allSections)

    /// The parts, in the order of docs/symbols.md.
    public let sections: [Section]
    private let entries: [Key: SymbolEntry]
    /// The labelled spellings, which are more exact than ``entries``.
    private let labelled: [Key: SymbolEntry]
    private let members: [String: [String]]

    /// A part of the table, which is a table of docs/symbols.md.
    public struct Section: Sendable {
        /// The id of its place, which is the same wherever the table is.
        public let anchor: String
        /// The titles of its columns.
        public let titles: [String]
        /// Its rows.
        public let rows: [SymbolRow]

        /// Where it is shown.
        public var place: DocumentPlace { DocumentPlace(page: .symbols, anchor: anchor) }
    }

    private struct Key: Hashable {
        let owner: String?
        let name: String
    }

    init(sections: [Section]) {
        self.sections = sections
        var entries: [Key: SymbolEntry] = [:]
        var labelled: [Key: SymbolEntry] = [:]
        var members: [String: [String]] = [:]
        for section in sections {
            for row in section.rows {
                for (subject, becomes) in row.pairs {
                    let entry = SymbolEntry(
                        subject: subject,
                        becomes: becomes,
                        row: row,
                        place: section.place
                    )
                    let key = Key(owner: subject.owner, name: subject.name)
                    if subject.isLabelled { labelled[key] = labelled[key] ?? entry }
                    let base = Key(owner: subject.owner, name: subject.base)
                    entries[base] = entries[base] ?? entry
                    if let owner = subject.owner { members[owner, default: []].append(subject.base) }
                }
            }
        }
        // A type without its own row has the work of its first row.
        for row in sections.flatMap({ section in section.rows.map { (section.place, $0) } }) {
            for owner in row.1.groups.flatMap(\.owners) {
                let key = Key(owner: nil, name: owner)
                let subject = SymbolName(owner: nil, name: owner)
                entries[key] =
                    entries[key]
                    ?? SymbolEntry(subject: subject, becomes: row.1.becomes, row: row.1, place: row.0)
            }
        }
        self.entries = entries
        self.labelled = labelled
        self.members = members
    }

    /// Finds a symbol.
    /// - Parameters:
    ///   - owners: The types that it is nested in, from the outside; none for what stands alone.
    ///   - name: Its name, with argument labels if it has any.
    /// - Returns: Its entry in the table; `nil` if there is none.
    public func entry(owners: [String], name: String) -> SymbolEntry? {
        let base = SymbolName.base(of: name)
        guard let owner = owners.last else { return entries[Key(owner: nil, name: base)] }
        // A nested type may be listed as a member of the outer one, and its members beside it.
        for owner in owners.reversed() {
            if let entry = labelled[Key(owner: owner, name: name)] { return entry }
            if let entry = entries[Key(owner: owner, name: base)] { return entry }
        }
        if owners.count > 1, let entry = entries[Key(owner: owners[owners.count - 2], name: owner)] {
            return entry
        }
        return nil
    }

    /// Finds a type.
    /// - Parameter type: The type's name.
    /// - Returns: Its entry in the table; `nil` if there is none.
    public func entry(type: String) -> SymbolEntry? { entries[Key(owner: nil, name: type)] }

    /// Finds the member that an Objective-C selector or enumerator stands for.
    /// - Parameters:
    ///   - selector: The selector.
    ///   - owner: The type's name.
    /// - Returns: The member's name; `nil` if the table has none.
    public func member(selector: String, of owner: String) -> String? {
        var part = String(selector.prefix { $0 != ":" })
        let names = members[owner] ?? []
        if part.hasPrefix(owner), let first = part.dropFirst(owner.count).first {
            // The case of an enum: PushTypeChallenge.
            part = first.lowercased() + part.dropFirst(owner.count + 1)
        } else if part.hasPrefix("set"), selector.hasSuffix(":"), let first = part.dropFirst(3).first {
            let property = first.lowercased() + part.dropFirst(4)
            if names.contains(property) { return property }
        }
        return names.filter { name in
            part == name || part.hasPrefix(name) && part.dropFirst(name.count).first?.isUppercase == true
        }
        .max { $0.count < $1.count }
    }
}

/// The table's entry for one symbol.
public struct SymbolEntry: Sendable {
    /// The symbol.
    public let subject: SymbolName
    /// Its new form, in Markdown.
    public let becomes: String
    /// The row of the entry.
    public let row: SymbolRow
    /// Its place in the documents.
    public let place: DocumentPlace
}

/// The work at a place that uses a symbol.
public enum Work: String, CaseIterable, Sendable {
    /// Nothing: the name stays what it is, or the call site may stay.
    case stays
    /// Another name, or another expression, for the same value.
    case rename
    /// A call that is awaited.
    case needsAwait = "needs await"
    /// A person decides, because the behaviour differs or there is no such thing.
    case needsDecision = "needs a decision"

    /// Its meaning, in one sentence.
    public var meaning: String {
        switch self {
        case .stays: "The name is the same in the new API, or the call site may stay."
        case .rename: "Another name, or another expression, for the same value."
        case .needsAwait: "The call becomes async."
        case .needsDecision:
            "The behaviour differs, or there is no such thing: read what the documents say and decide."
        }
    }
}
