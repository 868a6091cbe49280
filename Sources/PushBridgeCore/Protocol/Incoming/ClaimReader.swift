import Foundation

/// Reads single claims; `null` counts as absent, another type than expected is an error.
struct ClaimReader {
    private let claims: JSONValue

    /// Takes the claims of a token, or answers `nil` if they are no JSON object.
    init?(_ json: Data) {
        guard let claims = JSONValue(json: json), case .object = claims else { return nil }
        self.claims = claims
    }

    func text(_ name: String) throws(PushReceptionError) -> String? {
        guard let value = claims[name] else { return nil }
        guard case .string(let text) = value else { throw .invalidClaim(name) }
        return text.isEmpty ? nil : text
    }

    func required(_ name: String) throws(PushReceptionError) -> String {
        guard let text = try text(name) else { throw .missingClaim(name) }
        return text
    }

    /// A whole number from 0 to `limit`, as a number or as decimal text.
    func number(_ name: String, upTo limit: Int) throws(PushReceptionError) -> Int? {
        let number: Int?
        switch claims[name] {
        case nil, .string("")?: return nil
        case .integer(let value)?: number = value
        case .number(let value)?: number = Int(exactly: value)
        case .string(let text)?: number = Int(text.trimmingCharacters(in: .whitespaces))
        default: number = nil
        }
        guard let number, (0...limit).contains(number) else { throw .invalidClaim(name) }
        return number
    }

    /// JSON text, from text or from the object itself.
    func json(_ name: String) throws(PushReceptionError) -> String? {
        guard case .object? = claims[name] else { return try text(name) }
        return claims[name]?.text
    }

    /// The challenge, as the server spelled it.
    func challenge() throws(PushReceptionError) -> String {
        let challenge = try required("c")
        guard let bytes = Base64.decode(challenge), !bytes.isEmpty else { throw .invalidClaim("c") }
        return challenge
    }

    /// The load balancer's cookie pair, decoded; one that would break out of its header is refused.
    func loadBalancer() throws(PushReceptionError) -> String? {
        guard let encoded = try text("l") else { return nil }
        guard let pair = Base64.decodeText(encoded), pair.isHeaderValue else { throw .invalidClaim("l") }
        return pair
    }
}
