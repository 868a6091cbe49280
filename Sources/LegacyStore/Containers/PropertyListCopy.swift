import Foundation

/// Writes a binary property list anew without some of our items.
///
/// Only what is still needed is written. An object that cannot be read is copied as it lies, up to the next one.
struct PropertyListCopy {
    private typealias Reference = PropertyListReference
    private typealias Entry = (key: Reference, value: Reference)

    private let list: BinaryPropertyList
    // The dictionaries that lose entries, with what is left of each.
    private var left: [Reference: [Entry]] = [:]

    /// Finds the items of these numbers.
    init(_ list: BinaryPropertyList, without removed: Set<Int>) {
        self.list = list
        guard case .dictionary(let services)? = list.readable(list.root) else { return }
        var count = 0
        var kept: [Entry] = []
        for entry in services {
            guard case .string(let name)? = list.readable(entry.key), RecordService(name: name) != nil else {
                kept.append(entry)
                continue
            }
            guard case .dictionary(let items)? = list.readable(entry.value) else {
                // A service that holds no dictionary is an item itself.
                if !removed.contains(count) { kept.append(entry) }
                count += 1
                continue
            }
            kept.append(entry)
            let numbers = count..<count + items.count
            count = numbers.upperBound
            guard numbers.contains(where: removed.contains) else { continue }
            left[entry.value] = zip(numbers, items).filter { !removed.contains($0.0) }.map(\.1)
        }
        if kept.count < services.count { left[list.root] = kept }
    }

    /// Writes the copy; returns `false` if objects lie upon each other, so that the copy would be much longer.
    func write(
        to write: @escaping ([UInt8]) throws(LegacyStoreError) -> Void
    ) throws(LegacyStoreError) -> Bool {
        var stream = try PropertyListStream(write)
        let bounds = Set(list.offsets + [list.layout.tableStart]).sorted()
        // Objects are written in the order in which they were met first.
        var numbers: [Reference: Int] = [list.root: 0]
        var pending = [list.root]
        func number(_ reference: Reference) -> Int {
            if let number = numbers[reference] { return number }
            numbers[reference] = pending.count
            pending.append(reference)
            return pending.count - 1
        }
        var next = 0
        while next < pending.count {
            let reference = pending[next]
            switch list.readable(reference) {
            case .array(let elements)?: _ = try stream.append(array: elements.map(number))
            case .dictionary(let entries)?:
                let entries = left[reference] ?? Array(entries)
                _ = try stream.append(dictionary: entries.map { (number($0.key), number($0.value)) })
            case let object: _ = try stream.append { $0 += bytes(of: reference, object, bounds) }
            }
            guard stream.length <= 8 * list.bytes.count + 4096 else { return false }
            next += 1
        }
        try stream.finish(root: 0)
        return true
    }

    private func bytes(
        of reference: Reference,
        _ object: BinaryPropertyList.Object?,
        _ bounds: [Int]
    ) -> [UInt8] {
        var bytes: [UInt8] = []
        switch object {
        case .bool(let flag): bytes = [flag ? 0x09 : 0x08]
        case .integer(let integer): bytes.appendInteger(integer)
        case .real(let real): bytes.appendNumber(0x23, real.bitPattern, size: 8)
        case .date(let date):
            bytes.appendNumber(0x33, date.timeIntervalSinceReferenceDate.bitPattern, size: 8)
        case .uid(let number): bytes.appendNumber(0x87, number, size: 8)
        case .string(let text): bytes.appendText(text)
        case .data(let data):
            bytes.appendMarker(0x40, count: data.count)
            bytes += data
        case .null, .array, .dictionary: bytes = [0x00]
        case nil:
            // What refers to nothing goes on to do so: there is no such object as this one.
            guard let start = list.offset(of: reference) else { return [0x70] }
            let end = bounds.first { $0 > start } ?? list.layout.tableStart
            bytes += list.bytes[(list.bytes.startIndex + start)..<(list.bytes.startIndex + end)]
        }
        return bytes
    }
}

extension BinaryPropertyList {
    /// Where each object begins, as far as it lies within the list.
    fileprivate var offsets: [Int] {
        (0..<layout.objectCount).compactMap { offset(of: PropertyListReference(index: UInt64($0))) }
    }

    fileprivate func offset(of reference: PropertyListReference) -> Int? {
        bytes.reading { buffer in
            do throws(PropertyListError) {
                return try PropertyListBytes(buffer, layout: layout).offset(of: reference)
            } catch {
                return nil
            }
        }
    }
}
