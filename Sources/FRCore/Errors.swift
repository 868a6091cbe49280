public import Foundation

#if canImport(FoundationNetworking)
public import FoundationNetworking
#endif

/// An error of the legacy API: a number, a domain and a sentence.
///
/// Whoever conforms lists its numbers, its domain and its sentences (`errorDescription`); `NSError` and
/// `localizedDescription` follow from these.
public protocol FRError: LocalizedError, CustomNSError {
    /// The number that call sites compare; a contract, see the table of the legacy API's errors.
    var code: Int { get }
    /// The domain of the number; an app's own error need not name one.
    static var domain: String { get }
}

extension FRError {
    /// The type's name, for an app's own errors that name no domain.
    public static var domain: String { String(reflecting: Self.self) }

    /// The domain under which `NSError` shows the error.
    public static var errorDomain: String { domain }

    /// The number under which `NSError` shows the error.
    public var errorCode: Int { code }

    /// The sentence, where `NSError` looks for it.
    ///
    /// Untyped because Foundation demands it.
    public var errorUserInfo: [String: Any] {
        errorDescription.map { [NSLocalizedDescriptionKey: $0] } ?? [:]
    }
}

/// Why a request to a server did not succeed.
public enum NetworkError: FRError {
    /// The server answered, and its answer is not of the kind that was asked for.
    case invalidResponseDataType
    /// The request cannot be sent: its address or its body is invalid.
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
