/// Why a request got no answer.
public enum PushTransportError: Error, Equatable, Sendable {
    /// The address cannot be called.
    case invalidAddress
    /// An interceptor made a request of it that cannot be sent.
    case invalidRequest
    /// The host's name could not be resolved.
    case hostNotFound
    /// Nothing accepts connections there, or the connection broke.
    case connectionFailed
    /// The secure connection could not be made.
    case tls
    /// No answer came in time.
    case timedOut
    /// The device has no network.
    case offline
    /// Anything else, with the system's code.
    case failed(code: Int)
}

extension PushTransportError {
    /// One sentence for a human.
    package var reason: String {
        switch self {
        case .invalidAddress: "The server's address is not one that can be called."
        case .invalidRequest: "An interceptor made a request of it that cannot be sent."
        case .hostNotFound: "The server's name could not be resolved."
        case .connectionFailed: "The server could not be reached."
        case .tls: "The secure connection to the server could not be made."
        case .timedOut: "The server did not answer in time."
        case .offline: "The device has no network."
        case .failed(let code): "The request failed with the code \(code)."
        }
    }
}
