public import Foundation

/// The result of a command: as text, as JSON, and as its exit status.
public protocol Report {
    /// The report for a terminal.
    var text: String { get }
    /// The exit status.
    var status: ExitStatus { get }
    /// Writes the documented JSON.
    /// - Parameter write: Receives the document in parts.
    /// - Throws: The errors of `write`.
    func writeJSON(to write: @escaping (Data) throws -> Void) throws
}

extension Report {
    /// Prints the report, performs the remaining work, and exits with the report's status.
    /// - Parameters:
    ///   - asJSON: Whether JSON is printed.
    ///   - finish: The remaining work, such as writing a file.
    /// - Throws: ``CommandFailure`` if the report cannot be written, or the status.
    public func deliver(asJSON: Bool, also finish: () throws -> Void = {}) throws {
        try asJSON ? writeJSON(to: Terminal.write) : Terminal.write(report: text)
        try finish()
        try status.exit()
    }
}

/// A report that also has an HTML page.
public protocol PageReport: Report {
    /// The report as one self-contained HTML page, without scripts and network access, for light and dark mode and
    /// small screens.
    ///
    /// - Throws: ``CommandFailure`` if a template of this program is invalid.
    var html: String { get throws }
}

extension PageReport {
    /// Prints the report, writes it to the reserved files, and exits with the report's status.
    /// - Parameters:
    ///   - asJSON: Whether JSON is printed.
    ///   - files: The files; their extensions determine the formats.
    /// - Throws: ``CommandFailure`` if the report cannot be written, or the status.
    public func deliver(asJSON: Bool, to files: [ReportFile]) throws {
        try deliver(asJSON: asJSON) {
            for file in files { try file.write(html: { try html }, json: writeJSON) }
        }
    }
}
