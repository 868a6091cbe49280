public import Foundation

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
