/// The positions of the parts of a binary property list, checked against the size of the list.
///
/// A list consists of a header, objects, a table with the offsets of the objects, and a trailer that
/// describes the table.
package struct PropertyListLayout: Equatable, Sendable {
    static let header: StaticString = "bplist0"
    /// The size of the header.
    ///
    /// The size includes ``header`` and one more byte, the minor version, which is ignored.
    static let headerSize = 8
    static let trailerSize = 32

    /// The width of an entry of the offset table: 1 to 8 bytes.
    let offsetSize: Int
    /// The width of a reference in an array or a dictionary: 1 to 8 bytes.
    let referenceSize: Int
    package let objectCount: Int
    package let root: PropertyListReference
    /// The position where the offset table starts and the objects end.
    package let tableStart: Int

    init(_ bytes: UnsafeRawBufferPointer) throws(PropertyListError) {
        guard Self.header.withUTF8Buffer({ bytes.starts(with: $0) }) else {
            // A random byte is printable with a probability of 37 %. So bytes count as random if fewer than half of
            // them are printable.
            let isRandom = bytes.count >= 64 && bytes.count { (0x20..<0x7F).contains($0) } * 2 < bytes.count
            throw isRandom ? .encrypted : .notBinary
        }
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

/// The number of an object in a property list.
///
/// The list may have no object with this number.
package struct PropertyListReference: Hashable, Sendable {
    package let index: UInt64

    package init(index: UInt64) {
        self.index = index
    }
}

/// One object of a property list.
///
/// For a string, data, an array or a dictionary, the token contains positions in the list instead of the content.
package enum PropertyListToken: Equatable {
    case null
    case bool(Bool)
    case integer(Int64)
    case real(Double)
    /// A date, in seconds since 2001.
    case date(Double)
    case data(Range<Int>)
    case text(PropertyListText)
    case uid(UInt64)
    case array(PropertyListReferences)
    /// The references to the keys, and the same number of references to the values.
    case dictionary(keys: PropertyListReferences, values: PropertyListReferences)
}

/// A string whose position has been checked.
///
/// The content of the string has not been checked.
package struct PropertyListText: Equatable {
    package enum Encoding {
        case ascii
        /// UTF-16, big-endian.
        case utf16
    }

    package let encoding: Encoding
    package let range: Range<Int>
}

/// The position and the number of consecutive references.
///
/// The references are inside the list, but the objects to which they point may not exist.
package struct PropertyListReferences: Equatable, Sendable {
    let start: Int
    package let count: Int
}

/// The reason why a binary property list, or one object in the list, cannot be read.
package enum PropertyListError: Error, Equatable, Sendable {
    /// The bytes do not start with the header of a binary property list.
    case notBinary
    /// The bytes do not start with the header of a binary property list, and they look as random as encrypted
    /// data.
    case encrypted
    /// The trailer is inconsistent, or does not match the size of the file.
    case damagedTrailer
    /// A reference points to no object, or to an offset outside the objects.
    case danglingReference
    /// An object extends beyond the end of the part that contains the objects.
    case truncatedObject
    /// An object has an unknown type.
    case unknownObject
    /// A string is not valid in its encoding.
    case damagedText
    /// A number does not fit into 64 bits.
    case numberTooLarge
    /// The list contains more data than a list without repeated objects can contain, or it contains a service twice.
    case repeatedObjects

    package var reason: String {
        switch self {
        case .notBinary: "The bytes are not a binary property list."
        case .encrypted:
            "The bytes are not a binary property list and may be encrypted. Export the items with the app, because the app has the key."
        case .damagedTrailer: "The trailer of the property list is invalid."
        case .danglingReference: "A reference in the property list points to no object."
        case .truncatedObject: "The property list ends inside an object."
        case .unknownObject: "The property list contains an object of an unknown type."
        case .damagedText: "A string in the property list is damaged."
        case .numberTooLarge: "A number in the property list is too large."
        case .repeatedObjects:
            "The property list uses the same object for several records, or contains a service twice."
        }
    }
}
