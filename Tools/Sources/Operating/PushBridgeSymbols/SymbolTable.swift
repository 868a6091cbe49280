/// The table that contains the replacement of each public symbol of the legacy API.
///
/// For each symbol, the table also contains the necessary work, and the registered divergences that may affect uses
/// of the symbol. `Scripts/checks/document-tables` writes the table to docs/symbols.md, and to references/symbols.md
/// of the skill migrate-frauthenticator.
public struct SymbolTable: Sendable {
    /// The table of the legacy API.
    public static let record = SymbolTable(sections: allSections)

    /// The sections, in the order of docs/symbols.md.
    public let sections: [Section]
    private let entries: [Key: SymbolEntry]
    /// The entries with argument labels, which take precedence over ``entries``.
    private let labelled: [Key: SymbolEntry]
    private let members: [String: [String]]

    /// A section of the table, which is one table in docs/symbols.md.
    public struct Section: Sendable {
        /// The anchor of the section, which is the same in every document.
        public let anchor: String
        /// The titles of the section's columns.
        public let titles: [String]
        /// The rows of the section.
        public let rows: [SymbolRow]

        /// The section's place in docs/symbols.md.
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
        // A type without its own row gets the first row that names one of its members.
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
    ///   - owners: The containing types. The outermost type comes first. Empty for a top-level symbol.
    ///   - name: The symbol's name, with argument labels if it has any.
    /// - Returns: The entry of the symbol in the table; `nil` if the table has no entry.
    public func entry(owners: [String], name: String) -> SymbolEntry? {
        let base = SymbolName.base(of: name)
        guard let owner = owners.last else { return entries[Key(owner: nil, name: base)] }
        // The member is looked up in each containing type, from the innermost. If no row names the member, the row
        // that lists its type as a member of the outer type applies.
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
    /// - Returns: The entry of the type in the table; `nil` if the table has no entry.
    public func entry(type: String) -> SymbolEntry? { entries[Key(owner: nil, name: type)] }

    /// Finds the member that an Objective-C selector or enumerator refers to.
    /// - Parameters:
    ///   - selector: The selector.
    ///   - owner: The type's name.
    /// - Returns: The member's name; `nil` if the table does not contain it.
    public func member(selector: String, of owner: String) -> String? {
        var part = String(selector.prefix { $0 != ":" })
        let names = members[owner] ?? []
        if part.hasPrefix(owner), let first = part.dropFirst(owner.count).first {
            // The name is an enumerator, such as PushTypeChallenge of the enumeration PushType.
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
    /// The replacement, in Markdown.
    public let becomes: String
    /// The row that contains the entry.
    public let row: SymbolRow
    /// The place of the entry's section in the documents.
    public let place: DocumentPlace
}

/// The kind of change that a use of a symbol requires.
public enum Work: String, CaseIterable, Sendable {
    /// No change.
    case stays
    /// Another name, or another expression, for the same value.
    case rename
    /// The call must be awaited.
    case needsAwait = "needs await"
    /// A person must decide, because the behaviour differs or there is no equivalent.
    case needsDecision = "needs a decision"

    /// The meaning in one sentence.
    public var meaning: String {
        switch self {
        case .stays:
            "The call site can stay as it is; the async API has the same name, or the old name still works."
        case .rename: "Another name, or another expression, for the same value."
        case .needsAwait: "The call becomes async."
        case .needsDecision:
            "The behaviour differs, or there is no equivalent: read the documents and decide."
        }
    }
}
