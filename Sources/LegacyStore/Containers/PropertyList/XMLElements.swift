/// The elements of an XML property list, one after the other.
struct XMLElements {
    private var walk: XMLWalk

    init(_ reader: ByteReader) {
        walk = XMLWalk(reader)
    }

    /// Enters the dictionary that holds all others.
    mutating func open() throws {
        guard try significant().kind == .start("plist") else { throw XMLWalk.Break.syntax }
        guard try significant().kind == .start("dict") else { throw XMLWalk.Break.syntax }
    }

    /// The next key and where it begins with the white space before it; `nil` at the end of the dictionary.
    mutating func key() throws -> (name: String, start: Int)? {
        var start: Int?
        while let token = try walk.next() {
            switch token.kind {
            case .text where token.isBlank: start = start ?? token.extent.lowerBound
            case .aside: start = nil
            case .end("dict"): return nil
            case .start("key"):
                let text = String(decoding: try content(of: "key").text, as: UTF8.self)
                return (text, start ?? token.extent.lowerBound)
            default: throw XMLWalk.Break.syntax
            }
        }
        throw XMLWalk.Break.end
    }

    /// The name of the next element, which is entered.
    mutating func opening() throws -> String {
        guard case .start(let name) = try significant().kind else { throw XMLWalk.Break.syntax }
        return name
    }

    /// The text up to the closing tag, and where that ends.
    mutating func content(of name: String) throws -> (text: [UInt8], end: Int) {
        var text: [UInt8] = []
        while let token = try walk.next() {
            switch token.kind {
            case .text(let piece):
                guard text.count + piece.count <= XMLWalk.limit else { throw XMLWalk.Break.size }
                text += piece
            case .aside: continue
            case .end(name): return (text, token.extent.upperBound)
            default: throw XMLWalk.Break.syntax
            }
        }
        throw XMLWalk.Break.end
    }

    /// Passes over the rest of an element; answers where it ends.
    @discardableResult
    mutating func skip(_ name: String) throws -> Int {
        var depth = 1
        while let token = try walk.next() {
            switch token.kind {
            case .start: depth += 1
            case .end: depth -= 1
            case .text, .aside: continue
            }
            if depth == 0 { return token.extent.upperBound }
        }
        throw XMLWalk.Break.end
    }

    private mutating func significant() throws -> XMLToken {
        while let token = try walk.next() {
            if !token.isBlank { return token }
        }
        throw XMLWalk.Break.end
    }
}
