/// The addresses that need no parser: a scheme, `://`, a host of ASCII letters, digits, `.` and `-`, at most a
/// short port, and nothing unusual behind it.
enum PlainAddress {
    /// Whether `text` is such an address; one that is not may still be an absolute URL.
    static func matches(_ text: String) -> Bool {
        var text = text
        return text.withUTF8(isPlain)
    }

    private static func isPlain(_ text: UnsafeBufferPointer<UInt8>) -> Bool {
        guard let colon = text.firstIndex(of: UInt8(ascii: ":")), colon > 0 else { return false }
        guard text[..<colon].allSatisfy(isLetter) else { return false }
        var rest = text[(colon + 1)...]
        guard rest.starts(with: "//".utf8) else { return false }
        rest = rest.dropFirst(2)
        let host = rest.prefix { isLetterOrDigit($0) || $0 == UInt8(ascii: ".") || $0 == UInt8(ascii: "-") }
        guard !host.isEmpty else { return false }
        rest = rest.dropFirst(host.count)
        if rest.first == UInt8(ascii: ":") {
            let port = rest.dropFirst().prefix(while: isDigit)
            guard 1...4 ~= port.count else { return false }
            rest = rest.dropFirst(1 + port.count)
        }
        guard let separator = rest.first else { return true }
        guard separator == UInt8(ascii: "/") || separator == UInt8(ascii: "?") else { return false }
        return rest.allSatisfy(isOrdinary)
    }

    /// Characters that a path and a query may hold as they are, wherever they stand.
    private static func isOrdinary(_ character: UInt8) -> Bool {
        switch character {
        case UInt8(ascii: "/"), UInt8(ascii: "?"), UInt8(ascii: "="), UInt8(ascii: "&"): true
        case UInt8(ascii: "-"), UInt8(ascii: "."), UInt8(ascii: "_"), UInt8(ascii: "~"): true
        default: isLetterOrDigit(character)
        }
    }

    private static func isLetterOrDigit(_ character: UInt8) -> Bool {
        isLetter(character) || isDigit(character)
    }

    private static func isLetter(_ character: UInt8) -> Bool {
        UInt8(ascii: "a")...UInt8(ascii: "z") ~= character | 0x20
    }

    private static func isDigit(_ character: UInt8) -> Bool {
        UInt8(ascii: "0")...UInt8(ascii: "9") ~= character
    }
}
