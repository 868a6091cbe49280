import Foundation

@testable import LegacyStore

/// A binary property list whose objects are read one by one, on request.
///
/// References can form cycles, so code that follows references must limit the depth.
struct ReadPropertyList: Sendable {
    /// A reference to an object of the list.
    typealias Reference = PropertyListReference

    let bytes: Data
    let layout: PropertyListLayout

    /// Creates a list from bytes after checking only the header and the trailer.
    init(_ bytes: Data) throws(PropertyListError) {
        layout = try bytes.reading { buffer throws(PropertyListError) in try PropertyListLayout(buffer) }
        self.bytes = bytes
    }

    /// The reference to the root object.
    var root: Reference { layout.root }

    /// Reads one object.
    ///
    /// If the object is an array or a dictionary, reads only its references.
    func object(at reference: Reference) throws(PropertyListError) -> Object {
        try bytes.reading { buffer throws(PropertyListError) in
            let list = PropertyListBytes(buffer, layout: layout)
            return switch try list.token(at: reference) {
            case .null: .null
            case .bool(let value): .bool(value)
            case .integer(let value): .integer(value)
            case .real(let value): .real(value)
            case .date(let seconds): .date(Date(timeIntervalSinceReferenceDate: seconds))
            case .data(let range): .data(slice(range))
            case .text(let text): .string(try list.string(text))
            case .uid(let value): .uid(value)
            case .array(let references): .array(self.references(references))
            case .dictionary(let keys, let values):
                .dictionary(Entries(keys: references(keys), values: references(values)))
            }
        }
    }

    /// Returns one object; `nil` if it is unreadable.
    func readable(_ reference: Reference) -> Object? {
        do {
            return try object(at: reference)
        } catch {
            return nil
        }
    }

    private func slice(_ range: Range<Int>) -> Data {
        bytes[bytes.startIndex + range.lowerBound..<bytes.startIndex + range.upperBound]
    }

    private func references(_ references: PropertyListReferences) -> References {
        References(bytes: bytes, layout: layout, range: references)
    }
}

extension ReadPropertyList {
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

    /// The elements of an array; each element is read when it is accessed.
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

    /// The entries of a dictionary in file order; each entry is read when it is accessed.
    ///
    /// Keys may repeat.
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
