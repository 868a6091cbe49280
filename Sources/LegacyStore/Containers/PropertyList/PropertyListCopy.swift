import Foundation

/// Copies a binary property list without some of its objects; all others are copied as they lie, understood or
/// not.
///
/// Objects keep their numbers. Only the dictionaries that lose entries are written anew, behind the others, and
/// so is the table of places.
struct PropertyListCopy {
    private let list: BinaryPropertyList
    private let cut: PropertyListCut
    // Where each object lies; the places in order, each once, and the end.
    private let offsets: [Int]
    private let bounds: [Int]
    private let dropped: Set<Int>

    /// Prepares a copy; `nil` if objects lie upon each other, so that none can be left out.
    init?(_ list: BinaryPropertyList, _ cut: PropertyListCut) {
        self.list = list
        self.cut = cut
        let offsets = list.offsets
        let end = list.layout.tableStart
        let places = offsets.filter { $0 >= PropertyListLayout.headerSize && $0 < end }
        let bounds = Set(places).union([PropertyListLayout.headerSize, end]).sorted()
        let moved = cut.gone.union(cut.left.keys)
        let needed = cut.kept.subtracting(cut.left.keys)
        let dropped = Set(moved.compactMap { list.offset($0, in: offsets) })
            .subtracting(needed.compactMap { list.offset($0, in: offsets) })
        for reference in cut.gone.union(needed) {
            guard let start = list.offset(reference, in: offsets), let extent = list.end(of: reference) else {
                continue
            }
            let next = bounds.partitioningIndex { $0 > start }
            let inside = bounds[next...].prefix { $0 < extent }
            if dropped.contains(start) ? !inside.isEmpty : inside.contains(where: dropped.contains) {
                return nil
            }
        }
        (self.offsets, self.bounds, self.dropped) = (offsets, bounds, dropped)
    }

    /// Writes the copy.
    func write(to file: StagedFile) throws(LegacyStoreError) {
        var moved: [Int: Int] = [:]
        var length = PropertyListLayout.headerSize
        try write(0..<length, to: file)
        for (start, end) in zip(bounds, bounds.dropFirst()) where !dropped.contains(start) {
            moved[start] = length
            try write(start..<end, to: file)
            length += end - start
        }
        var places = offsets.map { moved[$0] ?? $0 }
        for (reference, entries) in cut.left {
            places[Int(reference.index)] = length
            let bytes = list.dictionary(entries)
            try file.write(bytes)
            length += bytes.count
        }
        // What is gone stands for nothing.
        for reference in cut.gone where reference.index < places.count {
            places[Int(reference.index)] = length
        }
        try file.write([0x00])
        try file.write(list.table(places, at: length + 1))
    }

    private func write(_ range: Range<Int>, to file: StagedFile) throws(LegacyStoreError) {
        let size = 64 * 1024
        for start in stride(from: range.lowerBound, to: range.upperBound, by: size) {
            try file.write(list.raw(start..<min(start + size, range.upperBound)))
        }
    }
}

extension [Int] {
    // Where the elements for which `belongs` holds begin; those come last.
    fileprivate func partitioningIndex(where belongs: (Int) -> Bool) -> Int {
        var (low, high) = (0, count)
        while low < high {
            let middle = low + (high - low) / 2
            if belongs(self[middle]) { high = middle } else { low = middle + 1 }
        }
        return low
    }
}
