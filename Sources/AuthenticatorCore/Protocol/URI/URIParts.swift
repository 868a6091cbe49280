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
        guard text.utf8.count <= Self.longest, let colon = text.range(of: "://") else { throw .malformed }
        let (address, query) = text[colon.upperBound...].divided(at: "?")
        let (kind, label) = address.divided(at: "/")
        scheme = text[..<colon.lowerBound].lowercased()
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
        for item in query.split(separator: "&") {
            let (name, value) = item.divided(at: "=")
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
    func divided(at separator: Character) -> (Substring, Substring?) {
        guard let index = firstIndex(of: separator) else { return (self, nil) }
        return (self[..<index], self[self.index(after: index)...])
    }
}
