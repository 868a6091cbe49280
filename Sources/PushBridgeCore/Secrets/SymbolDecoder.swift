/// Collects symbols of five or six bits into bytes; trailing bits that fill no byte are dropped.
struct SymbolDecoder {
    let bitsPerSymbol: UInt32
    private(set) var bytes: [UInt8] = []
    private var accumulator: UInt32 = 0
    private var bits: UInt32 = 0

    init(bitsPerSymbol: UInt32, capacity: Int) {
        self.bitsPerSymbol = bitsPerSymbol
        bytes.reserveCapacity(capacity)
    }

    mutating func append(_ symbol: UInt8) {
        accumulator = accumulator << bitsPerSymbol | UInt32(symbol)
        bits += bitsPerSymbol
        guard bits >= 8 else { return }
        bits -= 8
        bytes.append(UInt8(truncatingIfNeeded: accumulator >> bits))
        accumulator &= (1 << bits) - 1
    }
}
