import Foundation

/// Writes a registration URI, percent-encoding everything but RFC 3986's unreserved characters.
struct URIWriter {
    private(set) var text: String
    private var separator = "?"

    init(scheme: String, kind: String, issuer: String, account: String) {
        text = "\(scheme)://\(kind)/\(Self.encode(issuer)):\(Self.encode(account))"
    }

    /// Adds a parameter; `nil` adds nothing.
    mutating func add(_ name: String, _ value: String?) {
        guard let value else { return }
        text += "\(separator)\(name)=\(Self.encode(value))"
        separator = "&"
    }

    /// Adds a parameter in base64url without padding, as PingAM does; `nil` adds nothing.
    mutating func add(_ name: String, base64 value: String?) {
        add(name, value.map { Base64.encodeURLSafe($0.utf8) })
    }

    private static func encode(_ text: String) -> String {
        var encoded = ""
        for byte in text.utf8 {
            if isUnreserved(byte) {
                encoded.unicodeScalars.append(Unicode.Scalar(byte))
            } else {
                let digits = String(byte, radix: 16, uppercase: true)
                encoded += digits.count == 1 ? "%0\(digits)" : "%\(digits)"
            }
        }
        return encoded
    }

    private static func isUnreserved(_ byte: UInt8) -> Bool {
        switch byte {
        case UInt8(ascii: "A")...UInt8(ascii: "Z"), UInt8(ascii: "a")...UInt8(ascii: "z"): true
        case UInt8(ascii: "0")...UInt8(ascii: "9"): true
        case UInt8(ascii: "-"), UInt8(ascii: "."), UInt8(ascii: "_"), UInt8(ascii: "~"): true
        default: false
        }
    }
}
