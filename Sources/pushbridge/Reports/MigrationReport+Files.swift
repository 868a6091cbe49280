import Foundation

extension MigrationReport {
    /// Writes the report to a file, as its name's ending says.
    func write(to path: String) throws {
        let url = URL(fileURLWithPath: path)
        var contents = Data()
        if url.pathExtension.lowercased() == "html" {
            contents = Data(html.utf8)
        } else {
            try writeJSON { contents.append($0) }
        }
        do {
            try contents.write(to: url, options: .atomic)
        } catch {
            throw CommandFailure(
                status: .unwritableOutput,
                sentence: "The report \(path) cannot be written: \((error as NSError).localizedDescription)"
            )
        }
    }
}
