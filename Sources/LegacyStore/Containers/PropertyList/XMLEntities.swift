/// The entities that XML knows without a declaration, and numbered characters.
enum XMLEntities {
    private static let named: [String: Unicode.Scalar] = [
        "lt": "<", "gt": ">", "amp": "&", "quot": "\"", "apos": "'",
    ]

    /// The text with its entities replaced; `nil` if one of them is unknown or does not end.
    static func replaced(in text: [UInt8]) -> [UInt8]? {
        guard text.contains(UInt8(ascii: "&")) else { return text }
        var rest = text[...]
        var replaced: [UInt8] = []
        while let start = rest.firstIndex(of: UInt8(ascii: "&")) {
            let semicolon = rest[start...].firstIndex(of: UInt8(ascii: ";"))
            guard let end = semicolon, end - start < 12 else { return nil }
            let name = String(decoding: rest[(start + 1)..<end], as: UTF8.self)
            guard let scalar = named[name] ?? numbered(name) else { return nil }
            replaced += rest[..<start]
            replaced += String(Character(scalar)).utf8
            rest = rest[(end + 1)...]
        }
        return replaced + rest
    }

    private static func numbered(_ name: String) -> Unicode.Scalar? {
        guard name.hasPrefix("#") else { return nil }
        let digits = name.dropFirst()
        let number = digits.first == "x" ? UInt32(digits.dropFirst(), radix: 16) : UInt32(digits)
        return number.flatMap(Unicode.Scalar.init)
    }
}
