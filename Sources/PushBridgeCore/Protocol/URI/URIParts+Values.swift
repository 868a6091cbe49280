import Foundation

extension URIParts {
    /// The value of a parameter the registration cannot do without.
    func required(_ name: String) throws(RegistrationURIError) -> String {
        guard let value = self[name] else { throw .missing(parameter: name) }
        return value
    }

    /// The bytes of a required parameter in either base64 alphabet.
    func bytes(_ name: String) throws(RegistrationURIError) -> Data {
        guard let bytes = Base64.decode(try required(name)), !bytes.isEmpty else {
            throw .invalid(parameter: name)
        }
        return bytes
    }

    /// The text in an optional parameter, UTF-8 in either base64 alphabet.
    func text(_ name: String) throws(RegistrationURIError) -> String? {
        guard let value = self[name] else { return nil }
        guard let text = Base64.decodeText(value) else { throw .invalid(parameter: name) }
        return text
    }

    /// A whole number, or `standard` if the parameter is absent.
    func number(_ name: String, standard: Int) throws(RegistrationURIError) -> Int {
        guard let value = self[name] else { return standard }
        guard let number = Int(value) else { throw .invalid(parameter: name) }
        return number
    }

    /// The account, whose name is the label's; the `issuer` given wins over the label's.
    ///
    /// Real servers hard-code the label's issuer, so a difference is normal.
    func account(issuer: String?) throws(RegistrationURIError) -> AccountProfile {
        guard !label.account.isEmpty else { throw .missing(parameter: "account") }
        var profile = AccountProfile(issuer: issuer ?? label.issuer, accountName: label.account)
        profile.backgroundColor = self["b"]
        return profile
    }
}

extension Base64 {
    /// The UTF-8 text that `text` encodes in either alphabet; `nil` if it is not base64 of UTF-8.
    static func decodeText(_ text: String) -> String? {
        decode(text).flatMap { String(bytes: $0, encoding: .utf8) }
    }
}
