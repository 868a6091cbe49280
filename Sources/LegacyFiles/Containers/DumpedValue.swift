import Foundation
import LegacyStore
import PushBridgeCore

/// A member of an object in a dump of a keychain.
struct DumpedMember {
    let name: String
    let value: DumpedValue
}

/// The value of an object's member in a dump of a keychain.
enum DumpedValue {
    case text(String)
    /// A number or a flag, as the dump spells it.
    case word(String)
    case data(Data)
    /// A value that is too large to be the value of an item.
    case tooLarge

    /// The value as text; `nil` for data that is not UTF-8, and for a value that is too large.
    var text: String? {
        switch self {
        case .text(let text), .word(let text): text
        case .data(let data): String(bytes: data, encoding: .utf8)
        case .tooLarge: nil
        }
    }

    /// The text of a string or of data, if it is short enough for the name of a service; otherwise `nil`.
    var shortText: String? {
        switch self {
        case .text(let text) where text.utf8.count <= Dump.longestName: text
        case .data(let data) where data.count <= Dump.longestName: String(bytes: data, encoding: .utf8)
        default: nil
        }
    }

    /// Whether the value is data, a string that represents at least 64 bytes, or too large.
    var isLong: Bool {
        switch self {
        case .text: readings.first.map { $0.count >= 64 } ?? false
        case .data, .tooLarge: true
        case .word: false
        }
    }

    /// The data that the value may represent; the most likely data is first.
    ///
    /// Dump tools write data as bytes, as base64 or as hexadecimal digits. A string may be valid both
    /// as base64 and as hexadecimal digits.
    var readings: [Data] {
        switch self {
        case .data(let data): return [data]
        case .word, .tooLarge: return []
        case .text(let text):
            let hexadecimal = Self.hexadecimal(text)
            let base64 = Data(base64Encoded: text) ?? Base64.decode(text)
            // Base64 text of this length almost certainly contains characters other than hexadecimal digits. So if
            // the text can be read as hexadecimal digits, this reading is the most likely one.
            let isHexadecimal = text.utf8.count >= 32
            return (isHexadecimal ? [hexadecimal, base64] : [base64, hexadecimal]).compactMap(\.self)
        }
    }

    /// Returns the data that the value represents in an item of a service; `nil` if it represents no data.
    ///
    /// If several readings are possible, a reading that has the form of a record has precedence.
    func data(for service: RecordService) -> Data? { record(of: service) ?? readings.first }

    /// Returns the reading of the value that has the form of a record of a service; `nil` if no reading has this form.
    func record(of service: RecordService) -> Data? {
        if let data = readings.first(where: service.recognises) { return data }
        // The undecoded text may be a base32 secret, but short base64 text often looks like base32 too. So if a decoded
        // form is printable ASCII, the undecoded text is not used.
        let isReadable = readings.contains { $0.allSatisfy { (0x20..<0x7F).contains($0) } }
        guard case .text(let text) = self, case let data = Data(text.utf8), !isReadable,
            service.recognises(data)
        else { return nil }
        return data
    }

    /// The bytes of the value, if they may be a SHA-1 hash; otherwise `nil`.
    var hash: Data? {
        let lengths = [27, 28, 40, 42, 43, 46]
        if case .text(let text) = self, !lengths.contains(text.utf8.count) { return nil }
        return readings.first { $0.count == 20 && String(bytes: $0, encoding: .utf8) == nil }
    }

    /// Returns the bytes of text that consists of pairs of hexadecimal digits; `nil` for any other text.
    ///
    /// Ignores white space, and the characters with which some tools mark such text: `0x…`, `<…>` and
    /// `X'…'`.
    private static func hexadecimal(_ text: String) -> Data? {
        let marks = [UInt8(ascii: "<"), UInt8(ascii: "X"), UInt8(ascii: "x"), UInt8(ascii: " ")]
        guard let first = text.utf8.first, first.hexadecimalValue != nil || marks.contains(first) else {
            return nil
        }
        var digits = Substring(text)
        for (start, end) in [("<", ">"), ("X'", "'"), ("x'", "'"), ("0x", ""), ("0X", "")]
        where digits.hasPrefix(start) && digits.hasSuffix(end) {
            digits = digits.dropFirst(start.count).dropLast(end.count)
        }
        var bytes: [UInt8] = []
        var half: UInt8?
        for character in digits.utf8 where !character.isJSONSpace {
            guard let value = character.hexadecimalValue else { return nil }
            if let first = half {
                bytes.append(first << 4 | value)
                half = nil
            } else {
                half = value
            }
        }
        return half == nil && !bytes.isEmpty ? Data(bytes) : nil
    }
}

extension UInt8 {
    fileprivate var hexadecimalValue: UInt8? {
        switch self {
        case UInt8(ascii: "0")...UInt8(ascii: "9"): self - UInt8(ascii: "0")
        case UInt8(ascii: "A")...UInt8(ascii: "F"): self - UInt8(ascii: "A") + 10
        case UInt8(ascii: "a")...UInt8(ascii: "f"): self - UInt8(ascii: "a") + 10
        default: nil
        }
    }
}
