/// A row of the symbol table.
///
/// The symbols of a row either share a replacement or have one replacement each.
public struct SymbolRow: Sendable {
    /// The symbols in the form of docs/symbols.md: `Owner, Owner: member, member; Type`.
    public let subject: String
    /// The text after the symbols in docs/symbols.md; usually empty.
    public let note: String
    /// The replacement, in Markdown.
    ///
    /// If the text is a list of forms in backticks, and the row has as many members, each form belongs to the member
    /// at its position. Otherwise, the text applies to each member.
    public let becomes: String
    /// Further remarks, in Markdown; may be empty.
    public let remark: String
    /// The kind of change that a use requires.
    public let work: Work
    /// The decision that a person must make, in one sentence of Markdown.
    ///
    /// The text is empty if there is nothing to decide, or if a register of divergences describes the
    /// decision.
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

    /// The symbols of the row, each with its replacement.
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

    /// The members by their owners; top-level symbols have no owner.
    var groups: [(owners: [String], members: [String])] { SymbolName.groups(subject) }
}

/// A symbol of the legacy API.
public struct SymbolName: Hashable, Sendable {
    /// The containing type; `nil` for types and top-level symbols.
    public let owner: String?
    /// The name of the symbol, with argument labels if the row applies to only one of several overloads.
    public let name: String

    /// The name without argument labels.
    public var base: String { Self.base(of: name) }

    var isLabelled: Bool { name.contains("(") }

    static func base(of name: String) -> String { String(name.prefix { $0 != "(" }) }

    /// Parses `Owner, Owner: member, member; Type, Type`.
    static func groups(_ subject: String) -> [(owners: [String], members: [String])] {
        subject.components(separatedBy: "; ").map { group in
            let parts = group.components(separatedBy: ": ")
            let names = parts.map { $0.components(separatedBy: ", ") }
            return names.count == 1 ? ([], names[0]) : (names[0], names[1])
        }
    }
}

extension String {
    /// Returns the parts between the separators.
    ///
    /// The function uses only the standard library, so the module does not need to link Foundation.
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
