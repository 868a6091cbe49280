public import Foundation

/// The result of a command.
///
/// A report is available as text and as JSON, and determines the exit status.
public protocol Report {
    /// The text for a terminal.
    var text: String { get }
    /// The exit status.
    var status: ExitStatus { get }
    /// Writes the report as JSON, in its documented form.
    /// - Parameter write: Receives the document in parts.
    /// - Throws: The errors of `write`.
    func writeJSON(to write: @escaping (Data) throws -> Void) throws
}

extension Report {
    /// Prints the report, performs the remaining work, and ends the command with the report's status.
    /// - Parameters:
    ///   - asJSON: Whether the report is printed as JSON.
    ///   - evidence: The evidence for the JSON.
    ///   - finish: The remaining work, such as writing a file. Its errors are thrown.
    /// - Throws: ``CommandFailure`` if the report cannot be written, or an error that sets the exit status.
    public func deliver(
        asJSON: Bool,
        made evidence: Evidence? = nil,
        also finish: () throws -> Void = {}
    ) throws {
        let write = evidence?.afterReading().inserted(into: Terminal.write) ?? Terminal.write
        try asJSON ? writeJSON(to: write) : Terminal.write(report: text)
        try finish()
        try status.exit()
    }
}

/// A report that also has an HTML page.
public protocol PageReport: Report {
    /// The report as one self-contained HTML page.
    ///
    /// The page needs no scripts and no network. It supports light and dark mode and small screens.
    /// - Throws: ``CommandFailure`` if a template of this program is invalid.
    var html: String { get throws }
}

extension PageReport {
    /// Prints the report, writes it to the reserved files, and ends the command with the report's status.
    /// - Parameters:
    ///   - asJSON: Whether the report is printed as JSON.
    ///   - files: The files; their extensions determine the formats.
    ///   - evidence: The evidence for the page and the JSON.
    /// - Throws: ``CommandFailure`` if the report cannot be written, or an error that sets the exit status.
    public func deliver(asJSON: Bool, to files: [ReportFile], made evidence: Evidence? = nil) throws {
        let evidence = evidence?.afterReading()
        try deliver(asJSON: asJSON, made: evidence) { try write(to: files, made: evidence) }
    }

    /// Writes the report to the reserved files.
    /// - Parameters:
    ///   - files: The files; their extensions determine the formats.
    ///   - evidence: The evidence for the files.
    /// - Throws: ``CommandFailure`` if a file cannot be written, or if a template of this program is invalid.
    public func write(to files: [ReportFile], made evidence: Evidence?) throws {
        for file in files {
            try file.write {
                let page = try html
                return try evidence?.inserted(into: page) ?? page
            } json: { write in
                try writeJSON(to: evidence?.inserted(into: write) ?? write)
            }
        }
    }
}
