public import Foundation

/// Base32 as people type it (RFC 4648 alphabet): case, spaces, tabs, line breaks, `-` and `=` do not count,
/// and the look-alikes 0, 1 and 8 are read as O, L and B.
public enum Base32 {
    /// Decodes tolerant base32; `nil` if a character belongs to neither the alphabet nor the list above.
    public static func decode(_ text: String) -> Data? {
        bytes(text).map { Data($0) }
    }

    /// Decodes like ``decode(_:)``.
    static func bytes(_ text: String) -> [UInt8]? {
        var decoder = SymbolDecoder(bitsPerSymbol: 5, capacity: text.utf8.count * 5 / 8)
        for character in text.utf8 where !isSeparator(character) {
            guard let value = value(of: character) else { return nil }
            decoder.append(value)
        }
        return decoder.bytes
    }

    /// Encodes canonically: upper case, no separators, no padding.
    public static func encode(_ bytes: some Sequence<UInt8>) -> String {
        var text: [UInt8] = []
        text.reserveCapacity(bytes.underestimatedCount * 8 / 5 + 1)
        var accumulator: UInt32 = 0
        var bits: UInt32 = 0
        for byte in bytes {
            accumulator = (accumulator & 0xFF) << 8 | UInt32(byte)
            bits += 8
            while bits >= 5 {
                bits -= 5
                text.append(alphabet[Int(accumulator >> bits & 31)])
            }
        }
        if bits > 0 { text.append(alphabet[Int(accumulator << (5 - bits) & 31)]) }
        return String(decoding: text, as: UTF8.self)
    }

    private static let alphabet = Array("ABCDEFGHIJKLMNOPQRSTUVWXYZ234567".utf8)

    private static func isSeparator(_ character: UInt8) -> Bool {
        switch character {
        case UInt8(ascii: " "), UInt8(ascii: "\t"), UInt8(ascii: "\r"), UInt8(ascii: "\n"): true
        case UInt8(ascii: "-"), UInt8(ascii: "="): true
        default: false
        }
    }

    private static func value(of character: UInt8) -> UInt8? {
        switch character {
        case UInt8(ascii: "A")...UInt8(ascii: "Z"): character - UInt8(ascii: "A")
        case UInt8(ascii: "a")...UInt8(ascii: "z"): character - UInt8(ascii: "a")
        case UInt8(ascii: "2")...UInt8(ascii: "7"): character - UInt8(ascii: "2") + 26
        case UInt8(ascii: "0"): 14
        case UInt8(ascii: "1"): 11
        case UInt8(ascii: "8"): 1
        default: nil
        }
    }
}
