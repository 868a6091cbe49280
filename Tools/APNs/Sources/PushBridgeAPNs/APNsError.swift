/// The reason why APNs sent no answer, or why its stand-in did not start.
package struct APNsError: Error, Equatable, Sendable {
    /// The kind of failure.
    package enum Code: Sendable {
        /// A key, a certificate or the file that `--apns` names cannot be read.
        case unreadableKey
        /// The request has an invalid token, topic or header.
        case invalidRequest
        /// The host does not deliver to devices.
        case noDevices
        /// The port is in use, or this process lacks the permission to open it.
        case portUnavailable
        /// There is no connection.
        case unreachable
        /// The stand-in that a file names has ended.
        case standInEnded
        /// This machine does not trust the host's certificate.
        case untrusted
        /// No valid answer arrived.
        ///
        /// It is not known whether APNs accepted the push.
        case noAnswer
    }

    /// The kind of failure.
    package let code: Code
    /// One sentence for a person.
    package let reason: String

    /// Creates an error.
    package init(code: Code, reason: String) {
        self.code = code
        self.reason = reason
    }

    /// Returns the error for an access file whose stand-in has ended.
    static func ended(standIn file: String) -> APNsError {
        let advice = "start another with: pushbridge apns serve --json > \(file)"
        return APNsError(
            code: .standInEnded,
            reason: "The stand-in that wrote \(file) has ended; \(advice)"
        )
    }
}
