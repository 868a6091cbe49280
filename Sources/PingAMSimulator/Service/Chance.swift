import Foundation
package import PushBridgeCore

/// Where the service's ids, secrets and challenges come from: a seed (SplitMix64), or the system's generator.
package struct Chance: RandomNumberGenerator, Sendable {
    private var state: UInt64?

    package init(seed: UInt64?) {
        state = seed
    }

    package mutating func next() -> UInt64 {
        guard let last = state else { return UInt64.random(in: .min ... .max) }
        let state = last &+ 0x9E37_79B9_7F4A_7C15
        self.state = state
        var mixed = (state ^ (state >> 30)) &* 0xBF58_476D_1CE4_E5B9
        mixed = (mixed ^ (mixed >> 27)) &* 0x94D0_49BB_1331_11EB
        return mixed ^ (mixed >> 31)
    }

    mutating func bytes(_ count: Int = 32) -> Data {
        Data((0..<count).map { _ in UInt8(truncatingIfNeeded: next()) })
    }

    package mutating func secret() -> SharedSecret {
        SharedSecret(bytes: bytes()) ?? .random()
    }

    mutating func uuid() -> String {
        let digits = bytes(16).map { String(format: "%02x", $0) }
        return [0..<4, 4..<6, 6..<8, 8..<10, 10..<16].map { digits[$0].joined() }.joined(separator: "-")
    }

    /// Three numbers of two digits.
    mutating func numbers() -> String {
        (10...99).shuffled(using: &self).prefix(3).map(String.init).joined(separator: ",")
    }
}
