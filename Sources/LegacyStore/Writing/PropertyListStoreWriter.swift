public import Foundation

/// Writes a binary property list: service, then account key, then archive.
///
/// Holds the keys until the end, never the archives.
public final class PropertyListStoreWriter: LegacyStoreWriting {
    private let file: NewStoreFile
    private var stream: PropertyListStream
    private var suffixes = KeySuffixes()
    private var entries: [LegacyService: [(key: Int, value: Int)]] = [:]

    /// Begins a store at `url`; an existing file is refused unless `replacing`.
    public init(_ url: URL, replacing: Bool = false) throws(LegacyStoreError) {
        file = try NewStoreFile(url, replacing: replacing)
        stream = try PropertyListStream(file.open)
    }

    /// Writes an archive as it is.
    public func write(archive: Data, service: LegacyService, key: String) throws(LegacyStoreError) {
        _ = try file.open
        let key = try stream.append(suffixes.unique(key, in: service))
        entries[service, default: []].append((key, try stream.append(archive)))
    }

    /// Puts the store in its place; all four services are named, with or without records.
    public func finish() throws(LegacyStoreError) {
        _ = try file.open
        var root: [(key: Int, value: Int)] = []
        for service in LegacyService.allCases {
            let name = try stream.append(service.rawValue)
            root.append((name, try stream.append(dictionary: entries[service] ?? [])))
        }
        try stream.finish(root: try stream.append(dictionary: root))
        try file.finish()
    }
}
