public import Foundation

/// Writes JSON lines: one item per line, in the given order, with unchanged keys.
public final class JSONLinesStoreWriter: LegacyStoreWriting {
    private struct Line: Encodable {
        let acct: String
        let data: Data
        let svce: String
    }

    private let file: NewLegacyFile
    private let encoder = JSONEncoder()

    /// Begins a store at `url`.
    ///
    /// - Parameters:
    ///   - url: The file to write.
    ///   - replacing: Whether an existing file is replaced.
    /// - Throws: `LegacyStoreError` with the code `notWritable` if the file cannot be created, or exists and
    ///   `replacing` is `false`; `locked` if another process is writing it.
    public convenience init(_ url: URL, replacing: Bool = false) throws(LegacyStoreError) {
        self.init(try NewLegacyFile(url, replacing: replacing))
    }

    /// Begins a backup; accepts an existing file with the same content.
    convenience init(backup url: URL) throws(LegacyStoreError) {
        self.init(try NewLegacyFile(url, existing: .acceptedIfSame))
    }

    private init(_ file: NewLegacyFile) {
        self.file = file
        encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
    }

    /// Writes an archive unchanged.
    ///
    /// - Throws: ``LegacyStoreError`` with the code `notWritable` if the file cannot be written.
    public func write(archive: Data, service: LegacyService, key: String) throws(LegacyStoreError) {
        try write(archive, service: service.rawValue, key: key)
    }

    func write(_ value: Data, service: String, key: String) throws(LegacyStoreError) {
        let line = Line(acct: key, data: value, svce: service)
        try file.write(try writing(file.url) { try encoder.encode(line) })
        try file.write("\n")
    }

    /// Moves the finished store to its URL.
    ///
    /// - Throws: ``LegacyStoreError`` with the code `notWritable` if the file cannot be written.
    public func finish() throws(LegacyStoreError) {
        try file.finish()
    }
}
