/// Tells where a JSON value ends by looking at one byte after the other.
///
/// Follows strings, escapes and nesting, and nothing else: whether the value makes sense is for a decoder.
struct JSONValueShape {
    private var depth = 0
    private var isInString = false
    private var isEscaped = false
    private var isScalar = false
    /// Whether the bytes so far make a whole value; a number may still go on.
    private(set) var isComplete = false

    /// Whether `byte` still belongs to the value.
    mutating func accept(_ byte: UInt8) -> Bool {
        if isInString {
            acceptText(byte)
            return true
        }
        if isScalar { return !byte.endsJSONScalar }
        guard !isComplete else { return false }
        return acceptStructure(byte)
    }

    private mutating func acceptText(_ byte: UInt8) {
        if isEscaped {
            isEscaped = false
        } else if byte == UInt8(ascii: "\\") {
            isEscaped = true
        } else if byte == UInt8(ascii: "\"") {
            isInString = false
            isComplete = depth == 0
        }
    }

    private mutating func acceptStructure(_ byte: UInt8) -> Bool {
        switch byte {
        case UInt8(ascii: "\""): isInString = true
        case UInt8(ascii: "{"), UInt8(ascii: "["): depth += 1
        case UInt8(ascii: "}"), UInt8(ascii: "]"):
            guard depth > 0 else { return false }
            depth -= 1
            isComplete = depth == 0
        default:
            guard depth == 0 else { return true }
            guard !byte.endsJSONScalar else { return false }
            isScalar = true
            isComplete = true
        }
        return true
    }
}

extension UInt8 {
    /// White space in JSON.
    var isJSONSpace: Bool {
        self == 0x20 || self == 0x0A || self == 0x0D || self == 0x09
    }

    /// One of the three bytes with which some tools begin UTF-8 files.
    var isByteOrderMark: Bool {
        self == 0xEF || self == 0xBB || self == 0xBF
    }

    fileprivate var endsJSONScalar: Bool {
        switch self {
        case UInt8(ascii: ","), UInt8(ascii: "]"), UInt8(ascii: "}"), UInt8(ascii: ":"): true
        default: isJSONSpace
        }
    }
}
