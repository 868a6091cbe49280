import Foundation

/// A binary property list that a test assembles byte by byte, so that it can contain any error.
struct HandmadeList {
    /// The encoded objects, in order.
    var objects: [[UInt8]]
    /// The offsets to write; `nil` for the correct offsets.
    var offsets: [UInt64]?
    /// The number of objects to write into the trailer; `nil` for the correct number.
    var objectCount: UInt64?
    /// The position of the offset table to write into the trailer; `nil` for the correct position.
    var tableStart: UInt64?
    var root: UInt64 = 0
    var offsetSize: UInt8 = 2
    var referenceSize: UInt8 = 1

    init(_ objects: [UInt8]...) {
        self.objects = objects
    }

    var bytes: Data {
        var data = Data("bplist00".utf8)
        var trueOffsets: [UInt64] = []
        for object in objects {
            trueOffsets.append(UInt64(data.count))
            data.append(contentsOf: object)
        }
        let table = UInt64(data.count)
        for offset in offsets ?? trueOffsets {
            data.append(contentsOf: bigEndian(offset).suffix(Int(offsetSize)))
        }
        data.append(contentsOf: [0, 0, 0, 0, 0, 0, offsetSize, referenceSize])
        data.append(contentsOf: bigEndian(objectCount ?? UInt64(objects.count)))
        data.append(contentsOf: bigEndian(root))
        data.append(contentsOf: bigEndian(tableStart ?? table))
        return data
    }
}

/// Returns the eight bytes of a number, most significant first.
func bigEndian(_ value: UInt64) -> [UInt8] {
    (0..<8).map { UInt8(truncatingIfNeeded: value >> (56 - 8 * $0)) }
}

/// Returns an ASCII string of up to 14 characters as a property list object.
func ascii(_ text: String) -> [UInt8] {
    [0x50 | UInt8(text.utf8.count)] + Array(text.utf8)
}
