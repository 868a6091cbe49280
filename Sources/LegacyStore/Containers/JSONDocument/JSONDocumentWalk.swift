import Foundation

/// Walks through a JSON document once, from front to back, and holds one record at a time.
struct JSONDocumentWalk {
    private enum State {
        case start
        case members(isFirst: Bool)
        case list(JSONSection, isFirst: Bool)
        case end
        case over
    }

    /// Why the rest of a document cannot be used.
    private struct Break: Error {
        static let end = Break(reason: "The document ends in the middle of a record.")
        static let syntax = Break(reason: "From here on the document is not well-formed JSON.")

        let reason: String
    }

    private static let limit = 16 * 1024 * 1024
    private let reader: ByteReader
    private var state = State.start
    /// Whether the document is a list and no object.
    private var isList = false

    init(_ reader: ByteReader) {
        self.reader = reader
    }

    /// The next part; `nil` at the end, and after a break.
    mutating func next() throws(LegacyStoreError) -> JSONDocumentPart? {
        let section = section
        do {
            return try step()
        } catch let error as LegacyStoreError {
            throw error
        } catch {
            state = .over
            return .broken(section, reason: (error as? Break)?.reason ?? "The document cannot be read.")
        }
    }

    private var section: JSONSection? {
        guard case .list(let section, _) = state else { return nil }
        return section
    }

    private mutating func step() throws -> JSONDocumentPart? {
        switch state {
        case .start:
            try reader.skip { $0.isJSONSpace || $0.isByteOrderMark }
            if try lookAhead() == UInt8(ascii: "[") {
                isList = true
                return try open(.credentials)
            }
            try expect("{")
            state = .members(isFirst: true)
            return try step()
        case .members(let isFirst): return try member(isFirst: isFirst)
        case .list(let section, let isFirst): return try element(of: section, isFirst: isFirst)
        case .end:
            state = .over
            guard try lookAhead() == nil else {
                throw Break(reason: "Something follows the end of the document.")
            }
            return nil
        case .over: return nil
        }
    }

    private mutating func member(isFirst: Bool) throws -> JSONDocumentPart? {
        if try lookAhead() == UInt8(ascii: "}") {
            try expect("}")
            state = .end
            return try step()
        }
        if !isFirst { try expect(",") }
        guard let name = JSONText.decode(try value().bytes) else {
            throw Break(reason: "The document has a member without a name.")
        }
        try expect(":")
        state = .members(isFirst: false)
        let start = try lookAhead()
        guard let section = JSONSection(rawValue: name), start != UInt8(ascii: "n"),
            section != .credentials || start == UInt8(ascii: "[")
        else { return .other(name: name, value: try skipValue()) }
        guard section != .deviceToken else { return .record(try record(section)) }
        return try open(section)
    }

    private mutating func open(_ section: JSONSection) throws -> JSONDocumentPart {
        try expect("[")
        state = .list(section, isFirst: true)
        return .list(section)
    }

    private mutating func element(of section: JSONSection, isFirst: Bool) throws -> JSONDocumentPart? {
        if try lookAhead() == UInt8(ascii: "]") {
            try expect("]")
            state = isList ? .end : .members(isFirst: false)
            return try step()
        }
        if !isFirst { try expect(",") }
        state = .list(section, isFirst: false)
        return .record(try record(section))
    }

    private func record(_ section: JSONSection) throws -> JSONRecord {
        let (bytes, extent) = try value()
        return JSONRecord(section: section, bytes: bytes, extent: extent)
    }

    private func value() throws -> (bytes: [UInt8], extent: Range<Int>) {
        var bytes: [UInt8] = []
        var shape = JSONValueShape()
        guard try lookAhead() != nil else { throw Break.end }
        let start = reader.offset
        let fits = try reader.take(into: &bytes, limit: Self.limit) { shape.accept($0) }
        guard fits else { throw Break(reason: "A record of the document is larger than 16 MB.") }
        try check(shape)
        return (bytes, start..<reader.offset)
    }

    private func skipValue() throws -> Range<Int> {
        var shape = JSONValueShape()
        guard try lookAhead() != nil else { throw Break.end }
        let start = reader.offset
        try reader.skip { shape.accept($0) }
        try check(shape)
        return start..<reader.offset
    }

    private func check(_ shape: JSONValueShape) throws {
        guard !shape.isComplete else { return }
        throw try reader.peek() == nil ? Break.end : Break.syntax
    }

    private func expect(_ character: Unicode.Scalar) throws {
        guard let byte = try lookAhead() else { throw Break.end }
        guard byte == UInt8(ascii: character) else { throw Break.syntax }
        _ = try reader.next()
    }

    private func lookAhead() throws -> UInt8? {
        try reader.skip(while: \.isJSONSpace)
        return try reader.peek()
    }
}
