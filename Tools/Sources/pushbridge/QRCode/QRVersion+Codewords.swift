extension QRVersion {
    /// The codewords of bytes that fit, in the order of placement.
    func codewords(for bytes: some Collection<UInt8>, level: QRErrorCorrection) -> [UInt8] {
        interleaved(dataCodewords(for: bytes, level: level), level: level)
    }

    /// Mode, length, the bytes, and padding.
    func dataCodewords(for bytes: some Collection<UInt8>, level: QRErrorCorrection) -> [UInt8] {
        var buffer = QRBitBuffer()
        buffer.append(0b0100, bits: 4)
        buffer.append(bytes.count, bits: lengthBits)
        for byte in bytes { buffer.append(Int(byte), bits: 8) }
        // Mode and length leave half a codeword, which the terminator fills.
        buffer.append(0, bits: 4)
        let padding = dataCodewords(level) - buffer.bytes.count
        return buffer.bytes + (0..<padding).map { $0.isMultiple(of: 2) ? 0xEC : 0x11 }
    }

    /// Divides data into blocks, adds each block's correction, and takes from all blocks in turn.
    private func interleaved(_ data: [UInt8], level: QRErrorCorrection) -> [UInt8] {
        let count = blocks(level)
        let (length, longer) = data.count.quotientAndRemainder(dividingBy: count)
        var rest = data[...]
        let blocks = (0..<count).map { index in
            let block = rest.prefix(index < count - longer ? length : length + 1)
            rest = rest.dropFirst(block.count)
            return Array(block)
        }
        let code = ReedSolomon(codewords: correctionCodewords(level))
        return Self.inTurn(blocks) + Self.inTurn(blocks.map { code.codewords(of: $0) })
    }

    private static func inTurn(_ blocks: [[UInt8]]) -> [UInt8] {
        (0..<(blocks.map(\.count).max() ?? 0)).flatMap { index in
            blocks.compactMap { index < $0.count ? $0[index] : nil }
        }
    }
}
