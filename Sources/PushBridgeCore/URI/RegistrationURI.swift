import Foundation

/// The content of a QR code for a registration of any kind.
package enum RegistrationURI: Equatable, Sendable {
    /// A push credential, with the scheme `pushauth` or `mfauth`.
    case push(PushRegistration)
    /// A one-time-password credential, with the scheme `otpauth`.
    case oath(OathRegistration)
    /// A push and a one-time-password credential of one account, with the scheme `mfauth`.
    case combined(PushRegistration, OathRegistration)

    /// Parses a URI for an enrolment; if the URI contains policies, they must be a JSON object.
    /// - Parameters:
    ///   - text: The URI.
    ///   - readsAsSuccessor: Whether the URI is parsed as in the successor SDK; see ``URIParts/readsAsSuccessor``.
    /// - Throws: ``RegistrationURIError`` if the text is not a valid registration URI.
    package init(_ text: String, readsAsSuccessor: Bool = true) throws(RegistrationURIError) {
        let parts = try URIParts(text, readsAsSuccessor: readsAsSuccessor)
        switch parts.scheme {
        case "mfauth" where parts.kind == "push": self = .push(try PushRegistration(parts))
        case "pushauth": self = .push(try PushRegistration(parts))
        case "otpauth": self = .oath(try OathRegistration(parts))
        case "mfauth": self = .combined(try PushRegistration(parts), try OathRegistration(parts))
        default: throw .unsupported
        }
        try account.checkPolicies()
    }

    /// The account of the registration.
    package var account: AccountProfile {
        switch self {
        case .push(let push), .combined(let push, _): push.account
        case .oath(let oath): oath.account
        }
    }

    /// Returns the names of the optional parameters that the legacy SDK ignores because their values are invalid.
    ///
    /// - Throws: ``RegistrationURIError`` if the text does not have the form of a registration URI.
    package static func ignoredParameters(of text: String) throws(RegistrationURIError) -> [String] {
        try URIParts(text, readsAsSuccessor: false).ignored
    }

    /// Returns the policies of a code of any kind; `nil` if the code contains no policies.
    ///
    /// - Throws: ``RegistrationURIError`` if the text does not have the form of a registration URI, or if the policies
    ///   are neither JSON nor base64.
    package static func policies(of text: String) throws(RegistrationURIError) -> String? {
        try URIParts(text, readsAsSuccessor: false).policies()
    }

    /// The account under which the legacy SDK stored the credentials of this code, if the account's name contains a
    /// colon.
    ///
    /// The legacy SDK cut the name at the first colon. `nil` if there is no colon, or no text before it.
    package var legacyAccount: AccountKey? {
        let (name, rest) = Substring(account.accountName).divided(at: ":")
        return rest == nil || name.isEmpty
            ? nil : AccountKey(issuer: account.issuer, accountName: String(name))
    }

    /// The URI of the registration; the URI of a combined registration contains the account and the user of the push
    /// part.
    package var text: String {
        switch self {
        case .push(let push): push.uri()
        case .oath(let oath): oath.uri()
        case .combined(let push, let oath): Self.text(push, oath)
        }
    }

    private static func text(_ push: PushRegistration, _ oath: OathRegistration) -> String {
        var writer = URIWriter(
            scheme: "mfauth",
            kind: oath.movingFactor.type.rawValue,
            issuer: push.account.issuer,
            account: push.account.accountName
        )
        push.write(to: &writer)
        oath.write(to: &writer)
        writer.addShared(push.account, userId: push.userId)
        return writer.text
    }
}

/// The secret as the registration URI spells it; legacy records contain the secret in this spelling.
///
/// Two registrations that differ only in this spelling are equal.
struct ScannedSpelling: Equatable, Sendable {
    /// The secret as the URI spells it; `nil` if this package spells the secret in the same way.
    let text: SharedSecret?

    init() { text = nil }

    init(_ text: String, unless canonical: SharedSecret) {
        self.text = SharedSecret(utf8: text)?.unless(spelled: canonical)
    }

    static func == (lhs: ScannedSpelling, rhs: ScannedSpelling) -> Bool { true }
}

/// The reason why a registration URI cannot be parsed.
///
/// The error contains the name of a parameter, but never its value, because the value may be a secret.
public enum RegistrationURIError: Error, Equatable, Sendable {
    /// The text does not have the form `scheme://kind/label?parameters`, or it is far longer than a QR code
    /// can be.
    case malformed
    /// The scheme or the kind is unknown, or is not for this type of credential: for example, an `otpauth` URI for a
    /// push credential.
    case unsupported
    /// A required parameter is absent or empty.
    case missing(parameter: String)
    /// A parameter can be decoded, but is not an `http` or `https` address.
    case notAnAddress(parameter: String)
    /// A parameter is invalid; the associated value is the parameter's name, or `label` for the label or the
    /// issuer.
    case invalid(parameter: String)
}
