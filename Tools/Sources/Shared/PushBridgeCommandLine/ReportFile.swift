public import Foundation
import LegacyStore
import PushBridgeInternals

/// A file for a report, reserved before the work starts.
///
/// The early check prevents that a file is overwritten, or that work is done whose report cannot be saved. The file
/// appears at its path only when it is written.
public final class ReportFile {
    /// The number of bytes at the start of a report that are searched for the text of its work.
    private static let head = 4096

    private let isForPeople: Bool
    private let file: NewToolFile

    /// Reserves the path; throws if a file exists at the path that is not an earlier report of the same work.
    /// - Parameters:
    ///   - path: The path of the file; its extension determines whether the report is HTML or JSON.
    ///   - job: A text that only reports of the same work contain.
    /// - Throws: ``CommandFailure`` if the report cannot be saved at the path.
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
                    ? "The report \(path) cannot be written: the file already exists, and reports overwrite "
                        + "nothing. Name another file, or remove that one."
                    : error.reason
            )
        }
    }

    /// Writes the report in the format of the file's extension.
    /// - html: Returns the page.
    ///   - html: Creates the page.
    ///   - json: Writes the document in parts.
    /// - Throws: ``CommandFailure`` if the file cannot be written, for example because the disk is full.
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
