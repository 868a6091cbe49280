package import Foundation

/// Writes a JSON object whose last member is an array.
///
/// The array is written element by element to keep memory use constant.
package struct JSONStream {
    private let encoder: JSONEncoder
    private let write: (Data) throws -> Void

    package init(write: @escaping (Data) throws -> Void = Terminal.write) {
        encoder = JSONEncoder()
        encoder.outputFormatting = [.withoutEscapingSlashes, .sortedKeys]
        encoder.dateEncodingStrategy = .iso8601
        self.write = write
    }

    /// Writes the members of `head`, which must not be empty, followed by the array with the name `name`.
    package func document<Element: Encodable>(
        head: some Encodable,
        array name: String,
        of elements: some Sequence<Element>
    ) throws {
        try document(head: head, array: name, of: elements) {
            String(decoding: try encoder.encode($0), as: UTF8.self)
        }
    }

    /// Writes the members of `head`, which must not be empty, followed by the array with the name `name`.
    ///
    /// The closure `text` encodes each element.
    package func document<Element>(
        head: some Encodable,
        array name: String,
        of elements: some Sequence<Element>,
        text: (Element) throws -> String
    ) throws {
        var buffer = String(decoding: try encoder.encode(head).dropLast(), as: UTF8.self) + ",\"\(name)\":["
        var isFirst = true
        for element in elements {
            buffer += isFirst ? "\n" : ",\n"
            buffer += try text(element)
            isFirst = false
            if buffer.utf8.count > 1 << 16 {
                try write(Data(buffer.utf8))
                buffer.removeAll(keepingCapacity: true)
            }
        }
        try write(Data((buffer + "]}\n").utf8))
    }
}
