import Foundation

/// A change to some bytes of a file.
struct ByteEdit: Equatable {
    let range: Range<Int>
    let replacement: String

    init(_ range: Range<Int>, replacement: String = "") {
        self.range = range
        self.replacement = replacement
    }
}

extension StagedFile {
    /// Writes a copy of a file with these changes, which do not overlap.
    func write(copyOf url: URL, _ edits: [ByteEdit] = []) throws(LegacyStoreError) {
        let reader = try ByteReader(url)
        for edit in edits.sorted(by: { $0.range.lowerBound < $1.range.lowerBound }) {
            try write(from: reader, upTo: edit.range.lowerBound)
            try write(Array(edit.replacement.utf8))
            try reader.skip(to: edit.range.upperBound)
        }
        try write(from: reader, upTo: .max)
    }

    private func write(from reader: ByteReader, upTo offset: Int) throws(LegacyStoreError) {
        while reader.offset < offset {
            let piece = try reader.piece(upTo: offset)
            guard !piece.isEmpty else { return }
            try write(piece)
        }
    }
}
