public import Foundation

/// A file for a report, taken before any work is done, so that nothing is overwritten and nothing done in vain.
///
/// A report that is never written leaves no file.
public final class ReportFile {
    private let url: URL
    private var isWritten = false

    /// Takes the place; refuses one where anything is.
    /// - Parameter path: The path of the file.
    /// - Returns: The file.
    /// - Throws: ``CommandFailure`` if something is there, or it cannot be written.
    public static func taking(_ path: String) throws -> ReportFile {
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
    /// - Parameters:
    ///   - html: Makes the page.
    ///   - json: Hands on the document part by part.
    /// - Throws: ``CommandFailure`` if the disk is full or was taken away.
    public func write(html: () -> String, json: (@escaping (Data) throws -> Void) throws -> Void) throws {
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

/// How the HTML report looks, in light and dark and on a phone.
public enum ReportStyle {
    /// The style sheet.
    public static let css = """
        :root{--ink:#1d2430;--paper:#fff;--line:#d8dde6;--soft:#5d6878;--tint:#f4f6f9}
        @media(prefers-color-scheme:dark){:root{--ink:#e6eaf0;--paper:#14181f;--line:#333c49;--soft:#9aa6b6;--tint:#1c222b}}
        body{font:15px/1.5 system-ui,sans-serif;color:var(--ink);background:var(--paper);margin:2rem auto;
        max-width:72rem;padding:0 1rem}
        h1{font-size:1.5rem;margin:0}h2{font-size:1.1rem;margin:2rem 0 .5rem}
        .route{color:var(--soft);overflow-wrap:anywhere}.verdict{font-weight:600;border-left:4px solid;padding-left:.75rem}
        .good{border-color:#2f9e5f}.bad{border-color:#d9480f}
        .bar{display:flex;height:1.25rem;border-radius:.4rem;overflow:hidden;gap:1px}.bar span{min-width:3px}
        .scroll{overflow-x:auto}table{border-collapse:collapse;width:100%}
        th,td{text-align:left;padding:.35rem .6rem;border-bottom:1px solid var(--line);vertical-align:top}
        th{color:var(--soft);font-weight:600}.number{text-align:right;font-variant-numeric:tabular-nums}
        .sum td{font-weight:600}.key{overflow-wrap:anywhere;min-width:11rem;max-height:4.6em;overflow-y:auto}
        .outcome{white-space:nowrap}.reason{min-width:14rem}
        tbody tr:hover{background:var(--tint)}
        i{display:inline-block;width:.65rem;height:.65rem;border-radius:50%;margin-right:.5rem}
        .records>input{position:absolute;opacity:0}
        .records>label{display:inline-block;padding:.2rem .7rem;margin:0 .3rem .6rem 0;border:1px solid var(--line);
        border-radius:1rem;cursor:pointer}
        .records>input:checked+label{background:var(--ink);color:var(--paper)}
        .records>input:focus-visible+label{outline:2px solid #4c8dff}
        .migrated{background:#2f9e5f}.alreadyPresent{background:#3b82c4}.kept{background:#7a8aa0}
        .conflict{background:#d9480f}.unsupported{background:#b8860b}.damaged{background:#c92a4b}
        .locked{background:#8250c4}.undecryptable{background:#8b1e3f}
        @media(max-width:45rem){.records thead{display:none}.records tr{display:block;padding:.5rem 0;
        border-bottom:1px solid var(--line)}.records td{display:block;border:0;padding:.1rem .2rem}
        .records td:empty,.records td:has(.key:empty){display:none}}

        """
}

extension String {
    /// The text with everything that HTML would read as markup replaced, fit for content and attributes.
    public var htmlEscaped: String {
        var escaped = ""
        escaped.reserveCapacity(utf8.count)
        for character in self {
            switch character {
            case "&": escaped += "&amp;"
            case "<": escaped += "&lt;"
            case ">": escaped += "&gt;"
            case "\"": escaped += "&quot;"
            case "'": escaped += "&#39;"
            case let steering where steering.isControl: escaped += " "
            default: escaped.append(character)
            }
        }
        return escaped
    }

    /// The text escaped, with what is between backticks as code.
    public var htmlWithCode: String {
        split(separator: "`", omittingEmptySubsequences: false).enumerated().map { index, part in
            let text = String(part).htmlEscaped
            return index.isMultiple(of: 2) ? text : "<code>\(text)</code>"
        }
        .joined()
    }
}
