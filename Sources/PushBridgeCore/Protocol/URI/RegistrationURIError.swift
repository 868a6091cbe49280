/// Why a registration URI was refused.
///
/// Names the parameter and never its value, which may be a secret.
public enum RegistrationURIError: Error, Equatable, Sendable {
    /// Not of the shape `scheme://kind/label?parameters`, or far longer than a QR code holds.
    case malformed
    /// The scheme or the kind behind it is none that this registration reads.
    case unsupported
    /// A required parameter is absent or empty; the account's name in the label is `account`.
    case missing(parameter: String)
    /// A parameter cannot be read; the label is `label`.
    case invalid(parameter: String)
}
