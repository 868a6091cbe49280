import Foundation

/// The parts of a registration URI, percent-decoded: `scheme://kind/label?name=value&…`.
///
/// Read by hand, because servers write what a strict URL parser refuses, such as unencoded spaces. A `+` is a
/// plus, not a space: standard base64 uses it. Of a repeated parameter the first counts.
struct URIParts {
    static let longest = 64 * 1024

    let scheme: String
    let kind: String
    let label: URILabel
    private let parameters: [String: String]

    init(_ text: String) throws(RegistrationURIError) {
        guard text.utf8.count <= Self.longest else { throw .malformed }
        let (scheme, rest) = Substring(text.trimmingCharacters(in: .whitespacesAndNewlines)).divided(at: ":")
        guard let rest, rest.utf8.starts(with: "//".utf8) else { throw .malformed }
        let (address, query) = Substring(rest.utf8.dropFirst(2)).divided(at: "?")
        let (kind, label) = address.divided(at: "/")
        self.scheme = scheme.lowercased()
        self.kind = kind.lowercased()
        self.label = try URILabel(label ?? "")
        parameters = try Self.parameters(of: query ?? "")
    }

    /// A parameter's value; an empty one counts as absent.
    subscript(name: String) -> String? {
        parameters[name].flatMap { $0.isEmpty ? nil : $0 }
    }

    private static func parameters(of query: Substring) throws(RegistrationURIError) -> [String: String] {
        var parameters: [String: String] = [:]
        for item in query.utf8.split(separator: UInt8(ascii: "&")) {
            let (name, value) = Substring(item).divided(at: "=")
            guard parameters[String(name)] == nil else { continue }
            guard let decoded = (value ?? "").removingPercentEncoding else {
                throw .invalid(parameter: String(name.prefix(20)))
            }
            parameters[String(name)] = decoded
        }
        return parameters
    }
}

extension Substring {
    /// What stands before and after the first `separator`; nothing after it if there is none.
    ///
    /// Looks at single scalars: a separator and an accent after it would be one character, and no separator.
    func divided(at separator: Unicode.Scalar) -> (Substring, Substring?) {
        guard let index = unicodeScalars.firstIndex(of: separator) else { return (self, nil) }
        return (self[..<index], self[unicodeScalars.index(after: index)...])
    }
}
