import Foundation

/// The members of one JSON object, found without decoding it.
struct JSONMembers {
    private let bytes: [UInt8]

    init(_ bytes: [UInt8]) {
        self.bytes = bytes
    }

    /// Where the value of the first member of this name lies; `nil` if there is none, or no object.
    func value(of name: String) -> Range<Int>? {
        let quoted = Array("\"\(name)\"".utf8)
        guard var position = opening() else { return nil }
        while let key = value(from: position), let colon = skip(from: key.upperBound, UInt8(ascii: ":")) {
            guard let value = value(from: colon) else { return nil }
            if bytes[key].elementsEqual(quoted) { return value }
            guard let next = skip(from: value.upperBound, UInt8(ascii: ",")) else { return nil }
            position = next
        }
        return nil
    }

    /// The text of the first member of this name; `nil` if there is none, or it is not text.
    func text(of name: String) -> String? {
        guard let range = value(of: name), bytes[range].first == UInt8(ascii: "\"") else { return nil }
        return JSONText.decode(bytes[range])
    }

    private func opening() -> Int? {
        skip(from: 0, UInt8(ascii: "{"))
    }

    private func value(from position: Int) -> Range<Int>? {
        var shape = JSONValueShape()
        let start = spaces(from: position)
        let end = bytes[start...].firstIndex { !shape.accept($0) } ?? bytes.endIndex
        return shape.isComplete ? start..<end : nil
    }

    private func skip(from position: Int, _ byte: UInt8) -> Int? {
        let start = spaces(from: position)
        return start < bytes.endIndex && bytes[start] == byte ? start + 1 : nil
    }

    private func spaces(from position: Int) -> Int {
        bytes[position...].firstIndex { !$0.isJSONSpace } ?? bytes.endIndex
    }
}

/// Text in JSON.
enum JSONText {
    /// The text that a string with its quotes spells; `nil` if it is malformed.
    static func decode(_ quoted: some Collection<UInt8>) -> String? {
        guard quoted.contains(UInt8(ascii: "\\")) else {
            return String(validating: quoted.dropFirst().dropLast(), as: UTF8.self)
        }
        do {
            return try JSONDecoder().decode(String.self, from: Data(quoted))
        } catch {
            return nil
        }
    }
}
