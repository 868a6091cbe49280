import Foundation

/// A public declaration that was found by reading the lines of a source.
///
/// The declaration is at the left margin, or is a member of a type at the left margin.
struct PublicSymbol: Hashable {
    let owner: String?
    let name: String

    static func all(in folder: String) throws -> Set<PublicSymbol> {
        Set(try SourceFiles.contents(of: folder).flatMap(symbols))
    }

    private static func symbols(in source: String) -> [PublicSymbol] {
        var symbols: [PublicSymbol] = []
        // The types with `package` access. Their members are left out, because callers see them only as members of
        // public types, which the table of symbols lists.
        var hidden: Set<String> = []
        var owner = (name: "", isOpenDoor: false)
        for line in source.split(separator: "\n")
        where !line.contains("import ") && !line.contains("//") && !line.contains("@_spi") {
            if let top = line.firstMatch(
                of: #/^(?:@\w+ )*((?:[a-z]+ )*)(class|struct|enum|protocol|extension|typealias) (\w+)/#
            ) {
                let isPublic = top.1.contains("public")
                // Protocol requirements and enum cases are public even without the keyword.
                owner = (String(top.3), isPublic && ["protocol", "enum"].contains(top.2))
                if top.1.contains("package") { hidden.insert(owner.name) }
                if isPublic { symbols.append(PublicSymbol(owner: nil, name: owner.name)) }
            } else if line.hasPrefix("    "), !hidden.contains(owner.name),
                let name = member(line, of: owner.isOpenDoor)
            {
                symbols.append(PublicSymbol(owner: owner.name, name: name))
            }
        }
        return symbols
    }

    private static func member(_ line: Substring, of isOpenDoor: Bool) -> String? {
        let isDeclared = line.firstMatch(of: #/^ +(?:[@\w()]+ )*public /#) != nil
        let isImplied = isOpenDoor && line.firstMatch(of: #/^ {4}(?:@\w+ )*(?:func|var|case) /#) != nil
        guard isDeclared || isImplied else { return nil }
        if let named = line.firstMatch(of: #/\b(?:func|var|let|case|struct|enum|typealias) `?(\w+)/#) {
            return String(named.1)
        }
        return line.contains("init") ? "init" : nil
    }
}
