/// One object of a property list, with what it holds still lying in the file.
enum PropertyListToken: Equatable {
    case null
    case bool(Bool)
    case integer(Int64)
    case real(Double)
    /// Seconds since 2001.
    case date(Double)
    case data(Range<Int>)
    case text(PropertyListText)
    case uid(UInt64)
    case array(PropertyListReferences)
    /// The keys, followed by as many values.
    case dictionary(keys: PropertyListReferences, values: PropertyListReferences)
}

/// A string whose bytes are there, their content unchecked.
struct PropertyListText: Equatable {
    enum Encoding {
        case ascii
        /// UTF-16, big end first.
        case utf16
    }

    let encoding: Encoding
    let range: Range<Int>
}

/// References in a row, proven to lie within the objects.
struct PropertyListReferences: Equatable, Sendable {
    let start: Int
    let count: Int
}
