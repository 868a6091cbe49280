import Foundation

// The values that the screens show. They use no type of an SDK, so the screens are the same in every step.

/// An account.
nonisolated struct AccountItem: Identifiable, Hashable, Sendable {
    let id: String
    let issuer: String
    let name: String
}

/// A login that the user has to answer.
nonisolated struct LoginItem: Identifiable, Hashable, Sendable {
    /// How the user approves a login.
    enum Approval: Hashable, Sendable {
        /// The user taps a button.
        case tap
        /// The user chooses from these numbers the one on the login page.
        case number([Int])
        /// The device's owner authenticates with a face, a finger or the passcode.
        case owner
    }

    let id: String
    let text: String
    /// The address from which the user logs in; `nil` if the server does not send it.
    let origin: String?
    let approval: Approval
}
