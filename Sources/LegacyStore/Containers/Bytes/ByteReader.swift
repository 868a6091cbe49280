import Foundation

/// The bytes of a file from front to back, read in pieces as they are asked for.
final class ByteReader {
    private let url: URL
    private let file: OpenFile
    private let buffer = UnsafeMutableRawBufferPointer.allocate(byteCount: 64 * 1024, alignment: 16)
    private var position = 0
    private var end = 0
    /// How much of the file was read so far.
    private(set) var bytesRead = 0

    init(_ url: URL) throws(LegacyStoreError) {
        self.url = url
        file = try reading(url) { () throws(FileFault) in try OpenFile(reading: url) }
    }

    deinit {
        // Key material passed through.
        buffer.initializeMemory(as: UInt8.self, repeating: 0)
        buffer.deallocate()
    }

    /// Where the next byte lies in the file.
    var offset: Int { bytesRead - (end - position) }

    /// The next bytes, passed over; fewer at the end of the file.
    func prefix(_ count: Int) throws(LegacyStoreError) -> [UInt8] {
        var bytes: [UInt8] = []
        while bytes.count < count, let byte = try next() { bytes.append(byte) }
        return bytes
    }

    /// The next byte, left where it is; `nil` at the end of the file.
    func peek() throws(LegacyStoreError) -> UInt8? {
        if position == end { try fill() }
        return position < end ? buffer[position] : nil
    }

    /// The next byte; `nil` at the end of the file.
    func next() throws(LegacyStoreError) -> UInt8? {
        guard let byte = try peek() else { return nil }
        position += 1
        return byte
    }

    /// Passes over the bytes for which `belongs` holds and hands them to `body` in pieces.
    func advance(
        while belongs: (UInt8) -> Bool,
        _ body: (UnsafeRawBufferPointer) -> Void
    ) throws(LegacyStoreError) {
        while try peek() != nil {
            let start = position
            while position < end, belongs(buffer[position]) { position += 1 }
            body(UnsafeRawBufferPointer(rebasing: buffer[start..<position]))
            if position < end { return }
        }
    }

    /// Passes over the bytes for which `belongs` holds.
    func skip(while belongs: (UInt8) -> Bool) throws(LegacyStoreError) {
        try advance(while: belongs) { _ in }
    }

    /// Appends the bytes for which `belongs` holds to `bytes`, up to `limit` of them in all.
    ///
    /// Bytes beyond the limit are passed over; the answer says whether there were none.
    func take(
        into bytes: inout [UInt8],
        limit: Int,
        while belongs: (UInt8) -> Bool
    ) throws(LegacyStoreError) -> Bool {
        var fits = true
        try advance(while: belongs) { piece in
            fits = fits && bytes.count + piece.count <= limit
            if fits { bytes.append(contentsOf: piece) }
        }
        return fits
    }

    /// The next bytes before `offset` that can be had at once; none at the end of the file.
    func piece(upTo offset: Int) throws(LegacyStoreError) -> [UInt8] {
        guard try peek() != nil else { return [] }
        let count = min(end - position, offset - self.offset)
        defer { position += count }
        return [UInt8](buffer[position..<position + count])
    }

    /// Passes over the bytes before `offset`, or to the end of the file.
    func skip(to offset: Int) throws(LegacyStoreError) {
        while self.offset < offset, try !piece(upTo: offset).isEmpty {}
    }

    /// The bytes of `extent`, which begins here or further on.
    func slice(_ extent: Range<Int>) throws(LegacyStoreError) -> [UInt8] {
        try skip(to: extent.lowerBound)
        return try prefix(extent.count)
    }

    private func fill() throws(LegacyStoreError) {
        let count = try reading(url) { () throws(FileFault) in try file.read(into: buffer) }
        position = 0
        end = count
        bytesRead += count
    }
}
