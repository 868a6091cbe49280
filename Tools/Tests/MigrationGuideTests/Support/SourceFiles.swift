import Foundation

/// The Swift files of a folder of the repository.
enum SourceFiles {
    static func contents(of folder: String) throws -> [String] {
        let url = Guide.root.appendingPathComponent(folder)
        return try FileManager.default.subpathsOfDirectory(atPath: url.path)
            .filter { $0.hasSuffix(".swift") && !$0.split(separator: "/").contains(".build") }
            .map { try String(contentsOf: url.appendingPathComponent($0), encoding: .utf8) }
    }

    /// Returns the code between `// guide: begin` and `// guide: end`, without its indentation.
    static func guideCode(in folder: String) throws -> Set<String> {
        Set(
            try contents(of: folder).flatMap { source in
                source.components(separatedBy: "// guide: begin\n").dropFirst().map { part in
                    outdented(part.components(separatedBy: "// guide: end")[0])
                }
            }
        )
    }

    private static func outdented(_ code: String) -> String {
        var lines = code.components(separatedBy: "\n")
        lines.removeLast()
        let margin = lines.filter { !$0.isEmpty }.map { $0.prefix { $0 == " " }.count }.min() ?? 0
        return lines.map { String($0.dropFirst(margin)) }.joined(separator: "\n")
    }
}
