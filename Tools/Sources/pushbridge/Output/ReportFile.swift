import Foundation
import PushBridgeCommandLine
import PushBridgeLab

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

/// Writes a JSON object whose last member is an array, element by element, so that memory does not grow with it.
struct JSONStream {
    private let encoder: JSONEncoder
    private let write: (Data) throws -> Void

    init(write: @escaping (Data) throws -> Void = Terminal.write) {
        encoder = JSONEncoder()
        encoder.outputFormatting = [.withoutEscapingSlashes, .sortedKeys]
        encoder.dateEncodingStrategy = .iso8601
        self.write = write
    }

    /// Writes the members of a head (not empty) followed by the array `name`.
    func document<Element: Encodable>(
        head: some Encodable,
        array name: String,
        of elements: some Sequence<Element>
    ) throws {
        try document(head: head, array: name, of: elements) {
            String(decoding: try encoder.encode($0), as: UTF8.self)
        }
    }

    /// Writes the members of a head (not empty) followed by the array `name`, whose elements are made JSON by `text`.
    func document<Element>(
        head: some Encodable,
        array name: String,
        of elements: some Sequence<Element>,
        text: (Element) throws -> String
    ) throws {
        var buffer = String(decoding: try encoder.encode(head).dropLast(), as: UTF8.self) + ",\"\(name)\":["
        var isFirst = true
        for element in elements {
            buffer += isFirst ? "\n" : ",\n"
            buffer += try text(element)
            isFirst = false
            if buffer.utf8.count > 1 << 16 {
                try write(Data(buffer.utf8))
                buffer.removeAll(keepingCapacity: true)
            }
        }
        try write(Data((buffer + "]}\n").utf8))
    }
}

/// How the HTML report looks, in light and dark and on a phone: as the lab, and what only reports have.
enum ReportStyle {
    static let css = """
        \(Look.css)
        body{margin:2rem auto;max-width:72rem;padding:0 1rem}
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
    var htmlEscaped: String {
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
}
