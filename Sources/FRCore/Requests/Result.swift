#if canImport(FoundationNetworking)
public import FoundationNetworking
#else
public import Foundation
#endif

/// How a request of ``RestClient`` ended.
///
/// Hides the standard library's `Result` where FRCore is imported, as it always did; FRAuthenticator does not
/// export it.
public enum Result {
    /// The server accepted; the JSON of its body, empty if it had none.
    case success(result: [String: Any], httpResponse: URLResponse?)
    /// It did not; usually a ``NetworkError``.
    case failure(error: any Error)
}

/// Takes how a request ended; called once.
public typealias ResultCallback = (_ result: Result) -> Void
