import Foundation

/// A file for a report, taken before any work is done, so that nothing is overwritten and nothing done in vain.
///
/// A report that is never written leaves no file.
final class ReportFile {
    private let url: URL
    private var isWritten = false

    /// Takes the place; refuses one where anything is.
    static func taking(_ path: String) throws -> ReportFile {
        let url = URL(fileURLWithPath: path)
        do {
            try Data().write(to: url, options: .withoutOverwriting)
        } catch CocoaError.fileWriteFileExists {
            throw failure(path, "something is there already, and reports overwrite nothing")
        } catch {
            throw failure(path, "its folder does not exist or may not be written")
        }
        // Only now: an object that fails to be made would still remove what it was made for.
        let file = ReportFile(url)
        try FileManager.default.setAttributes([.posixPermissions: 0o600], ofItemAtPath: path)
        return file
    }

    private init(_ url: URL) {
        self.url = url
    }

    /// Writes the report, as the name's ending says.
    func write(_ report: MigrationReport) throws {
        try write(html: { report.html }, json: report.writeJSON)
    }

    /// Writes what `html` makes, or else what `json` writes, as the name's ending says.
    func write(html: () -> String, json: (@escaping (Data) throws -> Void) throws -> Void) throws {
        var contents = Data()
        if url.pathExtension.lowercased() == "html" {
            contents = Data(html().utf8)
        } else {
            try json { contents.append($0) }
        }
        try write(contents)
    }

    private func write(_ contents: Data) throws {
        do {
            let file = try FileHandle(forWritingTo: url)
            try file.write(contentsOf: contents)
            try file.close()
        } catch {
            throw Self.failure(url.path, "the disk is full or was taken away")
        }
        isWritten = true
    }

    deinit {
        guard !isWritten else { return }
        do {
            try FileManager.default.removeItem(at: url)
        } catch {
            Terminal.diagnose("pushbridge: The empty report \(url.path) could not be removed.\n")
        }
    }

    private static func failure(_ path: String, _ reason: String) -> CommandFailure {
        CommandFailure(
            status: .unwritableOutput,
            sentence: "The report \(path) cannot be written: \(reason)."
        )
    }
}
