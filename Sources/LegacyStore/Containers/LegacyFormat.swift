import Foundation

/// What a file looks like from its first bytes.
enum LegacyFormat {
    case sqlite
    case binaryPropertyList
    case xml
    /// JSON, perhaps after a damaged beginning, or anything else.
    case text

    init(of url: URL) throws(LegacyStoreError) {
        let reader = try ByteReader(url)
        let prefix = try reader.prefix(64)
        let start = prefix.drop { $0.isJSONSpace || $0.isByteOrderMark }.first
        self =
            if prefix.starts(with: Array("SQLite format 3\0".utf8)) {
                .sqlite
            } else if prefix.starts(with: Array("bplist".utf8)) {
                .binaryPropertyList
            } else if start == UInt8(ascii: "<") {
                .xml
            } else {
                .text
            }
    }
}
