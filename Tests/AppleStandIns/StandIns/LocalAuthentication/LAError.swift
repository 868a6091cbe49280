public import Foundation

/// The reason why the owner of the device was not authenticated.
public struct LAError: CustomNSError, Equatable {
    /// Apple's error codes.
    public enum Code: Int, Sendable {
        /// The owner cancelled.
        case userCancel = -2
        /// The device has no passcode.
        case passcodeNotSet = -5
        /// The device has no biometrics, or the app is not permitted to use them.
        case biometryNotAvailable = -6
        /// The context no longer exists.
        case invalidContext = -10
    }

    /// The domain of Apple's errors of local authentication.
    public static var errorDomain: String { "com.apple.LocalAuthentication" }

    /// The code.
    public let code: Code
    /// The code's raw value.
    public var errorCode: Int { code.rawValue }

    /// Makes an error with a code.
    public init(_ code: Code) {
        self.code = code
    }
}
