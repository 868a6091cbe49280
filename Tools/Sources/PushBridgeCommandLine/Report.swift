public import Foundation

/// The result of a command: in words, in JSON, and as its exit status.
public protocol Report {
    /// The report for a terminal.
    var text: String { get }
    /// The status to end with.
    var status: ExitStatus { get }
    /// Writes the documented JSON.
    /// - Parameter write: Takes the document part by part.
    /// - Throws: What `write` throws.
    func writeJSON(to write: @escaping (Data) throws -> Void) throws
}

extension Report {
    /// Prints the report, does the remaining work with it, and ends with its status.
    /// - Parameters:
    ///   - asJSON: Whether JSON is printed.
    ///   - finish: The remaining work, such as writing a file.
    /// - Throws: ``CommandFailure`` if the report cannot be written, or the status.
    public func deliver(asJSON: Bool, also finish: () throws -> Void = {}) throws {
        try asJSON ? writeJSON(to: Terminal.write) : Terminal.write(text)
        try finish()
        try status.exit()
    }
}

/// A report that can be written as a page as well.
public protocol PageReport: Report {
    /// The report as one self-contained page: no script, no network, readable in light and dark and on a phone.
    ///
    /// - Throws: ``CommandFailure`` if a template of this program is broken.
    var html: String { get throws }
}

extension PageReport {
    /// Prints the report, writes it to the files that were taken for it, and ends with its status.
    /// - Parameters:
    ///   - asJSON: Whether JSON is printed.
    ///   - files: The files, whose endings decide about their formats.
    /// - Throws: ``CommandFailure`` if the report cannot be written, or the status.
    public func deliver(asJSON: Bool, to files: [ReportFile]) throws {
        try deliver(asJSON: asJSON) {
            for file in files { try file.write(html: { try html }, json: writeJSON) }
        }
    }
}
