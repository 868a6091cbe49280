import Crypto
import Foundation

/// The ANS X9.63 key derivation with SHA-256, implemented from the standard.
///
/// The tests compare PushBridge's results with the results of this implementation.
enum X963Reference {
    static func key(_ secret: Data, sharedInfo: Data, length: Int) -> Data {
        var output = Data()
        for counter in UInt32(1)... where output.count < length {
            let number = withUnsafeBytes(of: counter.bigEndian) { Data($0) }
            output += SHA256.hash(data: secret + number + sharedInfo)
            if output.count >= length { break }
        }
        return output.prefix(length)
    }
}

extension Data {
    /// Creates bytes from hexadecimal digits.
    init(hex: String) {
        let digits = hex.compactMap(\.hexDigitValue)
        self.init(
            stride(from: 0, to: digits.count - 1, by: 2).map { UInt8(digits[$0] * 16 + digits[$0 + 1]) }
        )
    }
}
