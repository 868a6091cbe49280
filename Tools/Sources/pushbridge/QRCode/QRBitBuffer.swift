/// Bits in a row, the highest of each value first.
struct QRBitBuffer {
    private(set) var bytes: [UInt8] = []
    private var free = 0

    /// Adds the lowest bits of a value.
    mutating func append(_ value: Int, bits: Int) {
        for bit in (0..<bits).reversed() {
            if free == 0 {
                bytes.append(0)
                free = 8
            }
            free -= 1
            if value >> bit & 1 == 1 { bytes[bytes.count - 1] |= 1 << UInt8(free) }
        }
    }
}
