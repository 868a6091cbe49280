extension UnsafeRawBufferPointer {
    /// The unsigned number of `size` bytes, 0 to 8, at `offset`; the caller has checked that they are there.
    @inline(__always)
    func bigEndian(at offset: Int, size: Int) -> UInt64 {
        var value: UInt64 = 0
        for position in offset..<offset + size {
            value = value << 8 | UInt64(self[position])
        }
        return value
    }
}
