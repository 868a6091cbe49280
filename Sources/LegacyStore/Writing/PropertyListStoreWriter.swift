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
        stream = try PropertyListStream(file.write)
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

/// Writes the objects of a binary property list as they come, and holds nothing but their places.
struct PropertyListStream {
    // Wide enough for any list, so that nothing has to be known in advance.
    private static let referenceSize = 4
    private static let offsetSize = 8

    private let write: ([UInt8]) throws(LegacyStoreError) -> Void
    private var offsets: [Int] = []
    private(set) var length = 0

    init(_ write: @escaping ([UInt8]) throws(LegacyStoreError) -> Void) throws(LegacyStoreError) {
        self.write = write
        try put(Array("bplist00".utf8))
    }

    /// Writes an object that refers to no other; returns its number.
    mutating func append(_ encode: (inout [UInt8]) -> Void) throws(LegacyStoreError) -> Int {
        offsets.append(length)
        var bytes: [UInt8] = []
        encode(&bytes)
        try put(bytes)
        return offsets.count - 1
    }

    mutating func append(_ text: String) throws(LegacyStoreError) -> Int {
        try append { $0.appendText(text) }
    }

    mutating func append(_ data: Data) throws(LegacyStoreError) -> Int {
        try append { bytes in
            bytes.appendMarker(0x40, count: data.count)
            bytes.append(contentsOf: data)
        }
    }

    /// Writes an array of objects that were written before; returns its number.
    mutating func append(array elements: [Int]) throws(LegacyStoreError) -> Int {
        try append { $0.append(0xA0, count: elements.count, elements) }
    }

    /// Writes a dictionary of objects that were written before; returns its number.
    mutating func append(dictionary entries: [(key: Int, value: Int)]) throws(LegacyStoreError) -> Int {
        try append { $0.append(0xD0, count: entries.count, entries.map(\.key) + entries.map(\.value)) }
    }

    /// Writes the table of places and the trailer.
    mutating func finish(root: Int) throws(LegacyStoreError) {
        let table = length
        for offset in offsets {
            var bytes: [UInt8] = []
            bytes.appendBigEndian(UInt64(offset), size: Self.offsetSize)
            try put(bytes)
        }
        var trailer: [UInt8] = [0, 0, 0, 0, 0, 0, UInt8(Self.offsetSize), UInt8(Self.referenceSize)]
        for number in [offsets.count, root, table] { trailer.appendBigEndian(UInt64(number), size: 8) }
        try put(trailer)
    }

    private mutating func put(_ bytes: [UInt8]) throws(LegacyStoreError) {
        try write(bytes)
        length += bytes.count
    }
}

extension [UInt8] {
    fileprivate mutating func append(_ marker: UInt8, count: Int, _ references: [Int]) {
        appendMarker(marker, count: count)
        for reference in references { appendBigEndian(UInt64(reference), size: 4) }
    }
}
