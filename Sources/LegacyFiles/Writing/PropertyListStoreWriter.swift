public import Foundation
public import LegacyStore

/// Writes a binary property list: service, then account key, then archive.
///
/// Holds the keys until the end, never the archives.
public final class PropertyListStoreWriter: LegacyStoreWriting {
    private let file: NewLegacyFile
    private var list = PropertyListWriter()
    private var suffixes = KeySuffixes()
    private var entries: [LegacyService: [(key: Int, value: Int)]] = [:]

    /// Begins a store at `url`; an existing file is refused unless `replacing`.
    ///
    /// - Parameters:
    ///   - url: The file to write.
    ///   - replacing: Whether an existing file is replaced.
    /// - Throws: `LegacyStoreError` with the code `notWritable` if the file cannot be made, or exists and
    ///   `replacing` is `false`; `locked` if another run makes it.
    public init(_ url: URL, replacing: Bool = false) throws(LegacyStoreError) {
        file = try NewLegacyFile(url, replacing: replacing)
    }

    /// Writes an archive as it is.
    ///
    /// - Throws: `LegacyStoreError` with the code `notWritable` if the file cannot be written.
    public func write(archive: Data, service: LegacyService, key: String) throws(LegacyStoreError) {
        let key = list.append(.string(suffixes.unique(key, in: service)))
        entries[service, default: []].append((key, list.append(archive)))
        try file.write(list.take())
    }

    /// Puts the store in its place; all four services are named, with or without records.
    ///
    /// - Throws: `LegacyStoreError` with the code `notWritable` if the file cannot be written.
    public func finish() throws(LegacyStoreError) {
        let root = LegacyService.allCases.map { service in
            let name = list.append(.string(service.rawValue))
            return (key: name, value: list.append(dictionary: entries[service] ?? []))
        }
        list.finish(root: list.append(dictionary: root))
        try file.write(list.take())
        try file.finish()
    }
}
