/// Walks through an XML document once and holds one tag or text at a time.
///
/// Knows as much of XML as property lists need: elements, entities, comments, CDATA, and how to pass over
/// declarations. The text is UTF-8.
struct XMLWalk {
    /// The document makes no sense from here on.
    struct Break: Error {
        let reason: String

        static let end = Break(reason: "The property list ends in the middle of a record.")
        static let syntax = Break(reason: "From here on the property list is not well-formed XML.")
        static let size = Break(reason: "A value of the property list is larger than 16 MB.")
    }

    /// The largest text that is held.
    static let limit = 16 * 1024 * 1024
    private let reader: ByteReader
    private var closing: String?

    init(_ reader: ByteReader) {
        self.reader = reader
    }

    /// The next token; `nil` at the end of the file.
    mutating func next() throws -> XMLToken? {
        if reader.offset == 0 { try reader.skip(while: \.isByteOrderMark) }
        let start = reader.offset
        if let name = closing {
            closing = nil
            return XMLToken(kind: .end(name), extent: start..<start)
        }
        guard let first = try reader.peek() else { return nil }
        let kind = first == UInt8(ascii: "<") ? try markup() : try text()
        return XMLToken(kind: kind, extent: start..<reader.offset)
    }

    private func text() throws -> XMLToken.Kind {
        let raw = try take { $0 != UInt8(ascii: "<") }
        guard let text = XMLEntities.replaced(in: raw) else { throw Break.syntax }
        return .text(text)
    }

    private mutating func markup() throws -> XMLToken.Kind {
        _ = try reader.next()
        switch try reader.peek() {
        case UInt8(ascii: "/"):
            _ = try reader.next()
            return .end(Self.name(try tag()))
        case UInt8(ascii: "!"): return try declaration()
        case UInt8(ascii: "?"):
            try skip(past: "?>")
            return .aside
        default: return try element()
        }
    }

    private mutating func element() throws -> XMLToken.Kind {
        let content = try tag()
        let name = Self.name(content)
        guard !name.isEmpty else { throw Break.syntax }
        if content.hasSuffix("/") { closing = name }
        return .start(name)
    }

    private static func name(_ tag: String) -> String {
        String(tag.prefix { !$0.isWhitespace && $0 != "/" })
    }

    // What lies between the brackets of a tag. A bracket may stand in a quoted attribute.
    private func tag() throws -> String {
        var quote: UInt8?
        let content = try take { byte in
            if byte == quote {
                quote = nil
            } else if quote == nil, byte == UInt8(ascii: "\"") || byte == UInt8(ascii: "'") {
                quote = byte
            }
            return quote != nil || byte != UInt8(ascii: ">")
        }
        guard try reader.next() != nil else { throw Break.end }
        return String(decoding: content, as: UTF8.self)
    }

    private func declaration() throws -> XMLToken.Kind {
        _ = try reader.next()
        switch try reader.peek() {
        case UInt8(ascii: "-"):
            try expect("--")
            try skip(past: "-->")
            return .aside
        case UInt8(ascii: "["):
            try expect("[CDATA[")
            return .text(try takeCharacterData())
        default:
            try skipDocumentType()
            return .aside
        }
    }

    private func takeCharacterData() throws -> [UInt8] {
        let end = Array("]]>".utf8)
        var bytes: [UInt8] = []
        while !bytes.suffix(3).elementsEqual(end) {
            guard let byte = try reader.next() else { throw Break.end }
            guard bytes.count < Self.limit else { throw Break.size }
            bytes.append(byte)
        }
        return bytes.dropLast(3)
    }

    // A document type may hold declarations of its own in square brackets.
    private func skipDocumentType() throws {
        var depth = 0
        try reader.skip { byte in
            if byte == UInt8(ascii: "[") { depth += 1 }
            if byte == UInt8(ascii: "]") { depth -= 1 }
            return depth > 0 || byte != UInt8(ascii: ">")
        }
        guard try reader.next() != nil else { throw Break.end }
    }

    private func skip(past text: String) throws {
        var last: [UInt8] = []
        let end = Array(text.utf8)
        while last != end {
            guard let byte = try reader.next() else { throw Break.end }
            last = (last + [byte]).suffix(end.count)
        }
    }

    private func expect(_ text: String) throws {
        for expected in text.utf8 {
            guard let byte = try reader.next() else { throw Break.end }
            guard byte == expected else { throw Break.syntax }
        }
    }

    private func take(while belongs: (UInt8) -> Bool) throws -> [UInt8] {
        var bytes: [UInt8] = []
        guard try reader.take(into: &bytes, limit: Self.limit, while: belongs) else { throw Break.size }
        return bytes
    }
}
