public import Foundation

/// Base64 as PingAM's clients meet it: either alphabet on input, padded or not; exact on output.
public enum Base64 {
    /// Decodes standard or url-safe base64 with or without padding.
    ///
    /// White space at line ends is ignored, as mail and terminals add it. Anything else outside the two
    /// alphabets, a lone trailing character, or padding in the middle makes the result `nil`.
    public static func decode(_ text: String) -> Data? {
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

    /// Encodes as base64url without padding, the alphabet of JWTs.
    public static func encodeURLSafe(_ bytes: some Sequence<UInt8>) -> String {
        let standard = Data(bytes).base64EncodedData()
        let urlSafe = standard.lazy.filter { $0 != UInt8(ascii: "=") }.map { character in
            switch character {
            case UInt8(ascii: "+"): UInt8(ascii: "-")
            case UInt8(ascii: "/"): UInt8(ascii: "_")
            default: character
            }
        }
        return String(decoding: Array(urlSafe), as: UTF8.self)
    }

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
