package import Foundation

/// The base32 that people type, with the RFC 4648 alphabet.
///
/// Case, spaces, tabs, line breaks, `-` and `=` are ignored. The look-alikes 0, 1 and 8 are read as O, L and B.
package enum Base32 {
    /// Decodes base32 as described for this type; `nil` if the text contains any other character.
    package static func bytes(_ text: String) -> [UInt8]? {
        var decoder = SymbolDecoder(bitsPerSymbol: 5, capacity: text.utf8.count * 5 / 8)
        for character in text.utf8 where !isSeparator(character) {
            guard let value = value(of: character) else { return nil }
            decoder.append(value)
        }
        return decoder.bytes
    }

    /// Encodes bytes in upper case, without separators or padding.
    package static func encode(_ bytes: some Sequence<UInt8>) -> String { encoder.text(bytes) }

    private static let encoder = SymbolEncoder(bitsPerSymbol: 5, alphabet: "ABCDEFGHIJKLMNOPQRSTUVWXYZ234567")

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

/// The base64 of PingAM and its clients.
///
/// This type decodes both alphabets, with or without padding, and encodes base64url.
package enum Base64 {
    /// Decodes standard or url-safe base64 with or without padding.
    ///
    /// Ignores spaces, tabs and line breaks, which mail programs and terminals add. The result is `nil` if the text
    /// contains any other character outside the two alphabets, if one character is left over after the groups of four,
    /// or if there is padding in the middle or more than two padding characters.
    package static func decode(_ text: String) -> Data? {
        bytes(text).map { Data($0) }
    }

    static func bytes(_ text: String) -> [UInt8]? {
        var decoder = SymbolDecoder(bitsPerSymbol: 6, capacity: text.utf8.count * 3 / 4)
        var symbols = 0
        var padding = 0
        for character in text.utf8 {
            switch character {
            case UInt8(ascii: " "), UInt8(ascii: "\t"), UInt8(ascii: "\r"), UInt8(ascii: "\n"): continue
            case UInt8(ascii: "="): padding += 1
            default:
                guard padding == 0, let value = value(of: character) else { return nil }
                decoder.append(value)
                symbols += 1
            }
        }
        guard symbols % 4 != 1, padding <= 2 else { return nil }
        return decoder.bytes
    }

    /// Encodes bytes as base64url without padding, as JWTs require.
    package static func encodeURLSafe(_ bytes: some Sequence<UInt8>) -> String { encoder.text(bytes) }

    private static let encoder = SymbolEncoder(
        bitsPerSymbol: 6,
        alphabet: "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_"
    )

    private static func value(of character: UInt8) -> UInt8? {
        switch character {
        case UInt8(ascii: "A")...UInt8(ascii: "Z"): character - UInt8(ascii: "A")
        case UInt8(ascii: "a")...UInt8(ascii: "z"): character - UInt8(ascii: "a") + 26
        case UInt8(ascii: "0")...UInt8(ascii: "9"): character - UInt8(ascii: "0") + 52
        case UInt8(ascii: "+"), UInt8(ascii: "-"): 62
        case UInt8(ascii: "/"), UInt8(ascii: "_"): 63
        default: nil
        }
    }
}

/// Collects symbols of five or six bits into bytes; drops trailing bits that do not fill a byte.
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

/// Encodes bytes as symbols of five or six bits; missing bits at the end are zeros.
private struct SymbolEncoder {
    private let bitsPerSymbol: UInt32
    private let alphabet: [UInt8]

    init(bitsPerSymbol: UInt32, alphabet: String) {
        self.bitsPerSymbol = bitsPerSymbol
        self.alphabet = Array(alphabet.utf8)
    }

    func text(_ bytes: some Sequence<UInt8>) -> String {
        var text: [UInt8] = []
        text.reserveCapacity(bytes.underestimatedCount * 8 / Int(bitsPerSymbol) + 1)
        let mask: UInt32 = (1 << bitsPerSymbol) - 1
        var accumulator: UInt32 = 0
        var bits: UInt32 = 0
        for byte in bytes {
            accumulator = (accumulator & 0xFF) << 8 | UInt32(byte)
            bits += 8
            while bits >= bitsPerSymbol {
                bits -= bitsPerSymbol
                text.append(alphabet[Int(accumulator >> bits & mask)])
            }
        }
        if bits > 0 { text.append(alphabet[Int(accumulator << (bitsPerSymbol - bits) & mask)]) }
        return String(decoding: text, as: UTF8.self)
    }
}
