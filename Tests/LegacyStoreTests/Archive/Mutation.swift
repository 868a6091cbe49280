import Foundation
import PushBridgeTestSupport

/// Damages archives as flash memory, transfers and attackers do.
struct Mutation {
    private var generator: SeededGenerator
    private let originals: [ArchiveFixture]

    init(seed: UInt64, originals: [ArchiveFixture]) {
        generator = SeededGenerator(seed: seed)
        self.originals = originals
    }

    /// Returns a damaged copy of one of the originals.
    mutating func next() -> ArchiveFixture {
        let original = originals[generator.below(originals.count)]
        var bytes = [UInt8](original.archive)
        for _ in 0...generator.below(3) where !bytes.isEmpty { damage(&bytes) }
        return ArchiveFixture(service: original.service, key: original.key, archive: Data(bytes))
    }

    private mutating func damage(_ bytes: inout [UInt8]) {
        switch generator.below(8) {
        case 0: bytes[generator.below(bytes.count)] ^= 1 << UInt8(generator.below(8))
        case 1: bytes[generator.below(bytes.count)] = UInt8(truncatingIfNeeded: generator.next())
        case 2: bytes.removeLast(generator.below(bytes.count + 1))
        case 3: splice(&bytes)
        case 4: overwrite(&bytes, in: max(0, bytes.count - 32)..<bytes.count)
        case 5: overwrite(&bytes, in: max(0, bytes.count - 160)..<max(1, bytes.count - 32))
        case 6: overwriteMarker(&bytes)
        default: bytes = (0..<generator.below(200)).map { _ in UInt8(truncatingIfNeeded: generator.next()) }
        }
    }

    /// Replaces a piece of the archive with a piece of another archive.
    private mutating func splice(_ bytes: inout [UInt8]) {
        let other = originals[generator.below(originals.count)].archive
        let start = generator.below(other.count)
        let piece = other[start...].prefix(generator.below(64))
        let place = generator.below(bytes.count)
        bytes.replaceSubrange(place..<min(bytes.count, place + generator.below(64)), with: piece)
    }

    /// Overwrites up to eight bytes, starting in `range`, with boundary values.
    ///
    /// The range is the trailer, or the bytes before it, where the offset table is.
    private mutating func overwrite(_ bytes: inout [UInt8], in range: Range<Int>) {
        let values: [UInt8] = [0, 1, 8, 9, 16, 0x7F, 0x80, 0xFF]
        let place = range.lowerBound + generator.below(range.count)
        for position in place..<min(bytes.count, place + 1 + generator.below(8)) {
            bytes[position] = values[generator.below(values.count)]
        }
    }

    /// Overwrites a byte with a type marker, and in about half of the cases the next bytes with a length.
    ///
    /// The marker contains the length 3, or means that the length follows.
    private mutating func overwriteMarker(_ bytes: inout [UInt8]) {
        let place = generator.below(bytes.count)
        bytes[place] = UInt8(generator.below(16)) << 4 | (generator.below(2) == 0 ? 0x0F : 0x03)
        guard generator.below(2) == 0, place + 9 < bytes.count else { return }
        bytes[place + 1] = 0x13
        for position in place + 2..<place + 10 where position < bytes.count {
            bytes[position] = generator.below(2) == 0 ? 0xFF : 0
        }
    }
}
