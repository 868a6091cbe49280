public import Foundation
import LegacyStore
import PushBridgeInternals

/// A file for a report, whose path is reserved before the work starts.
///
/// A command therefore does no work whose report cannot be saved, and overwrites no file except an earlier report of
/// the same work. The file does not appear at its path until the report is written.
public final class ReportFile {
    private let isForPeople: Bool
    private let file: NewToolFile

    /// Reserves the path.
    /// - Parameters:
    ///   - path: The path of the file; its extension determines whether the report is HTML or JSON.
    ///   - job: A string that only reports of the same work contain; `nil` if no existing file may be replaced.
    /// - Throws: ``CommandFailure`` if the report cannot be saved at the path, for example because another file exists
    ///   there.
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
                    ? "The report \(path) cannot be written: the file already exists. Name another file, or remove "
                        + "the existing one."
                    : error.reason
            )
        }
    }

    /// Writes the report in the format of the file's extension.
    /// - Parameters:
    ///   - html: Creates the page.
    ///   - json: Writes the document in parts.
    /// - Throws: ``CommandFailure`` if the file cannot be written, for example because the disk is full, and the errors
    ///   of `html` and `json`.
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
        return try Evidence.isReport(at: url.path)
            && Data(contentsOf: url, options: .mappedIfSafe).range(of: Data(job.utf8)) != nil
    }
}
