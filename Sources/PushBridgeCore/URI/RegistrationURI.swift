import Foundation

/// Any registration a QR code can carry.
package enum RegistrationURI: Equatable, Sendable {
    /// `pushauth`.
    case push(PushRegistration)
    /// `otpauth`.
    case oath(OathRegistration)
    /// `mfauth`, which makes a credential of each kind for one account.
    case combined(PushRegistration, OathRegistration)

    /// Reads a URI by its scheme, in order to enrol it: its policies must be a JSON object.
    /// - Parameters:
    ///   - text: The URI.
    ///   - readsAsSuccessor: Whether an optional parameter with invalid base64 is used as plain text, and a label is
    ///     required; otherwise the parameter is ignored and the label may be missing, as in the legacy SDK.
    /// - Throws: ``RegistrationURIError``.
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

    /// The account that the code is for.
    package var account: AccountProfile {
        switch self {
        case .push(let push), .combined(let push, _): push.account
        case .oath(let oath): oath.account
        }
    }

    /// The names of the optional parameters that are ignored where plain text is not taken.
    ///
    /// - Throws: ``RegistrationURIError`` if the text is not a registration URI.
    package static func ignoredParameters(of text: String) throws(RegistrationURIError) -> [String] {
        try URIParts(text, readsAsSuccessor: false).ignored
    }

    /// The policies of a code of any kind.
    ///
    /// - Throws: ``RegistrationURIError`` if the text is not a registration URI.
    package static func policies(of text: String) throws(RegistrationURIError) -> String? {
        try URIParts(text, readsAsSuccessor: false).policies()
    }

    /// The account under which the legacy SDK stored the credentials of this code, if it is another one: it cut the
    /// name at its first colon.
    package var legacyAccount: AccountKey? {
        let (name, rest) = Substring(account.accountName).divided(at: ":")
        return rest == nil || name.isEmpty
            ? nil : AccountKey(issuer: account.issuer, accountName: String(name))
    }

    /// The URI; of a combined one, account and user are those of the push half.
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

/// How a code spells its secret, which legacy records keep; it makes no registration another one.
struct ScannedSpelling: Equatable, Sendable {
    /// The text; `nil` where it is as this package spells the secret.
    let text: SharedSecret?

    init() { text = nil }

    init(_ text: String, unless canonical: SharedSecret) {
        self.text = SharedSecret(utf8: text)?.unless(spelled: canonical)
    }

    static func == (lhs: ScannedSpelling, rhs: ScannedSpelling) -> Bool { true }
}

/// Why a registration URI was refused.
///
/// Names the parameter and never its value, which may be a secret.
public enum RegistrationURIError: Error, Equatable, Sendable {
    /// Not of the shape `scheme://kind/label?parameters`, or far longer than a QR code holds.
    case malformed
    /// This registration does not support the scheme or kind.
    case unsupported
    /// A required parameter is absent or empty.
    case missing(parameter: String)
    /// A parameter can be read, and is not an address with the scheme `http` or `https`.
    case notAnAddress(parameter: String)
    /// A parameter is invalid; `label` means the label, or the issuer as its first half.
    case invalid(parameter: String)
}
