/// Pseudorandom numbers by SplitMix64 (Steele, Lea and Flood, 2014).
struct SplitMix: RandomNumberGenerator {
    private var state: UInt64

    /// Starts a sequence that is determined by a seed and by the number of a stream, for example of a phone.
    init(seed: UInt64, stream: UInt64) {
        var first = SplitMix(state: seed)
        state = first.next() ^ (stream &* 0xD134_2543_DE82_EF95)
        // Without this step, the sequences of consecutive streams would start with similar numbers.
        _ = next()
    }

    private init(state: UInt64) { self.state = state }

    mutating func next() -> UInt64 {
        state &+= 0x9E37_79B9_7F4A_7C15
        var z = state
        z = (z ^ (z >> 30)) &* 0xBF58_476D_1CE4_E5B9
        z = (z ^ (z >> 27)) &* 0x94D0_49BB_1331_11EB
        return z ^ (z >> 31)
    }

    /// Returns a number that is at least 0 and less than 1.
    mutating func share() -> Double { Double(next() >> 11) * 0x1p-53 }

    /// Returns true with the given probability.
    mutating func happens(_ probability: Double) -> Bool { share() < probability }

    /// Returns the number of failures before the first success, at most `limit`.
    mutating func geometric(_ probability: Double, limit: Int) -> Int {
        var count = 0
        while count < limit, !happens(probability) { count += 1 }
        return count
    }
}
