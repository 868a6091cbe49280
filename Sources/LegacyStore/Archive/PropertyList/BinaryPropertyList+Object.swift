import Foundation

extension BinaryPropertyList {
    /// One object of a property list.
    enum Object {
        case null
        case bool(Bool)
        case integer(Int64)
        case real(Double)
        case date(Date)
        /// A slice of the list's bytes; its indices do not start at 0.
        case data(Data)
        case string(String)
        /// The number of an object in a keyed archive.
        case uid(UInt64)
        case array(References)
        case dictionary(Entries)
    }

    /// The elements of an array, read as they are asked for.
    struct References: RandomAccessCollection, Sendable {
        let bytes: Data
        let layout: PropertyListLayout
        let range: PropertyListReferences

        var startIndex: Int { 0 }
        var endIndex: Int { range.count }

        subscript(position: Int) -> Reference {
            bytes.withUnsafeBytes { buffer in
                PropertyListBytes(buffer, layout: layout).reference(position, of: range)
            }
        }
    }

    /// The entries of a dictionary in file order, read as they are asked for; keys may repeat.
    struct Entries: RandomAccessCollection, Sendable {
        let keys: References
        let values: References

        var startIndex: Int { 0 }
        var endIndex: Int { keys.count }

        subscript(position: Int) -> (key: Reference, value: Reference) {
            (key: keys[position], value: values[position])
        }
    }
}
