extension SymbolTable.Section {
    /// The table as the guide has it, a line per row.
    public var markdown: String {
        let head = ["<a id=\"\(anchor)\"></a>\(titles[0])"] + titles.dropFirst()
        let lines = [head, titles.map { _ in "---" }] + rows.map { $0.cells(titles.count) }
        return lines.map { "| \($0.joined(separator: " | ")) |\n" }.joined().replacing("|  |", with: "| |")
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
