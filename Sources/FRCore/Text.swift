import Crypto
public import Foundation
import PushBridgeCore

// The SDK's FRCore adds these helpers to standard types, and apps call them.

extension Data {
    /// The bytes.
    public var bytesArray: [UInt8] { Array(self) }

    /// The SHA-256 hash of the bytes.
    public var sha256: Data { Data(SHA256.hash(data: self)) }
}

extension Array where Element == UInt8 {
    /// Returns the bytes in lower-case hexadecimal.
    public func toHexString() -> String {
        map { $0 < 16 ? "0\(String($0, radix: 16))" : String($0, radix: 16) }.joined()
    }
}

extension String {
    /// The bytes of the text in UTF-8.
    public var bytes: [UInt8] { Array(utf8) }

    /// The SHA-256 hash of the text in UTF-8; never `nil`.
    public var sha256: Data? { Data(utf8).sha256 }

    /// Whether the text is the address of a web server, with its scheme and host.
    public var isValidUrl: Bool { URL(web: self) != nil }

    /// Returns the UTF-8 bytes in base64 (RFC 4648, section 4), with padding; never `nil`.
    public func base64Encoded() -> String? { Data(utf8).base64EncodedString() }

    /// Returns the UTF-8 bytes in base64url (RFC 4648, section 5), without padding; never `nil`.
    public func base64URLSafeEncoded() -> String? { base64Encoded()?.urlSafeEncoding() }

    /// Returns the UTF-8 text that this base64 text encodes.
    ///
    /// The base64 text may be padded. The result is `nil` if the base64 is invalid, or if the decoded bytes
    /// are not UTF-8.
    public func base64Decoded() -> String? {
        decodeBase64().flatMap { String(data: $0, encoding: .utf8) }
    }

    /// Returns whether the text is padded base64.
    ///
    /// An empty string counts as base64.
    public func isBase64Encoded() -> Bool { Data(base64Encoded: self) != nil }

    /// Returns the bytes that this base64url text (RFC 4648, section 5) encodes.
    ///
    /// The text may be padded. The result is `nil` if the text is invalid.
    public func decodeURL() -> Data? { urlSafeDecoding().decodeBase64() }

    /// Returns the bytes that this base64 text (RFC 4648, section 4) encodes.
    ///
    /// The text may be padded. The result is `nil` if the text is invalid.
    public func decodeBase64() -> Data? { Data(base64Encoded: base64Pad()) }

    /// Returns the text, padded with `=` to a multiple of four bytes.
    public func base64Pad() -> String {
        let excess = utf8.count % 4
        return excess == 0 ? self : self + String(repeating: "=", count: 4 - excess)
    }

    /// Returns the text, converted from the URL-safe alphabet of base64 to the standard alphabet.
    public func urlSafeDecoding() -> String {
        String(map { $0 == "-" ? "+" : $0 == "_" ? "/" : $0 })
    }

    /// Returns the text, converted from the standard alphabet of base64 to the URL-safe alphabet, without padding.
    public func urlSafeEncoding() -> String {
        String(filter { $0 != "=" }.map { $0 == "+" ? "-" : $0 == "/" ? "_" : $0 })
    }

    /// Returns the recovery codes in this text, the script with which PingAM shows them.
    ///
    /// The result is `nil` if the text contains no recovery codes.
    public func extractRecoveryCodes() -> [String]? {
        let codes = components(separatedBy: "text-center").dropFirst().compactMap { block -> String? in
            let content = block.drop { $0 != ">" }.dropFirst().prefix { $0 != "<" }
            let words = content.replacingOccurrences(of: "\\n", with: " ")
                .split { !$0.isLetter && !$0.isNumber }
            return words.count == 1 ? words.first.map(String.init) : nil
        }
        return codes.isEmpty ? nil : codes
    }
}

extension StringProtocol {
    /// The bytes of ``hexBytes`` as `Data`.
    public var hexData: Data { Data(hexBytes) }

    /// Decodes hexadecimal text in pairs of digits.
    ///
    /// If the number of digits is odd, the last digit alone is decoded to a byte.
    ///
    /// If a character is not a hexadecimal digit, the result is empty.
    public var hexBytes: [UInt8] {
        let digits = Array(self)
        guard digits.allSatisfy(\.isHexDigit) else { return [] }
        return stride(from: 0, to: digits.count, by: 2).compactMap { place in
            UInt8(String(digits[place...].prefix(2)), radix: 16)
        }
    }
}

extension URL {
    /// Returns whether two addresses are the same.
    ///
    /// The comparison is case-sensitive. One slash at the end of a path is ignored.
    /// - Parameters:
    ///   - url: The other address.
    ///   - shouldCheckPath: Whether the paths are compared too. The queries are never compared.
    /// - Returns: Whether the scheme, the host, the port and, if `shouldCheckPath` is `true`, the path are
    ///   the same.
    public func isSame(_ url: URL, shouldCheckPath: Bool = true) -> Bool {
        scheme == url.scheme && host == url.host
            && port == url.port && (!shouldCheckPath || barePath == url.barePath)
    }

    /// Reads a query item.
    /// - Parameter queryParamaterName: The item's name.
    /// - Returns: The percent-decoded value of the first item with the name, or `nil` if there is no such item or
    ///   if it has no value.
    public func valueOf(_ queryParamaterName: String) -> String? {
        URLComponents(url: self, resolvingAgainstBaseURL: true)?.queryItems?
            .first { $0.name == queryParamaterName }?.value
    }

    private var barePath: Substring {
        // If a path ends in `//`, `URL.path` removes one of the slashes. As in the SDK, only one slash may be
        // removed in total, so the path is read from the components.
        let path = URLComponents(url: self, resolvingAgainstBaseURL: true)?.path ?? path
        return path.hasSuffix("/") ? path.dropLast() : path[...]
    }

    /// Parses the address of a web server; `nil` for any other text.
    init?(web text: String) {
        self.init(string: text)
        guard ["http", "https"].contains(scheme?.lowercased()), host?.isEmpty == false else { return nil }
    }
}
