import Foundation

// The screens show these values, which use no types from an SDK. So the screens are the same in every step.

/// An account.
nonisolated struct AccountItem: Identifiable, Hashable, Sendable {
    let id: String
    let issuer: String
    let name: String
}

/// A login that the user has to answer.
nonisolated struct LoginItem: Identifiable, Hashable, Sendable {
    /// The way in which the user approves a login.
    enum Approval: Hashable, Sendable {
        /// The user taps a button.
        case tap
        /// The user chooses the number that the login page shows.
        ///
        /// The associated value contains the numbers from which the user chooses.
        case number([Int])
        /// The owner of the device authenticates with Face ID, Touch ID or the passcode.
        case owner
    }

    let id: String
    let text: String
    /// The address from which the user logs in, or `nil` if the server did not send it.
    let origin: String?
    let approval: Approval
}
