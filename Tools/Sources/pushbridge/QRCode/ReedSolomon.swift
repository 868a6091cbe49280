/// Makes the error correction codewords of a block.
struct ReedSolomon {
    /// The generator polynomial's coefficients below the highest, which is 1; the highest power first.
    let generator: [UInt8]

    /// The product of (x − 2⁰) to (x − 2ⁿ⁻¹).
    init(codewords: Int) {
        var polynomial: [UInt8] = [1]
        var root: UInt8 = 1
        for _ in 0..<codewords {
            var next = polynomial + [0]
            for (index, coefficient) in polynomial.enumerated() {
                next[index + 1] ^= GaloisField.product(coefficient, root)
            }
            polynomial = next
            root = GaloisField.product(root, 2)
        }
        generator = Array(polynomial.dropFirst())
    }

    /// The remainder of the block, followed by as many zeros as there are to be codewords, by the generator.
    func codewords(of block: some Sequence<UInt8>) -> [UInt8] {
        var remainder = [UInt8](repeating: 0, count: generator.count)
        for byte in block {
            let factor = byte ^ remainder.removeFirst()
            remainder.append(0)
            for (index, coefficient) in generator.enumerated() {
                remainder[index] ^= GaloisField.product(coefficient, factor)
            }
        }
        return remainder
    }
}
