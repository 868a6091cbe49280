/// Why a one-time password cannot be computed.
public enum OneTimePasswordError: Error, Equatable, Sendable {
    /// The number of digits is outside 1...9.
    case unsupportedDigits(Int)
    /// The period is not positive, in seconds.
    case unsupportedPeriod(Int)
    /// The counter is negative, or the time lies before 1970.
    case negativeCounter
    /// RFC 4226 truncation points behind the end of a 16-byte MD5 digest: no right code exists.
    case truncationOutOfBounds
}
