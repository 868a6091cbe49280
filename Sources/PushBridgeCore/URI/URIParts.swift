import Foundation

/// The parts of a registration URI, percent-decoded: `scheme://kind/label?name=value&…`.
///
/// This package has its own parser, because servers write URIs that a strict parser rejects, for example URIs
/// with unencoded spaces. A `+` stays a plus, because standard base64 contains it. If a parameter is
/// repeated, its last value counts. A fragment is ignored.
struct URIParts {
    static let longest = 64 * 1024
    /// The maximum length of a secret's text, in bytes.
    private static let longestSecret = 1024

    let scheme: String
    let kind: String
    let label: URILabel
    /// Whether the URI is parsed as in the successor SDK.
    ///
    /// The successor SDK uses an optional parameter with invalid base64 as plain text, and requires a label. The
    /// legacy SDK ignores the parameter, and requires no label.
    let readsAsSuccessor: Bool
    private let parameters: [String: String]

    init(_ text: String, readsAsSuccessor: Bool = true) throws(RegistrationURIError) {
        guard text.utf8.count <= Self.longest else { throw .malformed }
        let (scheme, rest) = Substring(text.trimmingCharacters(in: .whitespacesAndNewlines)).divided(at: ":")
        guard let rest, rest.utf8.starts(with: "//".utf8) else { throw .malformed }
        let (body, _) = Substring(rest.utf8.dropFirst(2)).divided(at: "#")
        let (address, query) = body.divided(at: "?")
        let (kind, label) = address.divided(at: "/")
        self.scheme = scheme.lowercased()
        self.kind = kind.lowercased()
        self.label = URILabel(label ?? "")
        self.readsAsSuccessor = readsAsSuccessor
        parameters = Self.parameters(of: query ?? "")
    }

    /// A parameter's value; `nil` if the parameter is absent or empty.
    subscript(name: String) -> String? { parameters[name]?.nonEmpty }

    private static func parameters(of query: Substring) -> [String: String] {
        var parameters: [String: String] = [:]
        for item in query.utf8.split(separator: UInt8(ascii: "&")) {
            let (name, value) = Substring(item).divided(at: "=")
            let text = value ?? ""
            parameters[String(name)] = text.removingPercentEncoding ?? String(text)
        }
        return parameters
    }
}

extension Substring {
    /// Returns the text before and the text after the first `separator`; the second text is `nil` if there is no
    /// separator.
    ///
    /// The method compares Unicode scalars, because a separator and a combining accent after it form one
    /// character.
    func divided(at separator: Unicode.Scalar) -> (Substring, Substring?) {
        guard let index = unicodeScalars.firstIndex(of: separator) else { return (self, nil) }
        return (self[..<index], self[unicodeScalars.index(after: index)...])
    }
}

extension URIParts {
    /// Returns the value of a required parameter; throws an error if the parameter is absent or empty.
    func required(_ name: String) throws(RegistrationURIError) -> String {
        guard let value = self[name] else { throw .missing(parameter: name) }
        return value
    }

    /// Returns the bytes of a required parameter in either base64 alphabet.
    func bytes(_ name: String) throws(RegistrationURIError) -> Data {
        guard let bytes = Base64.decode(try required(name)), !bytes.isEmpty else {
            throw .invalid(parameter: name)
        }
        return bytes
    }

    /// Returns the text of a required parameter that contains a secret; throws an error if the parameter is absent or
    /// longer than ``longestSecret``.
    func secret(_ name: String) throws(RegistrationURIError) -> String {
        let text = try required(name)
        guard text.utf8.count <= Self.longestSecret else { throw .invalid(parameter: name) }
        return text
    }

    /// Returns the UTF-8 text that an optional parameter contains in either base64 alphabet; `nil` if it is absent.
    ///
    /// If the value is not base64, the result is the value itself if ``readsAsSuccessor`` is `true`, otherwise `nil`.
    func text(_ name: String) -> String? {
        guard let value = self[name] else { return nil }
        return Base64.decodeText(value) ?? (readsAsSuccessor ? value : nil)
    }

    /// Returns the decoded text if the value is base64 of printable text; otherwise returns the value itself.
    ///
    /// Servers send both forms.
    func textInEitherForm(_ name: String) -> String? {
        guard let value = self[name] else { return nil }
        guard let text = Base64.decodeText(value), !text.isEmpty, text.isHeaderValue else { return value }
        return text
    }

    /// Returns the policies, which the URI contains in base64 or as JSON; `nil` if it contains none.
    ///
    /// A value that begins with a brace is JSON, because base64 contains no brace. The method throws if the base64 is
    /// invalid, because the account would be less protected without its policies.
    func policies() throws(RegistrationURIError) -> String? {
        guard let value = self["policies"], !value.hasPrefix("{") else { return self["policies"] }
        guard let text = Base64.decodeText(value) else { throw .invalid(parameter: "policies") }
        return text
    }

    /// The names of the optional parameters that are ignored because their values are invalid.
    var ignored: [String] {
        guard scheme != "otpauth" else { return [] }
        let isIgnored = { (name: String) in self[name] != nil && text(name) == nil }
        let names = ["uid", "d", "pid", "oid"].filter(isIgnored)
        return self["l"] != nil && loadBalancer == nil ? ["l"] + names : names
    }

    /// Returns the whole number in a parameter; `standard` if the parameter is absent or empty.
    func number(_ name: String, standard: Int) throws(RegistrationURIError) -> Int {
        guard let value = self[name] else { return standard }
        guard let number = Int(value) else { throw .invalid(parameter: name) }
        return number
    }

    /// Returns the account, with the name from the label.
    ///
    /// `issuer` has precedence over the label's issuer. The two can differ, because nodes before AM 7.3 and
    /// authentication modules write `forgerock` into every label. If both are missing, the account's name is also used
    /// as the issuer.
    ///
    /// If the label contains no account name, the name is "Untitled". If ``readsAsSuccessor`` is `true`, a URI without
    /// a label is rejected.
    func account(issuer: String?) throws(RegistrationURIError) -> AccountProfile {
        guard label.isPresent || !readsAsSuccessor else { throw .malformed }
        var name = label.account.isEmpty ? "Untitled" : label.account
        // The nodes of AM 7.3 and later do not escape a colon in the issuer, so the label is split at the wrong
        // colon. The name is then the text after the issuer.
        let whole = "\(label.issuer):\(label.account)"
        if let issuer, issuer.contains(":"), whole.hasPrefix("\(issuer):"), whole.count > issuer.count + 1 {
            name = String(whole.dropFirst(issuer.count + 1))
        }
        let issuer = issuer ?? (label.issuer.isEmpty ? name : label.issuer)
        guard issuer.isSafeToShow, name.isSafeToShow else { throw .invalid(parameter: "label") }
        var profile = AccountProfile(issuer: issuer, accountName: name)
        profile.backgroundColor = self["b"]
        return profile
    }
}

extension Base64 {
    /// Returns the UTF-8 text that `text` encodes in either base64 alphabet; `nil` if there is no such text.
    static func decodeText(_ text: String) -> String? {
        decode(text).flatMap { String(bytes: $0, encoding: .utf8) }
    }
}

extension String {
    /// Whether the text contains nothing that can mislead a reader on a screen or in a file name.
    ///
    /// Control and bidirectional characters, line separators, `<`, `>` and `..` can mislead. Letters that look like
    /// other letters are accepted.
    fileprivate var isSafeToShow: Bool {
        let isUnsafe = unicodeScalars.contains { scalar in
            scalar == "<" || scalar == ">" || scalar.properties.isBidiControl
                || [.control, .lineSeparator, .paragraphSeparator].contains(scalar.properties.generalCategory)
        }
        return !isUnsafe && !contains("..")
    }
}

/// The label of a registration URI: `issuer:account`, or the account alone.
struct URILabel {
    let issuer: String
    let account: String

    /// Whether the URI has a label.
    var isPresent: Bool { !issuer.isEmpty || !account.isEmpty }

    /// Splits the label at the first `:`.
    ///
    /// An encoded colon splits the label only if the label contains no plain colon. So if a plain colon
    /// separates the names, both names can contain encoded colons.
    ///
    /// A trailing slash is not part of the label, as in a `URL`'s path.
    init(_ text: Substring) {
        let text = text.utf8.last == UInt8(ascii: "/") ? Substring(text.utf8.dropLast()) : text
        let (first, second) = text.divided(at: ":")
        if let second {
            issuer = Self.decode(first)
            account = Self.decode(second)
        } else {
            let (first, second) = Substring(Self.decode(text)).divided(at: ":")
            issuer = second == nil ? "" : String(first)
            account = String(second ?? first)
        }
    }

    /// Decodes a name; returns it unchanged if it contains an invalid percent escape.
    private static func decode(_ text: Substring) -> String { text.removingPercentEncoding ?? String(text) }
}

/// Writes a registration URI; percent-encodes all characters except the unreserved characters of RFC 3986.
struct URIWriter {
    private(set) var text: String
    private var separator = "?"

    init(scheme: String, kind: String, issuer: String, account: String) {
        text = "\(scheme)://\(kind)/\(issuer.percentEncoded):\(account.percentEncoded)"
    }

    /// Adds a parameter, unless its value is `nil`.
    mutating func add(_ name: String, _ value: String?) {
        guard let value else { return }
        text += "\(separator)\(name)=\(value.percentEncoded)"
        separator = "&"
    }

    /// Adds a parameter in base64url without padding, as PingAM does, unless its value is `nil`.
    mutating func add(_ name: String, base64 value: String?) {
        add(name, value.map { Base64.encodeURLSafe($0.utf8) })
    }
}

extension String {
    /// The text, with all characters percent-encoded except the unreserved characters of RFC 3986.
    package var percentEncoded: String {
        addingPercentEncoding(withAllowedCharacters: .unreserved) ?? ""
    }
}

extension CharacterSet {
    fileprivate static let unreserved = CharacterSet(
        charactersIn: "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789-._~"
    )
}
