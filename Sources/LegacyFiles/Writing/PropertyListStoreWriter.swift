public import Foundation
public import LegacyStore

/// Writes a binary property list that contains a dictionary of services.
///
/// Each service is a dictionary that contains the archive of each item under the item's key.
///
/// Archives are written to the file immediately; only the keys and the archives' positions stay in memory until
/// ``finish()``.
public final class PropertyListStoreWriter: LegacyStoreWriting {
    private let file: NewLegacyFile
    private var list = PropertyListWriter()
    private var suffixes = KeySuffixes()
    private var entries: [LegacyService: [(key: Int, value: Int)]] = [:]

    /// Begins a store at `url`.
    ///
    /// - Parameters:
    ///   - url: The file to write.
    ///   - replacing: Whether an existing file is replaced.
    /// - Throws: `LegacyStoreError` with the code `notWritable` if the file cannot be created, or exists and
    ///   `replacing` is `false`; `locked` if another process is writing it.
    public init(_ url: URL, replacing: Bool = false) throws(LegacyStoreError) {
        file = try NewLegacyFile(url, replacing: replacing)
    }

    /// Writes an archive unchanged.
    ///
    /// - Throws: `LegacyStoreError` with the code `notWritable` if the file cannot be written.
    public func write(archive: Data, service: LegacyService, key: String) throws(LegacyStoreError) {
        let key = list.append(.string(suffixes.unique(key, in: service)))
        entries[service, default: []].append((key, list.append(archive)))
        try file.write(list.take())
    }

    /// Writes the dictionaries of all four services and moves the finished store to its URL.
    ///
    /// A service without records gets an empty dictionary.
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
