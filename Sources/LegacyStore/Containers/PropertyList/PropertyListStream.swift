import Foundation

/// Writes the objects of a binary property list as they come, and holds nothing but their places.
struct PropertyListStream {
    // Wide enough for any list, so that nothing has to be known in advance.
    private static let referenceSize = 4
    private static let offsetSize = 8

    private let file: StagedFile
    private var offsets: [Int] = []
    private var length = 0

    init(_ file: StagedFile) throws(LegacyStoreError) {
        self.file = file
        try write(Array("bplist00".utf8))
    }

    /// Writes an object that refers to no other; answers its number.
    mutating func append(_ encode: (inout [UInt8]) -> Void) throws(LegacyStoreError) -> Int {
        offsets.append(length)
        var bytes: [UInt8] = []
        encode(&bytes)
        try write(bytes)
        return offsets.count - 1
    }

    /// Writes a string; answers its number.
    mutating func append(_ text: String) throws(LegacyStoreError) -> Int {
        try append { $0.appendText(text) }
    }

    /// Writes data; answers its number.
    mutating func append(_ data: Data) throws(LegacyStoreError) -> Int {
        try append { bytes in
            bytes.appendMarker(0x40, count: data.count)
            bytes.append(contentsOf: data)
        }
    }

    /// Writes an array of objects that were written before; answers its number.
    mutating func append(array elements: [Int]) throws(LegacyStoreError) -> Int {
        try append { $0.append(0xA0, count: elements.count, elements) }
    }

    /// Writes a dictionary of objects that were written before; answers its number.
    mutating func append(dictionary entries: [(key: Int, value: Int)]) throws(LegacyStoreError) -> Int {
        try append { $0.append(0xD0, count: entries.count, entries.map(\.key) + entries.map(\.value)) }
    }

    /// Writes the table of places and the trailer.
    mutating func finish(root: Int) throws(LegacyStoreError) {
        let table = length
        for offset in offsets {
            var bytes: [UInt8] = []
            bytes.appendBigEndian(UInt64(offset), size: Self.offsetSize)
            try write(bytes)
        }
        var trailer: [UInt8] = [0, 0, 0, 0, 0, 0, UInt8(Self.offsetSize), UInt8(Self.referenceSize)]
        for number in [offsets.count, root, table] { trailer.appendBigEndian(UInt64(number), size: 8) }
        try write(trailer)
    }

    private mutating func write(_ bytes: [UInt8]) throws(LegacyStoreError) {
        try file.write(bytes)
        length += bytes.count
    }
}

extension [UInt8] {
    fileprivate mutating func append(_ marker: UInt8, count: Int, _ references: [Int]) {
        appendMarker(marker, count: count)
        for reference in references { appendBigEndian(UInt64(reference), size: 4) }
    }
}
