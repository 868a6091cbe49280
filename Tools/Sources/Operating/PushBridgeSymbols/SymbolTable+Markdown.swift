extension SymbolTable.Section {
    /// The table in the form of docs/symbols.md, with one line for each row.
    public var markdown: String {
        let head = ["<a id=\"\(anchor)\"></a>\(titles[0])"] + titles.dropFirst()
        let lines = [head, titles.map { _ in "---" }] + rows.map { $0.cells(titles.count) }
        return lines.map { "| \($0.joined(separator: " | ")) |\n" }.joined().replacing("|  |", with: "| |")
    }
}

extension SymbolTable {
    /// The page references/symbols.md of the skill migrate-frauthenticator, which instructs coding assistants.
    ///
    /// The page lists the symbols by the kind of work that they require, and the differences in behaviour.
    public var reference: String {
        let classes = Work.allCases.reversed().map { work in
            let rows = sections.flatMap(\.rows).filter { $0.work == work }
            let isDecided = work == .needsDecision
            let lines = rows.map { row in
                let cells = row.cells(3) + (isDecided ? [row.decision] : [])
                return "| \(cells.joined(separator: " | ")) |\n"
            }
            let head = isDecided ? ("| decision ", "| --- ") : ("", "")
            let table =
                "| legacy | new | remark \(head.0)|\n| --- | --- | --- \(head.1)|\n\(lines.joined())"
            return "## \(work.rawValue)\n\n\(work.meaning)\n\n\(table.replacing("|  |", with: "| |"))"
        }
        let registers = RegisteredDivergence.Register.allCases.map { register in
            let lines = register.divergences.map { divergence in
                "| `\(divergence.id)` | \(divergence.legacy) | \(divergence.here) | \(divergence.why) |\n"
            }
            let head = "| id | before | then | why |\n| --- | --- | --- | --- |\n"
            return "## Different behaviour: \(register.rawValue)\n\n\(head)\(lines.joined())"
        }
        let title =
            "# The replacement of each symbol\n\n`pushbridge audit --reference` prints this file; "
            + "the guide is MIGRATION.md.\n\n"
        // Coding assistants copy the skill to other folders, where links to the documents would be broken.
        return title
            + (classes + registers).joined(separator: "\n")
            .replacing(#/\[[^\]]*\]\(([^)]*)\)/#) { "docs/\($0.1) of PushBridge" }
    }
}

extension SymbolRow {
    fileprivate func cells(_ count: Int) -> [String] {
        let symbols = groups.map { group in
            let members = group.members.map { "`\($0)`" }.joined(separator: ", ")
            let owners = group.owners.map { "`\($0)`" }.joined(separator: ", ")
            return owners.isEmpty ? members : "\(owners): \(members)"
        }
        let first = symbols.joined(separator: "; ") + (note.isEmpty ? "" : " \(note)")
        return Array([first, becomes, remark].prefix(count))
    }
}
