import Foundation

/// The label of a registration URI: `issuer:account`, or the account alone.
struct URILabel {
    let issuer: String
    let account: String

    /// Divides at the first `:`; an encoded one divides only where there is no plain one, so that both names
    /// can hold a colon.
    init(_ text: Substring) throws(RegistrationURIError) {
        let (first, second) = text.divided(at: ":")
        if let second {
            issuer = try Self.decode(first)
            account = try Self.decode(second)
        } else {
            let (first, second) = Substring(try Self.decode(text)).divided(at: ":")
            issuer = second == nil ? "" : String(first)
            account = String(second ?? first)
        }
    }

    private static func decode(_ text: Substring) throws(RegistrationURIError) -> String {
        guard let decoded = text.removingPercentEncoding else { throw .invalid(parameter: "label") }
        return decoded
    }
}
