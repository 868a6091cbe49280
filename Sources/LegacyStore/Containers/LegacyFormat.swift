import Foundation

/// What a file looks like from its first bytes.
enum LegacyFormat {
    case sqlite
    case binaryPropertyList
    case xml
    case json
    case other

    init(of url: URL) throws(LegacyStoreError) {
        let reader = try ByteReader(url)
        let prefix = try reader.prefix(64)
        let start = prefix.drop { $0.isJSONSpace || [0xEF, 0xBB, 0xBF].contains($0) }.first
        self =
            if prefix.starts(with: Array("SQLite format 3\0".utf8)) {
                .sqlite
            } else if prefix.starts(with: Array("bplist".utf8)) {
                .binaryPropertyList
            } else if start == UInt8(ascii: "<") {
                .xml
            } else if start == UInt8(ascii: "{") || start == UInt8(ascii: "[") {
                .json
            } else {
                .other
            }
    }
}
