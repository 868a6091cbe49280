/// Where the parts of a binary property list lie, proven to fit its size.
///
/// A list is a header, objects, a table of their offsets, and a trailer that describes the table.
struct PropertyListLayout: Equatable, Sendable {
    static let header: StaticString = "bplist0"
    /// The header is one byte longer than ``header``: the minor version, which changes nothing.
    static let headerSize = 8
    static let trailerSize = 32

    /// The width of an entry of the offset table, 1 to 8.
    let offsetSize: Int
    /// The width of a reference in an array or a dictionary, 1 to 8.
    let referenceSize: Int
    /// The number of objects, at least 1.
    let objectCount: Int
    /// The object that holds all others.
    let root: PropertyListReference
    /// Where the offset table starts, and the objects end.
    let tableStart: Int

    init(_ bytes: UnsafeRawBufferPointer) throws(PropertyListError) {
        guard Self.header.withUTF8Buffer({ bytes.starts(with: $0) }) else { throw .notBinary }
        let trailer = bytes.count - Self.trailerSize
        guard trailer > Self.headerSize else { throw .damagedTrailer }
        offsetSize = Int(bytes[trailer + 6])
        referenceSize = Int(bytes[trailer + 7])
        root = PropertyListReference(index: bytes.bigEndian(at: trailer + 16, size: 8))
        guard
            let objectCount = Int(exactly: bytes.bigEndian(at: trailer + 8, size: 8)),
            let tableStart = Int(exactly: bytes.bigEndian(at: trailer + 24, size: 8)),
            1...8 ~= offsetSize, 1...8 ~= referenceSize,
            root.index < objectCount,
            tableStart > Self.headerSize, tableStart < trailer
        else { throw .damagedTrailer }
        let (tableSize, isTooLarge) = objectCount.multipliedReportingOverflow(by: offsetSize)
        guard !isTooLarge, tableSize <= trailer - tableStart else { throw .damagedTrailer }
        self.objectCount = objectCount
        self.tableStart = tableStart
    }
}
