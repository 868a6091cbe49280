public import Foundation

/// Why the owner of the device did not pass.
public struct LAError: CustomNSError, Equatable {
    /// Apple's numbers.
    public enum Code: Int, Sendable {
        /// The owner cancelled.
        case userCancel = -2
        /// The device has no passcode.
        case passcodeNotSet = -5
        /// The device has no biometrics, or the app may not use them.
        case biometryNotAvailable = -6
        /// The context is gone.
        case invalidContext = -10
    }

    /// Apple's domain.
    public static var errorDomain: String { "com.apple.LocalAuthentication" }

    /// The number.
    public let code: Code
    /// The number as it is.
    public var errorCode: Int { code.rawValue }

    /// Makes an error of a number.
    public init(_ code: Code) {
        self.code = code
    }
}
