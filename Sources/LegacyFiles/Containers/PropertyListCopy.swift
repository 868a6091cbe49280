import Foundation
import LegacyStore

/// Writes a copy of a binary property list without some of the SDK's items.
///
/// Only what is still needed is written. An object that cannot be read is copied as it lies, up to the next one.
struct PropertyListCopy {
    private typealias Reference = PropertyListReference

    private let list: BinaryPropertyList
    // The dictionaries that lose entries, with the positions of those.
    private var lost: [Reference: Set<Int>] = [:]

    init(_ contents: PropertyListContents, without removed: Set<Int>) {
        list = contents.list
        for number in removed {
            let place = contents.places[number]
            lost[place.dictionary ?? list.layout.root, default: []].insert(place.position)
        }
    }

    /// Writes the copy; returns `false` if objects overlap, so that the copy would be much longer.
    func write(
        to write: ([UInt8]) throws(LegacyStoreError) -> Void
    ) throws(LegacyStoreError) -> Bool {
        var copy = PropertyListWriter()
        let bounds = Set(offsets + [list.layout.tableStart]).sorted()
        // Objects are written in the order in which they were met first.
        var numbers: [Reference: Int] = [list.layout.root: 0]
        var pending = [list.layout.root]
        func number(_ reference: Reference) -> Int {
            if let number = numbers[reference] { return number }
            numbers[reference] = pending.count
            pending.append(reference)
            return pending.count - 1
        }
        var next = 0
        while next < pending.count {
            let reference = pending[next]
            let object = list.readable { list throws(PropertyListError) in try list.token(at: reference) }
            switch object {
            case .array(let elements)?:
                _ = copy.append(array: list.references(elements).map(number))
            case .dictionary(let keys, let values)?:
                let entries = zip(list.references(keys), list.references(values)).enumerated()
                let kept = entries.filter { lost[reference]?.contains($0.offset) != true }
                _ = copy.append(dictionary: kept.map { (number($0.element.0), number($0.element.1)) })
            default: _ = copy.append { $0 += bytes(of: reference, object, bounds) }
            }
            guard copy.length <= 8 * list.bytes.count + 4096 else { return false }
            try write(copy.take())
            next += 1
        }
        copy.finish(root: 0)
        try write(copy.take())
        return true
    }

    private func bytes(of reference: Reference, _ object: PropertyListToken?, _ bounds: [Int]) -> [UInt8] {
        var bytes: [UInt8] = []
        switch object {
        case .bool(let flag): bytes = [flag ? 0x09 : 0x08]
        case .integer(let integer): bytes.appendInteger(integer)
        case .real(let real): bytes.appendNumber(0x23, real.bitPattern, size: 8)
        case .date(let seconds): bytes.appendNumber(0x33, seconds.bitPattern, size: 8)
        case .uid(let number): bytes.appendNumber(0x87, number, size: 8)
        case .data(let range):
            bytes.appendMarker(0x40, count: range.count)
            bytes += slice(range)
        case .text(let text):
            let unit = text.encoding == .ascii ? 1 : 2
            bytes.appendMarker(unit == 1 ? 0x50 : 0x60, count: text.range.count / unit)
            bytes += slice(text.range)
        case .null, .array, .dictionary: bytes = [0x00]
        case nil:
            // Writes a dangling reference as a dangling reference: there is no object with this number.
            guard let start = offset(of: reference) else { return [0x70] }
            bytes += slice(start..<(bounds.first { $0 > start } ?? list.layout.tableStart))
        }
        return bytes
    }

    private func slice(_ range: Range<Int>) -> Data {
        list.bytes[list.bytes.startIndex + range.lowerBound..<list.bytes.startIndex + range.upperBound]
    }

    // Where each object begins, as far as it lies within the list.
    private var offsets: [Int] {
        (0..<list.layout.objectCount).compactMap { offset(of: Reference(index: UInt64($0))) }
    }

    private func offset(of reference: Reference) -> Int? {
        list.readable { list throws(PropertyListError) in try list.offset(of: reference) }
    }
}
