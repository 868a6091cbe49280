public import Foundation

/// What the push service answered.
public struct PushResponse: Equatable, Sendable {
    /// The HTTP status.
    public let status: Int
    /// The body.
    public let body: Data

    /// Creates a response.
    public init(status: Int, body: Data) {
        self.status = status
        self.body = body
    }

    /// Returns if the server accepted the request, whatever the body of its 200, and throws why not elsewhere.
    public func accepted() throws(PushResponseError) {
        switch status {
        case 200: return
        case 300..<400: throw .redirected(status: status)
        case 400..<500: throw .refused(status: status, message: message)
        case 500..<600: throw .serverFault(status: status, message: message)
        default: throw .unexpected(status: status)
        }
    }

    /// The `message` of a JSON body; `nil` for any other body, and for one too large for an error.
    private var message: String? {
        guard body.count <= Self.largestError, case .string(let message)? = JSONValue(json: body)?["message"]
        else { return nil }
        return message.isEmpty ? nil : message
    }

    private static let largestError = 64 * 1024
}

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
