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
    ///   - path: The file; its ending decides whether the report is for people or for machines.
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
                sentence: FileManager.default.fileExists(atPath: path)
                    ? "The report \(path) cannot be written: there is a file already, and reports overwrite "
                        + "nothing. Name another file, or remove that one."
                    : error.reason
            )
        }
    }

    /// Writes the report, as the name's ending says.
    /// - Parameters:
    ///   - html: Makes the page.
    ///   - json: Hands on the document part by part.
    /// - Throws: ``CommandFailure`` if the disk is full or was taken away.
    public func write(html: () throws -> String, json: (@escaping (Data) throws -> Void) throws -> Void)
        throws
    {
        if isForPeople {
            try file.write(Data(try html().utf8))
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
