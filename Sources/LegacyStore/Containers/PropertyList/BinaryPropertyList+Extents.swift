import Foundation

/// Where the objects of a list lie, and how to lay some of them out anew.
extension BinaryPropertyList {
    /// What the table says of each object's place, be it wrong.
    var offsets: [Int] {
        bytes.reading { buffer in
            (0..<layout.objectCount).map {
                let entry = layout.tableStart + $0 * layout.offsetSize
                return Int(truncatingIfNeeded: buffer.bigEndian(at: entry, size: layout.offsetSize))
            }
        }
    }

    /// The place of an object; `nil` if there is no such object.
    func offset(_ reference: Reference, in offsets: [Int]) -> Int? {
        reference.index < offsets.count ? offsets[Int(reference.index)] : nil
    }

    /// Where an object that takes more than a few bytes ends; `nil` for others and unreadable ones.
    func end(of reference: Reference) -> Int? {
        bytes.reading { buffer in
            do throws(PropertyListError) {
                switch try PropertyListBytes(buffer, layout: layout).token(at: reference) {
                case .data(let range): return range.upperBound
                case .text(let text): return text.range.upperBound
                case .array(let elements): return elements.start + elements.count * layout.referenceSize
                case .dictionary(_, let values): return values.start + values.count * layout.referenceSize
                default: return nil
                }
            } catch {
                return nil
            }
        }
    }

    /// Bytes as they are.
    func raw(_ range: Range<Int>) -> [UInt8] {
        [UInt8](bytes[bytes.startIndex + range.lowerBound..<bytes.startIndex + range.upperBound])
    }

    /// A dictionary of objects of this list.
    func dictionary(_ entries: [(key: Reference, value: Reference)]) -> [UInt8] {
        var dictionary: [UInt8] = []
        dictionary.appendMarker(0xD0, count: entries.count)
        for reference in entries.map(\.key) + entries.map(\.value) {
            dictionary.appendBigEndian(reference.index, size: layout.referenceSize)
        }
        return dictionary
    }

    /// The table of places, which begins at `start`, and the trailer.
    func table(_ places: [Int], at start: Int) -> [UInt8] {
        let trailer = bytes.count - PropertyListLayout.trailerSize
        var size = layout.offsetSize
        while size < 8, start >> (8 * size) > 0 { size += 1 }
        var table: [UInt8] = []
        table.reserveCapacity(places.count * size + PropertyListLayout.trailerSize)
        for place in places { table.appendBigEndian(UInt64(bitPattern: Int64(place)), size: size) }
        table += raw(trailer..<trailer + 6) + [UInt8(size), UInt8(layout.referenceSize)]
        table.appendBigEndian(UInt64(places.count), size: 8)
        table.appendBigEndian(root.index, size: 8)
        table.appendBigEndian(UInt64(start), size: 8)
        return table
    }
}
