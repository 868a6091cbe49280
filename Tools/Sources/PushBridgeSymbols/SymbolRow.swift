/// A row of the table: symbols that become the same, or pairwise what they become.
public struct SymbolRow: Sendable {
    /// The symbols, as docs/symbols.md shows them: `Owner, Owner: member, member; Type`.
    public let subject: String
    /// The text behind the symbols in docs/symbols.md; empty for most.
    public let note: String
    /// The new form, in Markdown.
    ///
    /// Of several forms between backticks, each belongs to one of as many members.
    public let becomes: String
    /// What else there is to know, in Markdown; empty if nothing.
    public let remark: String
    /// The work to do.
    public let work: Work
    /// The decision of a person, in one sentence of Markdown; empty where a register of divergences has it, and where
    /// there is nothing to decide.
    public let decision: String

    init(_ subject: String, note: String = "", _ becomes: String, _ work: Work, decide decision: String = "")
    {
        self.init(subject, note: note, becomes, "", work, decide: decision)
    }

    init(
        _ subject: String,
        note: String = "",
        _ becomes: String,
        _ remark: String,
        _ work: Work,
        decide decision: String = ""
    ) {
        self.subject = subject
        self.note = note
        self.becomes = becomes
        self.remark = remark
        self.work = work
        self.decision = decision
    }

    /// The symbols, each with its new form.
    public var pairs: [(subject: SymbolName, becomes: String)] {
        let forms = becomes.components(separatedBy: ", ")
        let groups = groups
        let arePairs =
            forms.allSatisfy { $0.hasPrefix("`") && $0.hasSuffix("`") } && forms.count > 1
            && groups.allSatisfy { $0.members.count == forms.count }
        return groups.flatMap { group in
            if group.owners.isEmpty {
                return group.members.map { (SymbolName(owner: nil, name: $0), becomes) }
            }
            return group.owners.flatMap { owner in
                group.members.enumerated().map { index, name in
                    (SymbolName(owner: owner, name: name), arePairs ? forms[index] : becomes)
                }
            }
        }
    }

    /// The symbols by owner; of what stands alone there is no owner.
    var groups: [(owners: [String], members: [String])] { SymbolName.groups(subject) }
}

/// A symbol of the legacy API.
public struct SymbolName: Hashable, Sendable {
    /// The type that it is a member of; `nil` for types and what stands alone.
    public let owner: String?
    /// Its name, with argument labels where only one of several overloads is meant.
    public let name: String

    /// Its name without argument labels.
    public var base: String { Self.base(of: name) }

    var isLabelled: Bool { name.contains("(") }

    static func base(of name: String) -> String { String(name.prefix { $0 != "(" }) }

    /// Reads `Owner, Owner: member, member; Type, Type`.
    static func groups(_ subject: String) -> [(owners: [String], members: [String])] {
        subject.components(separatedBy: "; ").map { group in
            let parts = group.components(separatedBy: ": ")
            let names = parts.map { $0.components(separatedBy: ", ") }
            return names.count == 1 ? ([], names[0]) : (names[0], names[1])
        }
    }
}

extension String {
    /// The parts between the separators; the standard library alone, so that nothing has to be linked.
    fileprivate func components(separatedBy separator: String) -> [String] {
        var parts: [String] = []
        var rest = self[...]
        while let range = rest.firstRange(of: separator) {
            parts.append(String(rest[..<range.lowerBound]))
            rest = rest[range.upperBound...]
        }
        return parts + [String(rest)]
    }
}
