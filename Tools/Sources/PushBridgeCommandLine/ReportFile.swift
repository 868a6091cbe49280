public import Foundation
@_spi(PushBridgeTools) import LegacyStore

/// A file for a report, taken before any work is done, so that nothing is overwritten and nothing done in vain.
///
/// Nothing is at its place until it is written.
public final class ReportFile {
    /// How much of a report is searched for the work that it is of.
    private static let head = 4096

    private let isForPeople: Bool
    private let file: NewToolFile

    /// Takes the place; refuses one where anything is, unless it is an earlier report of the same work.
    /// - Parameters:
    ///   - path: Where the report goes; its ending says whether it is for people or for machines.
    ///   - job: A text that only reports of the same work hold.
    /// - Throws: ``CommandFailure`` if the report has no place there.
    public init(at path: String, replacing job: String? = nil) throws {
        let url = URL(fileURLWithPath: path)
        isForPeople = url.pathExtension.lowercased() == "html"
        do {
            let isSame = try job.map { try Self.report(at: url, isOf: $0) } ?? false
            file = try NewToolFile(url, replacing: isSame)
        } catch let error as LegacyStoreError {
            throw CommandFailure(
                status: error.code == .locked ? .tryAgain : .unwritableOutput,
                sentence: "The report cannot be written: \(error.reason) Reports overwrite nothing."
            )
        }
    }

    /// Writes the report, as the name's ending says.
    /// - Parameters:
    ///   - html: Makes the page.
    ///   - json: Hands on the document part by part.
    /// - Throws: ``CommandFailure`` if the disk is full or was taken away.
    public func write(html: () -> String, json: (@escaping (Data) throws -> Void) throws -> Void) throws {
        if isForPeople {
            try file.write(Data(html().utf8))
        } else {
            try json { try self.file.write($0) }
        }
        try file.finish()
    }

    private static func report(at url: URL, isOf job: String) throws -> Bool {
        guard FileManager.default.fileExists(atPath: url.path) else { return false }
        let reader = try FileHandle(forReadingFrom: url)
        let start = try reader.read(upToCount: head) ?? Data()
        return start.range(of: Data(job.utf8)) != nil
    }
}

/// How the lab and the reports look.
public enum Look {
    /// The style sheet that both have: colours and type, in light and dark.
    public static let css = String(decoding: PackageResources.look_css, as: UTF8.self)
}

/// How the HTML report looks, in light and dark and on a phone: as the lab, and what only reports have.
public enum ReportStyle {
    /// The style sheet.
    public static let css = """
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
