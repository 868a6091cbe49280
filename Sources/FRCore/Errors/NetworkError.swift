public import Foundation

#if canImport(FoundationNetworking)
public import FoundationNetworking
#endif

/// Why a request to a server did not succeed.
public enum NetworkError: FRError {
    /// The server answered, and its answer is not of the kind that was asked for.
    case invalidResponseDataType
    /// The request cannot be sent: its address or its body makes no sense.
    case invalidRequest(String)
    /// The server refused, or did not answer: its body and its response if it did, the cause if it did not.
    case apiRequestFailure(Data?, URLResponse?, (any Error)?)

    /// The domain of the numbers.
    public static let domain = "com.forgerock.ios.frcore.network"

    /// The number of the case.
    public var code: Int {
        switch self {
        case .invalidResponseDataType: 5_000_003
        case .invalidRequest: 5_000_005
        case .apiRequestFailure: 5_000_010
        }
    }

    /// One sentence for a human.
    public var errorDescription: String? {
        switch self {
        case .invalidResponseDataType: "The server's answer is not JSON."
        case .invalidRequest(let reason): "The request cannot be sent: \(reason)"
        case .apiRequestFailure(_, let response as HTTPURLResponse, _):
            "The server did not accept the request (HTTP \(response.statusCode))."
        case .apiRequestFailure(_, _, let cause?):
            "The server could not be asked: \(cause.localizedDescription)"
        case .apiRequestFailure: "The server could not be asked."
        }
    }
}
