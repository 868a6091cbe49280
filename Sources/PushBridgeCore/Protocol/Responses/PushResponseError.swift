/// Why a request to the push service did not succeed, although the service answered.
public enum PushResponseError: Error, Equatable, Sendable {
    /// The server refused (4xx); the message is the server's own, if it sent one.
    case refused(status: Int, message: String?)
    /// The server sent elsewhere (3xx), where no one follows with a signed answer.
    case redirected(status: Int)
    /// The server failed (5xx); the message is the server's own, if it sent one.
    case serverFault(status: Int, message: String?)
    /// A status that the push service does not use.
    case unexpected(status: Int)
}
