public import Foundation
import PushBridgeCore
import PushBridgePlatform

#if canImport(FoundationNetworking)
public import FoundationNetworking
#endif

/// An error of the legacy API.
///
/// The errors of an app can also conform to this protocol.
///
/// The errors of this package also conform to `CustomNSError`: each has a domain, a number that call sites
/// compare, and a sentence for people. They do not conform to `LocalizedError`, so that an app that adds this
/// conformance still compiles.
public protocol FRError: Error {}

extension FRError {
    /// Creates the user information of an `NSError`.
    ///
    /// The values are untyped because Foundation requires this.
    /// - Parameters:
    ///   - errorMessage: The sentence for people.
    ///   - additionalInfo: Further values.
    /// - Returns: The sentence under `NSLocalizedDescriptionKey`, and `additionalInfo` under the SDK's key
    ///   `com.forgerock.auth.errorInfoKey`.
    public func buildErrorUserInfo(
        errorMessage: String,
        additionalInfo: [String: Any]?
    ) -> [String: Any] {
        var info: [String: Any] = [NSLocalizedDescriptionKey: errorMessage]
        info["com.forgerock.auth.errorInfoKey"] = additionalInfo
        return info
    }
}

extension FRError where Self: CustomNSError {
    /// The number that call sites compare; it is the same as `errorCode`.
    public var code: Int { errorCode }
}

extension FRError where Self: LocalizedError & CustomNSError {
    /// The sentence for people, under `NSLocalizedDescriptionKey`.
    public var errorUserInfo: [String: Any] {
        errorDescription.map { buildErrorUserInfo(errorMessage: $0, additionalInfo: nil) } ?? [:]
    }
}

/// An error type of this package; each case has a number and a sentence.
package protocol NumberedError: FRError, CustomNSError {
    /// The error's number, which call sites compare, and its message, which people read.
    var entry: (number: Int, text: String) { get }
    /// The system's error that caused this error, or `nil`.
    var underlyingError: (any Error)? { get }
}

extension NumberedError {
    package var underlyingError: (any Error)? { nil }

    /// The sentence for people, under `NSLocalizedDescriptionKey`, and the cause, under `NSUnderlyingErrorKey`.
    ///
    /// The values are untyped because Foundation requires this.
    public var errorUserInfo: [String: Any] {
        var reported = buildErrorUserInfo(errorMessage: entry.text, additionalInfo: nil)
        reported[NSUnderlyingErrorKey] = underlyingError
        return reported
    }
}

/// The reason why a request to a server did not succeed.
public enum NetworkError: FRError, CustomNSError, NumberedError {
    /// The body of the server's response is neither a JSON object nor empty.
    case invalidResponseDataType
    /// The request cannot be sent, because its address or body is invalid; the associated value is the reason.
    case invalidRequest(String)
    /// The server rejected the request, or the request failed; the associated values are the body and the response, or
    /// the cause.
    ///
    /// The underlying error is the cause, if the request failed.
    case apiRequestFailure(Data?, URLResponse?, (any Error)?)

    /// The error domain of ``errorCode``.
    public static let errorDomain = "com.forgerock.ios.frcore.network"

    /// The number of the case.
    public var errorCode: Int { entry.number }

    package var entry: (number: Int, text: String) {
        switch self {
        case .invalidResponseDataType: (5_000_003, "The server's response is not JSON.")
        case .invalidRequest(let reason): (5_000_005, "The request cannot be sent: \(reason)")
        case .apiRequestFailure(let body, let response as HTTPURLResponse, _):
            (5_000_010, Self.text(of: response, body))
        case .apiRequestFailure(_, _, let cause as URLError):
            (5_000_010, PushTransportError(cause).reason)
        case .apiRequestFailure(_, _, let cause?):
            (5_000_010, "The request failed: \(cause.localizedDescription)")
        case .apiRequestFailure: (5_000_010, "The server could not be reached.")
        }
    }

    /// The sentence for people, together with the server's response or the system's error.
    ///
    /// The values are untyped because Foundation requires this.
    public var errorUserInfo: [String: Any] {
        var reported = buildErrorUserInfo(errorMessage: entry.text, additionalInfo: nil)
        if case .apiRequestFailure(let body, let response, let cause) = self {
            reported["\(Self.errorDomain).responseData"] = body
            reported["\(Self.errorDomain).urlresponse"] = response
            reported["\(Self.errorDomain).error"] = cause
            reported[NSUnderlyingErrorKey] = cause
        }
        return reported
    }

    private static func text(of response: HTTPURLResponse, _ body: Data?) -> String {
        do throws(PushResponseError) {
            try PushResponse(status: response.statusCode, body: body ?? Data()).accepted()
            return "The server's response (HTTP \(response.statusCode)) was not accepted."
        } catch {
            let isRegistration = response.url?.query?.contains("_action=register") == true
            guard isRegistration, case .refused = error else { return error.reason }
            return "\(PushResponseError.codeHint) \(error.reason)"
        }
    }
}

/// The reason why a certificate's public key could not be compared with the pinned keys.
public enum SecurityError: FRError, CustomNSError, NumberedError {
    /// The certificate's public key cannot be read.
    case failToExtractPublicKey

    /// The error domain of ``errorCode``.
    public static let errorDomain = "com.forgerock.ios.frcore.security"

    /// The number of the case.
    public var errorCode: Int { entry.number }

    package var entry: (number: Int, text: String) {
        (5_100_001, "The public key of the certificate cannot be read.")
    }
}
