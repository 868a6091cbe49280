import Foundation

/// Copies a binary property list without some of our items; everything else keeps its value.
struct PropertyListCopy {
    private static let deepest = 128
    private let list: BinaryPropertyList
    private var stream: PropertyListStream
    // Objects that several others refer to are copied once.
    private var copied: [PropertyListReference: Int] = [:]
    private var count = 0

    /// Writes the copy.
    static func write(
        _ list: BinaryPropertyList,
        to file: StagedFile,
        removing indexes: Set<Int>
    ) throws {
        var copy = PropertyListCopy(list: list, stream: try PropertyListStream(file))
        let root = try copy.root(removing: indexes)
        try copy.stream.finish(root: root)
    }

    private init(list: BinaryPropertyList, stream: PropertyListStream) {
        self.list = list
        self.stream = stream
    }

    private mutating func root(removing indexes: Set<Int>) throws -> Int {
        var entries: [(key: Int, value: Int)] = []
        for entry in try dictionary(list.root) {
            let value =
                if case .string(let name) = try list.object(at: entry.key),
                    LegacyService(rawValue: name) != nil
                {
                    try section(entry.value, removing: indexes)
                } else {
                    try copy(entry.value)
                }
            entries.append((try copy(entry.key), value))
        }
        return try stream.append(dictionary: entries)
    }

    private mutating func section(_ reference: PropertyListReference, removing indexes: Set<Int>) throws
        -> Int
    {
        var entries: [(key: Int, value: Int)] = []
        for entry in try dictionary(reference) {
            defer { count += 1 }
            if indexes.contains(count) { continue }
            entries.append((try copy(entry.key), try copy(entry.value)))
        }
        return try stream.append(dictionary: entries)
    }

    private func dictionary(_ reference: PropertyListReference) throws -> BinaryPropertyList.Entries {
        guard case .dictionary(let entries) = try list.object(at: reference) else {
            throw PropertyListError.unknownObject
        }
        return entries
    }

    private mutating func copy(_ reference: PropertyListReference, depth: Int = 0) throws -> Int {
        if let number = copied[reference] { return number }
        guard depth < Self.deepest else { throw PropertyListError.danglingReference }
        let number =
            switch try list.object(at: reference) {
            case .array(let elements):
                try stream.append(array: elements.map { try copy($0, depth: depth + 1) })
            case .dictionary(let entries):
                try stream.append(
                    dictionary: entries.map {
                        (try copy($0.key, depth: depth + 1), try copy($0.value, depth: depth + 1))
                    }
                )
            case let leaf: try append(leaf)
            }
        copied[reference] = number
        return number
    }

    private mutating func append(_ leaf: BinaryPropertyList.Object) throws -> Int {
        switch leaf {
        case .bool(let value): try stream.append { $0.append(value ? 0x09 : 0x08) }
        case .integer(let value): try stream.append { $0.appendInteger(value) }
        case .real(let value): try stream.append { $0.appendNumber(0x23, value.bitPattern, size: 8) }
        case .date(let value):
            try stream.append {
                $0.appendNumber(0x33, value.timeIntervalSinceReferenceDate.bitPattern, size: 8)
            }
        case .data(let bytes): try stream.append(bytes)
        case .string(let text): try stream.append(text)
        case .uid(let value): try stream.append { $0.appendNumber(0x87, value, size: 8) }
        case .null, .array, .dictionary: try stream.append { $0.append(0x00) }
        }
    }
}
