import Foundation

/// The lines of a file, one at a time; none takes more memory than the limit.
struct LineWalk {
    /// One line as it lies in the file.
    struct Line {
        /// The text without the line's end; `nil` if there is too much of it.
        let bytes: [UInt8]?
        /// Where it lies in the file, the line's end included.
        let extent: Range<Int>
        /// Counted from 1.
        let number: Int

        var isBlank: Bool { bytes?.allSatisfy(\.isJSONSpace) ?? false }
    }

    private let reader: ByteReader
    private let limit: Int
    private var number = 0

    init(_ reader: ByteReader, limit: Int = 16 * 1024 * 1024) {
        self.reader = reader
        self.limit = limit
    }

    /// The next line; `nil` at the end of the file.
    mutating func next() throws(LegacyStoreError) -> Line? {
        guard try reader.peek() != nil else { return nil }
        let start = reader.offset
        var bytes: [UInt8] = []
        let fits = try reader.take(into: &bytes, limit: limit) { $0 != UInt8(ascii: "\n") }
        _ = try reader.next()
        if bytes.last == UInt8(ascii: "\r") { bytes.removeLast() }
        number += 1
        return Line(bytes: fits ? bytes : nil, extent: start..<reader.offset, number: number)
    }
}
