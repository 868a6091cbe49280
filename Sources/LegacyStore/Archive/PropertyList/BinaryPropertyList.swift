import Foundation

/// A binary property list that is read object by object, as far as it is asked for.
///
/// Works on the bytes where they lie, so a mapped file is never loaded as a whole. References may form
/// cycles: whoever follows them bounds the depth.
struct BinaryPropertyList: Sendable {
    /// Names an object of the list.
    typealias Reference = PropertyListReference

    let bytes: Data
    let layout: PropertyListLayout

    /// Takes the bytes after checking header and trailer, and nothing else.
    init(_ bytes: Data) throws(PropertyListError) {
        layout = try bytes.reading { buffer throws(PropertyListError) in try PropertyListLayout(buffer) }
        self.bytes = bytes
    }

    /// The object that holds all others.
    var root: Reference { layout.root }

    /// Reads one object; arrays and dictionaries answer references.
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

    private func slice(_ range: Range<Int>) -> Data {
        bytes[bytes.startIndex + range.lowerBound..<bytes.startIndex + range.upperBound]
    }

    private func references(_ references: PropertyListReferences) -> References {
        References(bytes: bytes, layout: layout, range: references)
    }
}
