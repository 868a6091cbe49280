package import Foundation

/// Reads the bytes of a file in order, in pieces on demand.
package final class ByteReader {
    private let file: OpenFile
    private let buffer = UnsafeMutableRawBufferPointer.allocate(byteCount: 64 * 1024, alignment: 16)
    private var position = 0
    private var end = 0
    package private(set) var bytesRead = 0

    package init(_ file: OpenFile) {
        self.file = file
    }

    package convenience init(_ url: URL) throws(SystemFailure) {
        self.init(try OpenFile(reading: url))
    }

    deinit {
        // The buffer is cleared, because it may have contained a key.
        buffer.initializeMemory(as: UInt8.self, repeating: 0)
        buffer.deallocate()
    }

    /// The position of the next byte in the file.
    package var offset: Int { bytesRead - (end - position) }

    /// Returns the next available bytes, valid until the next read; empty at the end of the file.
    ///
    /// - Throws: ``SystemFailure`` if the file cannot be read.
    package func piece() throws(SystemFailure) -> UnsafeRawBufferPointer {
        if position == end { try fill() }
        defer { position = end }
        return UnsafeRawBufferPointer(rebasing: buffer[position..<end])
    }

    /// Returns the next bytes; fewer than requested at the end of the file.
    ///
    /// - Throws: ``SystemFailure`` if the file cannot be read.
    package func prefix(_ count: Int) throws(SystemFailure) -> [UInt8] {
        var bytes: [UInt8] = []
        while bytes.count < count {
            if position == end { try fill() }
            guard position < end else { break }
            let next = min(end, position + count - bytes.count)
            bytes += buffer[position..<next]
            position = next
        }
        return bytes
    }

    /// Returns the next line without its line feed, and its extent in the file; `nil` at the end of the file.
    ///
    /// If the line is longer than `limit`, the method returns only the line's extent. From the offset `stop` on, the
    /// method reads nothing more from the file, so the line ends with the bytes that were already read.
    ///
    /// - Throws: ``SystemFailure`` if the file cannot be read.
    package func line(
        limit: Int,
        until stop: Int = .max
    ) throws(SystemFailure) -> (bytes: [UInt8]?, extent: Range<Int>)? {
        if position == end { try fill() }
        guard position < end else { return nil }
        let start = offset
        var bytes: [UInt8]? = []
        while position < end {
            guard let rest = UnsafeRawPointer(buffer.baseAddress?.advanced(by: position)) else { break }
            let feed = memchr(rest, 0x0A, end - position).map { rest.distance(to: UnsafeRawPointer($0)) }
            let piece = UnsafeRawBufferPointer(start: rest, count: feed ?? end - position)
            if let count = bytes?.count, count + piece.count <= limit {
                bytes?.append(contentsOf: piece)
            } else {
                bytes = nil
            }
            position += piece.count + (feed == nil ? 0 : 1)
            if feed != nil || offset >= stop { break }
            try fill()
        }
        return (bytes, start..<offset)
    }

    private func fill() throws(SystemFailure) {
        let count = try file.read(into: buffer)
        position = 0
        end = count
        bytesRead += count
    }
}

extension OpenFile {
    /// Returns whether the two files, read from their beginning, contain the same bytes.
    ///
    /// - Throws: ``SystemFailure`` if a file cannot be read.
    package func holdsSame(as other: OpenFile) throws(SystemFailure) -> Bool {
        try seek(to: 0)
        try other.seek(to: 0)
        let (one, two) = (ByteReader(self), ByteReader(other))
        while true {
            let piece = try one.prefix(64 * 1024)
            guard try two.prefix(64 * 1024) == piece else { return false }
            if piece.isEmpty { return true }
        }
    }
}
