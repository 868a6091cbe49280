/// Why nothing came back from APNs, or its stand-in did not start.
package struct APNsError: Error, Equatable, Sendable {
    /// The kind of failure.
    package enum Code: Sendable {
        /// A key, a certificate or the file that names them cannot be read.
        case unreadableKey
        /// The request has a token, a topic or a header that cannot be sent.
        case invalidRequest
        /// The host delivers to no devices.
        case noDevices
        /// The port is in use or needs other rights.
        case portUnavailable
        /// There is no connection.
        case unreachable
        /// The stand-in that a file names has ended.
        case standInEnded
        /// The host's certificate is not one that is trusted.
        case untrusted
        /// The connection ended before the answer; whether the push was taken is unknown.
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

    /// Why nothing is there where a file says that a stand-in is.
    static func ended(standIn file: String) -> APNsError {
        let advice = "start another with: pushbridge apns serve --json > \(file)"
        return APNsError(
            code: .standInEnded,
            reason: "The stand-in that wrote \(file) has ended; \(advice)"
        )
    }
}
