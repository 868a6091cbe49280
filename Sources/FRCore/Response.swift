public import Foundation

#if canImport(FoundationNetworking)
public import FoundationNetworking
#endif

/// The result of a request, as URLSession reports it.
public struct Response: Sendable {
    /// The body; `nil` if there is no response.
    public let data: Data?
    /// The status and the header fields; `nil` if there is no response.
    public let response: URLResponse?
    /// The error, if there is no response.
    public let error: (any Error)?

    /// Creates a response from URLSession's results.
    /// - Parameters:
    ///   - data: The body.
    ///   - response: The status and the header fields.
    ///   - error: The error, if there is no response.
    public init(data: Data?, response: URLResponse?, error: (any Error)?) {
        self.data = data
        self.response = response
        self.error = error
    }

    /// Converts the response to a result.
    ///
    /// The name of the method is spelled as in the SDK. By default, redirects are not followed. A redirect with a
    /// status up to 302 counts as a success, so that the caller can read the target of the redirect.
    /// - Returns: A failure with ``error``, if there is one; a failure with
    ///   ``NetworkError/apiRequestFailure(_:_:_:)`` if the status is not 200...302; a failure with
    ///   ``NetworkError/invalidResponseDataType`` if the body is neither empty nor a JSON object; otherwise a
    ///   success.
    public func parseReponse() -> Result {
        if let error { return .failure(error: error) }
        guard let http = response as? HTTPURLResponse, (200...302) ~= http.statusCode else {
            return .failure(error: NetworkError.apiRequestFailure(data, response, nil))
        }
        guard let members = Self.members(of: data ?? Data()) else {
            return .failure(error: NetworkError.invalidResponseDataType)
        }
        return .success(result: members, httpResponse: response)
    }

    /// Returns the members of a JSON object; empty if `body` is empty, `nil` if `body` is not a JSON object.
    static func members(of body: Data) -> [String: Any]? {
        guard !body.isEmpty else { return [:] }
        do {
            return try JSONSerialization.jsonObject(with: body) as? [String: Any]
        } catch {
            return nil
        }
    }
}

/// The result of a request of ``RestClient``.
///
/// As in the SDK, this type hides the standard library's `Result` in files that import FRCore.
/// FRAuthenticator does not export this type.
public enum Result {
    /// The server accepted the request.
    ///
    /// `result` contains the JSON of the response's body, and is empty if there is no body.
    case success(result: [String: Any], httpResponse: URLResponse?)
    /// The request failed with a ``NetworkError``, or with a `URLError` if the server did not respond.
    case failure(error: any Error)
}

/// A closure that is called once with the result of a request.
public typealias ResultCallback = (Result) -> Void

// The callbacks are not `@Sendable`, because the closures of existing call sites capture view controllers and
// would not compile.

/// A closure that is called once after an operation has succeeded.
public typealias SuccessCallback = () -> Void

/// A closure that is called once with the error after an operation has failed.
public typealias ErrorCallback = (_ error: any Error) -> Void
