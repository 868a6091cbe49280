import Foundation
@_spi(PushBridgeTools) import PushBridgeCore

/// Finds the values of a JSON text without decoding them.
///
/// The scanner only follows strings, escapes and nesting; a decoder checks later whether a value is valid. So
/// if one record is broken, the other records can still be read.
struct JSONScanner {
    enum Break: Error {
        case end
        /// A syntax error at the byte with this offset.
        case syntax(at: Int)
    }

    let bytes: [UInt8]

    /// Returns a sentence that names the fault of the text and its place.
    func reason(_ error: Break) -> String {
        switch error {
        case .end: "The document is incomplete: it ends at \(place(bytes.count))."
        case .syntax(let position): "From \(place(position)) on, the document is not well-formed JSON."
        }
    }

    /// Returns the line and the column of a byte in words, such as `line 3, column 14`.
    func place(_ position: Int) -> String { JSONFault(at: position, in: bytes).words }

    /// Returns the position of the next byte that is not white space; if there is no such byte, returns the
    /// end of the text.
    func skipSpace(from position: Int) -> Int {
        var position = position
        while position < bytes.count, bytes[position].isJSONSpace { position += 1 }
        return position
    }

    /// Returns the range of the next value.
    ///
    /// The value starts at `position` or after the white space there.
    func value(from position: Int) throws(Break) -> Range<Int> {
        let start = skipSpace(from: position)
        guard start < bytes.count else { throw .end }
        switch bytes[start] {
        case UInt8(ascii: "\""): return start..<(try endOfString(from: start))
        case UInt8(ascii: "{"), UInt8(ascii: "["): return start..<(try endOfNesting(from: start))
        case UInt8(ascii: ","), UInt8(ascii: ":"), UInt8(ascii: "}"), UInt8(ascii: "]"):
            throw .syntax(at: start)
        default:
            var end = start
            while end < bytes.count, !bytes[end].endsJSONScalar { end += 1 }
            return start..<end
        }
    }

    /// Calls `body` with each value of the list or object that starts at `start`, and returns the end of the
    /// list or object.
    ///
    /// For an object, `body` also receives the name of each value.
    func walk(
        from start: Int,
        _ body: (_ name: Range<Int>?, _ valueStart: Int) throws(Break) -> Int
    ) throws(Break) -> Int {
        let isObject = bytes[start] == UInt8(ascii: "{")
        let closing = UInt8(ascii: isObject ? "}" : "]")
        var position = skipSpace(from: start + 1)
        while position < bytes.count, bytes[position] != closing {
            var name: Range<Int>?
            if isObject {
                let found = try value(from: position)
                position = try skip(UInt8(ascii: ":"), from: found.upperBound)
                name = found
            }
            position = skipSpace(from: position)
            guard position < bytes.count else { throw .end }
            position = skipSpace(from: try body(name, position))
            guard position < bytes.count else { throw .end }
            if bytes[position] == closing { break }
            position = skipSpace(from: try skip(UInt8(ascii: ","), from: position))
            guard position < bytes.count else { throw .end }
            guard bytes[position] != closing else { throw .syntax(at: position) }
        }
        guard position < bytes.count else { throw .end }
        return position + 1
    }

    /// Returns the members of an object that precede the first syntax error.
    ///
    /// For other values, the result is empty.
    ///
    /// If several members have the same name, the first of them is used.
    func members(of object: Range<Int>) -> [String: Range<Int>] {
        var members: [String: Range<Int>] = [:]
        guard object.first.map({ bytes[$0] }) == UInt8(ascii: "{") else { return [:] }
        do throws(Break) {
            _ = try walk(from: object.lowerBound) { name, start throws(Break) in
                let value = try value(from: start)
                if let name = name.flatMap(text), members[name] == nil { members[name] = value }
                return value.upperBound
            }
        } catch {
            // The members before the syntax error are returned.
        }
        return members
    }

    /// Returns the text of a quoted string; `nil` if the value is malformed or not a string.
    func text(_ value: Range<Int>) -> String? {
        let quoted = bytes[value]
        guard quoted.first == UInt8(ascii: "\""), quoted.count >= 2 else { return nil }
        guard quoted.contains(UInt8(ascii: "\\")) else {
            let content = quoted.dropFirst().dropLast()
            // Replaces `String(validating:as:)`, which requires iOS 18. Foundation's initialiser would drop a byte
            // order mark.
            let text = String(decoding: content, as: UTF8.self)
            return text.utf8.elementsEqual(content) ? text : nil
        }
        do {
            return try JSONDecoder().decode(String.self, from: Data(quoted))
        } catch {
            return nil
        }
    }

    private func skip(_ byte: UInt8, from position: Int) throws(Break) -> Int {
        let position = skipSpace(from: position)
        guard position < bytes.count else { throw .end }
        guard bytes[position] == byte else { throw .syntax(at: position) }
        return position + 1
    }

    private func endOfString(from start: Int) throws(Break) -> Int {
        var position = start + 1
        while position < bytes.count {
            switch bytes[position] {
            case UInt8(ascii: "\\"): position += 2
            case UInt8(ascii: "\""): return position + 1
            default: position += 1
            }
        }
        throw .end
    }

    private func endOfNesting(from start: Int) throws(Break) -> Int {
        var position = start
        var depth = 0
        while position < bytes.count {
            switch bytes[position] {
            case UInt8(ascii: "\""):
                position = try endOfString(from: position)
                continue
            case UInt8(ascii: "{"), UInt8(ascii: "["): depth += 1
            case UInt8(ascii: "}"), UInt8(ascii: "]"): depth -= 1
            default: break
            }
            position += 1
            if depth == 0 { return position }
        }
        throw .end
    }
}

extension UInt8 {
    var isJSONSpace: Bool {
        self == 0x20 || self == 0x0A || self == 0x0D || self == 0x09
    }

    /// Whether this is one of the three bytes of the byte order mark.
    ///
    /// Some tools write this mark at the start of UTF-8 files.
    var isByteOrderMark: Bool {
        self == 0xEF || self == 0xBB || self == 0xBF
    }

    fileprivate var endsJSONScalar: Bool {
        switch self {
        case UInt8(ascii: ","), UInt8(ascii: "]"), UInt8(ascii: "}"), UInt8(ascii: ":"): true
        default: isJSONSpace
        }
    }
}
