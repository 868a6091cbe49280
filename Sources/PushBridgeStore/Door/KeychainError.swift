public import Foundation

/// Why a keychain refused.
public struct KeychainError: Error, Equatable, Sendable {
    /// What a caller can do about it.
    public enum Code: String, CaseIterable, Sendable {
        /// An item with this name is there already (−25299).
        case duplicate
        /// There is no such item (−25300).
        case notFound
        /// The device was not unlocked; try again later (−25308).
        case locked
        /// The item can never be opened here (−26275).
        case undecryptable
        /// The app is not entitled to the item (−34018).
        case notEntitled
        /// Anything else, told by the status.
        case failed
    }

    /// What a caller can do about it.
    public let code: Code
    /// The status that Security reported.
    public let status: Int32

    /// Creates an error from a status of Security.
    public init(status: Int32) {
        self.status = status
        code =
            switch status {
            case -25299: .duplicate
            case -25300: .notFound
            case -25308, -25291: .locked
            case -26275: .undecryptable
            case -34018: .notEntitled
            default: .failed
            }
    }
}

extension KeychainError: LocalizedError {
    /// One sentence for a human.
    public var errorDescription: String? {
        switch code {
        case .duplicate: "The keychain has this item already."
        case .notFound: "The keychain has no such item."
        case .locked: "The keychain cannot be read before the device is unlocked."
        case .undecryptable: "The keychain item cannot be opened on this device."
        case .notEntitled: "The app may not use this keychain item."
        case .failed: "The keychain refused with the status \(status)."
        }
    }
}
