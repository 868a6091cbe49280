public import Foundation

#if canImport(FoundationNetworking)
public import FoundationNetworking
#endif

/// The result of a request, as URLSession reports it.
public struct Response: Sendable {
    /// The body.
    public let data: Data?
    /// The status and the header fields.
    public let response: URLResponse?
    /// The error if there is no response.
    public let error: (any Error)?

    /// Creates a response from URLSession's results.
    /// - Parameters:
    ///   - data: The body.
    ///   - response: The status and the header fields.
    ///   - error: The error if there is no response.
    public init(data: Data?, response: URLResponse?, error: (any Error)?) {
        self.data = data
        self.response = response
        self.error = error
    }

    /// Converts the response to a result.
    ///
    /// The name is spelled as in the SDK. A redirect with a status up to 302 is a success, because redirects are not
    /// followed: the caller can read the target.
    /// - Returns: A success for a status of 200...302 with a JSON object or without a body. Otherwise a failure:
    ///   ``error``, if there is one; ``NetworkError/apiRequestFailure(_:_:_:)`` for another status;
    ///   ``NetworkError/invalidResponseDataType`` for another body.
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

    /// Returns the members of a JSON object: none if `body` is empty, `nil` if it is not a JSON object.
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
/// In files that import FRCore, this type hides the standard library's `Result`, as in the SDK. FRAuthenticator does
/// not export it.
public enum Result {
    /// The server accepted the request; contains the JSON of the response's body, which is empty without a body.
    case success(result: [String: Any], httpResponse: URLResponse?)
    /// The request failed with a ``NetworkError``, or with a `URLError` if the server did not answer.
    case failure(error: any Error)
}

/// Called once with the result of a request.
public typealias ResultCallback = (Result) -> Void

// Not `@Sendable`, because closures of existing call sites, which capture view controllers, would not compile.

/// Called once when an operation succeeded.
public typealias SuccessCallback = () -> Void

/// Called once when an operation failed, with the error.
public typealias ErrorCallback = (_ error: any Error) -> Void
