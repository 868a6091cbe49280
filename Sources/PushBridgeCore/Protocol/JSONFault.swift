public import Foundation

/// The place of a syntax error in a JSON text.
///
/// A byte order mark at the start of the text is not counted, because editors do not show it.
@_spi(PushBridgeTools) public struct JSONFault: Equatable, Sendable {
    /// The line, counted from 1.
    public let line: Int
    /// The column, counted in bytes from 1.
    public let column: Int

    /// Determines the line and the column of a byte.
    ///
    /// - Parameters:
    ///   - offset: The offset of the byte; the length of the text means the end of the text.
    ///   - json: The text.
    package init(at offset: Int, in json: [UInt8]) {
        let before = json.prefix(offset).dropFirst(Reader.lengthOfMark(in: json))
        let feed = UInt8(ascii: "\n")
        line = 1 + before.count { $0 == feed }
        column = 1 + before.endIndex - (before.lastIndex(of: feed).map { $0 + 1 } ?? before.startIndex)
    }

    /// Finds the first error according to the grammar of RFC 8259.
    ///
    /// Returns `nil` for valid JSON, and for JSON that is nested more than 500 levels deep before its first error.
    /// - Parameter json: The text.
    public init?(in json: Data) {
        var reader = Reader(bytes: Array(json))
        do {
            try reader.document()
            return nil
        } catch .tooDeep {
            return nil
        } catch {
            self.init(at: reader.place, in: reader.bytes)
        }
    }

    /// The place in words, such as `line 3, column 14`.
    public var words: String { "line \(line), column \(column)" }

    private enum Mistake: Error { case syntax, tooDeep }

    /// Reads a text up to its first error.
    private struct Reader {
        let bytes: [UInt8]
        private(set) var place: Int
        private var depth = 0

        init(bytes: [UInt8]) {
            self.bytes = bytes
            place = Self.lengthOfMark(in: bytes)
        }

        /// Returns the number of bytes of the byte order mark; 0 if the text has none.
        static func lengthOfMark(in bytes: [UInt8]) -> Int {
            bytes.starts(with: [0xEF, 0xBB, 0xBF]) ? 3 : 0
        }

        private var next: UInt8? { place < bytes.count ? bytes[place] : nil }

        mutating func document() throws(Mistake) {
            try value()
            skipSpace()
            if next != nil { throw .syntax }
        }

        private mutating func value() throws(Mistake) {
            skipSpace()
            switch next {
            case UInt8(ascii: "{"): try list(until: UInt8(ascii: "}"), named: true)
            case UInt8(ascii: "["): try list(until: UInt8(ascii: "]"), named: false)
            case UInt8(ascii: "\""): try text()
            case UInt8(ascii: "t"): try word("true")
            case UInt8(ascii: "f"): try word("false")
            case UInt8(ascii: "n"): try word("null")
            default: try number()
            }
        }

        private mutating func list(until end: UInt8, named: Bool) throws(Mistake) {
            depth += 1
            defer { depth -= 1 }
            guard depth <= 500 else { throw .tooDeep }
            place += 1
            skipSpace()
            if take(end) { return }
            repeat {
                if named {
                    skipSpace()
                    try text()
                    skipSpace()
                    try require(UInt8(ascii: ":"))
                }
                try value()
                skipSpace()
            } while take(UInt8(ascii: ","))
            try require(end)
        }

        private mutating func text() throws(Mistake) {
            try require(UInt8(ascii: "\""))
            while let byte = next, byte >= 0x20 {
                if take(UInt8(ascii: "\"")) { return }
                place += 1
                guard byte == UInt8(ascii: "\\") else { continue }
                guard let escaped = next, "\"\\/bfnrtu".utf8.contains(escaped) else { throw .syntax }
                place += 1
                guard escaped == UInt8(ascii: "u") else { continue }
                for _ in 0..<4 {
                    guard let digit = next, "0123456789abcdefABCDEF".utf8.contains(digit) else {
                        throw .syntax
                    }
                    place += 1
                }
            }
            throw .syntax
        }

        private mutating func number() throws(Mistake) {
            _ = take(UInt8(ascii: "-"))
            if !take(UInt8(ascii: "0")) { try digits() }
            if take(UInt8(ascii: ".")) { try digits() }
            guard take(UInt8(ascii: "e")) || take(UInt8(ascii: "E")) else { return }
            if !take(UInt8(ascii: "+")) { _ = take(UInt8(ascii: "-")) }
            try digits()
        }

        private mutating func digits() throws(Mistake) {
            let start = place
            while let byte = next, (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte) { place += 1 }
            guard place > start else { throw .syntax }
        }

        private mutating func word(_ word: String) throws(Mistake) {
            for byte in word.utf8 { try require(byte) }
        }

        private mutating func skipSpace() {
            while let byte = next, " \n\r\t".utf8.contains(byte) { place += 1 }
        }

        private mutating func take(_ byte: UInt8) -> Bool {
            guard next == byte else { return false }
            place += 1
            return true
        }

        private mutating func require(_ byte: UInt8) throws(Mistake) {
            guard take(byte) else { throw .syntax }
        }
    }
}
