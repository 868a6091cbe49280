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
    /// The name is spelled as in the SDK. A redirect counts as an answer up to 302, because it is not followed: its
    /// target is for the caller to read.
    /// - Returns: Success for a status of 200...302 with a JSON object or no body; ``error`` if there is one, for example a
    ///   `URLError`; else ``NetworkError/apiRequestFailure(_:_:_:)`` or, for another body,
    ///   ``NetworkError/invalidResponseDataType``.
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

    /// The members of a JSON object; `nil` if the bytes are anything else, and none if there are no bytes.
    static func members(of body: Data) -> [String: Any]? {
        guard !body.isEmpty else { return [:] }
        do {
            return try JSONSerialization.jsonObject(with: body) as? [String: Any]
        } catch {
            return nil
        }
    }
}

/// How a request of ``RestClient`` ended.
///
/// Hides the standard library's `Result` where FRCore is imported, as it always did; FRAuthenticator does not
/// export it.
public enum Result {
    /// The server accepted; the JSON of its body, empty if it had none.
    case success(result: [String: Any], httpResponse: URLResponse?)
    /// It did not: a ``NetworkError``, or a `URLError` if no answer came.
    case failure(error: any Error)
}

/// Takes how a request ended; called once.
public typealias ResultCallback = (Result) -> Void

// Not `@Sendable`: that would refuse the closures of existing call sites, which capture view controllers.

/// Called once when an operation succeeded.
public typealias SuccessCallback = () -> Void

/// Called once when an operation failed, with the reason.
public typealias ErrorCallback = (_ error: any Error) -> Void
