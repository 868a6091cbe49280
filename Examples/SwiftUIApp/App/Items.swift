import Foundation

// The values that the screens show. They name no type of an SDK, so the screens stay the same in every step.

/// An account.
nonisolated struct AccountItem: Identifiable, Hashable, Sendable {
    let id: String
    let issuer: String
    let name: String
}

/// A login that waits for an answer.
nonisolated struct LoginItem: Identifiable, Hashable, Sendable {
    /// What approves a login.
    enum Approval: Hashable, Sendable {
        /// A tap.
        case tap
        /// One of these numbers: the one that the login page shows.
        case number([Int])
        /// The device's owner, with a face, a finger or the passcode.
        case owner
    }

    let id: String
    let text: String
    /// The address that the login comes from, if the server sends it.
    let origin: String?
    let approval: Approval
}
