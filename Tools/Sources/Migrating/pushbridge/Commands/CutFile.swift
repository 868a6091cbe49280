import Foundation

/// A file that ends early, for example after an interrupted copy.
struct CutFile {
    /// The sign that the file is incomplete, in words, such as `it ends within its header`.
    let end: String
    /// Whether the file starts like a database or a binary property list; `false` for text, which may belong to any
    /// program.
    let isStoreForm: Bool

    /// Returns a sentence that says that the file is cut off, and what is missing.
    /// - Parameter name: The subject of the sentence.
    /// - Returns: The sentence.
    func sentence(about name: String) -> String { "\(name) is cut off: \(end)." }

    /// Examines the beginning and the end of a file; returns `nil` if the file is complete or has another format.
    ///
    /// A text file that was cut between two records appears complete.
    /// - Parameter path: The path of the file.
    init?(at path: String) {
        guard let file = Self.ends(of: path) else { return nil }
        let (head, tail, size) = file
        isStoreForm =
            head.starts(with: Data("SQLite format 3\0".utf8)) || head.starts(with: Data("bplist0".utf8))
        if head.starts(with: Data("SQLite format 3\0".utf8)) {
            if size < 100 {
                end = "it ends within its header"
                return
            }
            guard let whole = Self.databaseSize(head), size < whole, !Self.hasLog(path) else { return nil }
            end = "it has \(size) of \(whole) bytes"
        } else if head.starts(with: Data("bplist0".utf8)) {
            guard !Self.isWholePropertyList(tail, size: size) else { return nil }
            end = "its end, which lists the places of its values, is missing"
        } else {
            let first = head.first { !Self.isSpace($0) }
            let text = String(decoding: tail, as: UTF8.self).trimmingCharacters(in: .whitespacesAndNewlines)
            let ends: [UInt8: [String]] = [
                UInt8(ascii: "<"): ["</plist>"], UInt8(ascii: "{"): ["}"], UInt8(ascii: "["): ["]"],
            ]
            // In XML, a comment may follow the closing tag, so the tag need not be at the end of the text.
            guard let ends = first.flatMap({ ends[$0] }),
                !ends.contains(where: { text.hasSuffix($0) || $0.count > 1 && text.contains($0) })
            else { return nil }
            end = "a closing tag, brace or bracket is missing at its end"
        }
    }

    /// Returns whether a file is empty.
    static func isEmpty(_ path: String) -> Bool {
        let url = URL(fileURLWithPath: path).resolvingSymlinksInPath()
        do {
            let values = try url.resourceValues(forKeys: [.isRegularFileKey, .fileSizeKey])
            return values.isRegularFile == true && values.fileSize == 0
        } catch {
            return false
        }
    }

    /// Returns the first bytes, the last bytes and the size of a file.
    ///
    /// Returns `nil` if the file is empty, is a folder, or cannot be read.
    private static func ends(of path: String) -> (head: Data, tail: Data, size: UInt64)? {
        do {
            let reader = try FileHandle(forReadingFrom: URL(fileURLWithPath: path))
            let size = try reader.seekToEnd()
            try reader.seek(toOffset: 0)
            let head = try reader.read(upToCount: 512)
            try reader.seek(toOffset: size - min(size, 4096))
            let tail = try reader.readToEnd()
            try reader.close()
            guard let head, let tail else { return nil }
            return (head, tail, size)
        } catch {
            // The command itself reports the error.
            return nil
        }
    }

    /// Returns the size that the header of a database states
    /// (https://sqlite.org/fileformat.html#in_header_database_size); `nil` if the header contains no valid
    /// size.
    private static func databaseSize(_ head: Data) -> UInt64? {
        let bytes = [UInt8](head)
        // The number of pages is valid only if the version of SQLite that wrote the number also made the last
        // change.
        guard bytes.count >= 96, bytes[24..<28] == bytes[92..<96] else { return nil }
        let page = number(bytes[16..<18])
        return (page == 1 ? 65_536 : page) * number(bytes[28..<32])
    }

    /// Returns whether a log, which may contain the newest pages, exists beside the database.
    private static func hasLog(_ path: String) -> Bool {
        FileManager.default.fileExists(
            atPath: "\(URL(fileURLWithPath: path).resolvingSymlinksInPath().path)-wal"
        )
    }

    /// Returns whether the trailer of a binary property list is consistent with the size of the file.
    private static func isWholePropertyList(_ tail: Data, size: UInt64) -> Bool {
        let trailer = [UInt8](tail.suffix(32))
        guard trailer.count == 32 else { return false }
        let (count, table) = (number(trailer[8..<16]), number(trailer[24..<32]))
        guard count <= size, table <= size else { return false }
        return table + count * UInt64(trailer[6]) + 32 == size
    }

    private static func number(_ bytes: some Sequence<UInt8>) -> UInt64 {
        bytes.reduce(0) { $0 << 8 | UInt64($1) }
    }

    private static func isSpace(_ byte: UInt8) -> Bool { [0x20, 0x09, 0x0A, 0x0D].contains(byte) }
}
