import Foundation

/// Keeps the count in a migration export's metadata true.
struct MetadataEdit {
    private let bytes: [UInt8]
    private let start: Int

    init(_ url: URL, _ extent: Range<Int>) throws(LegacyStoreError) {
        bytes = try ByteReader(url).slice(extent)
        start = extent.lowerBound
    }

    /// The change that takes removed mechanisms off `totalMechanisms`; none if that is not a number.
    func subtracting(_ removed: Int) -> [ByteEdit] {
        guard removed > 0,
            let value = JSONMembers(bytes).value(of: "totalMechanisms"),
            let total = Int(String(decoding: bytes[value], as: UTF8.self))
        else { return [] }
        let extent = start + value.lowerBound..<start + value.upperBound
        return [ByteEdit(extent, replacement: String(max(total, removed) - removed))]
    }
}
