import Foundation

/// Writes a JSON object whose last member is an array, element by element, so that memory does not grow with it.
struct JSONStream {
    private let encoder: JSONEncoder
    private let write: (Data) throws -> Void

    init(write: @escaping (Data) throws -> Void = Terminal.write) {
        encoder = JSONEncoder()
        encoder.outputFormatting = [.withoutEscapingSlashes, .sortedKeys]
        encoder.dateEncodingStrategy = .iso8601
        self.write = write
    }

    /// Writes `members` of a head (not empty) followed by the array `name`.
    func document<Element: Encodable>(
        head: some Encodable,
        array name: String,
        of elements: some Sequence<Element>
    ) throws {
        var buffer = try encoder.encode(head)
        buffer.removeLast()
        buffer.append(Data(",\"\(name)\":[".utf8))
        var isFirst = true
        for element in elements {
            buffer.append(Data((isFirst ? "\n" : ",\n").utf8))
            buffer.append(try encoder.encode(element))
            isFirst = false
            if buffer.count > 1 << 16 {
                try write(buffer)
                buffer.removeAll(keepingCapacity: true)
            }
        }
        buffer.append(Data("]}\n".utf8))
        try write(buffer)
    }
}
