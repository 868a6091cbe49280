package import Foundation

/// One or more requests to a server, as a value that accesses neither the network nor the store.
///
/// The operation determines the next request and evaluates each response. Two drivers send the requests, one with a
/// callback and one in a task: see `PushTransport.perform` in PushBridgePlatform.
package protocol PushOperation: Sendable {
    /// Returns the first request.
    /// - Throws: The reason why no request can be made.
    mutating func firstRequest() throws -> PushRequest

    /// Evaluates the server's response, and keeps the parts that the operation needs later.
    /// - Returns: The next request; `nil` if the operation is complete.
    /// - Throws: An error if the operation cannot continue.
    mutating func request(after response: PushResponse) throws -> PushRequest?
}

extension PushOperation {
    /// Ends the operation after its first request if the server accepted that request; ignores the response's body.
    ///
    /// - Throws: ``PushResponseError`` if the server did not accept the request.
    package mutating func request(after response: PushResponse) throws -> PushRequest? {
        try response.accepted()
        return nil
    }
}

/// An operation whose result is stored.
///
/// A driver calls ``complete(in:at:)`` after the server has accepted the last request. If the operation fails earlier,
/// and ``isClaimed`` is `true`, the driver calls ``abandon(in:)``.
package protocol StoredOperation: PushOperation {
    /// The value that the caller receives, made from the stored records.
    associatedtype Outcome: Sendable

    /// Whether the operation stored a claim when it began; ``abandon(in:)`` removes this claim.
    var isClaimed: Bool { get }

    /// The enrolment that the next process completes if the store fails to save it; `nil` for operations that
    /// enrol nothing.
    var pendingEnrolment: PendingEnrolment? { get }

    /// The id of the operation's record, for logs.
    var recordId: String { get }

    /// Returns the milestone that the request represents; `nil` for requests that do not answer a push.
    /// - Parameters:
    ///   - isAccepted: Whether the server accepted the request.
    ///   - now: The time.
    /// - Returns: The milestone.
    func milestone(isAccepted: Bool, at now: Date) -> PushMilestone?

    /// Stores the result after the server has accepted the last request.
    /// - Parameters:
    ///   - view: The store, in its own transaction.
    ///   - now: The time.
    /// - Returns: The stored records.
    /// - Throws: The store's errors, and an error if the outcome cannot be stored.
    func complete(in view: any CredentialWriting, at now: Date) throws -> Outcome

    /// Returns the value that the caller receives if the store fails to save the server's result.
    ///
    /// The result is then held in memory.
    /// - Parameter now: The time.
    /// - Returns: The value, as far as it is known without the store.
    func outcome(at now: Date) -> Outcome

    /// Undoes the changes that were stored when the operation began.
    /// - Throws: The store's errors.
    func abandon(in view: any CredentialWriting) throws
}

extension StoredOperation {
    package var pendingEnrolment: PendingEnrolment? { nil }
    package func milestone(isAccepted: Bool, at now: Date) -> PushMilestone? { nil }
}

/// The reason why an operation failed.
package enum PushFailure: Error {
    /// The operation cannot continue after the server's response.
    ///
    /// The values are the reason, the response, and the request to which the server responded.
    case refused(any Error, PushResponse, to: PushRequest)
    /// A request was sent, but no response arrived.
    case unanswered(any Error)
    /// The server did not decide, or its decision is unknown: no request could be made or sent, the task was
    /// cancelled, or an app's own handler failed.
    case failed(any Error)

    /// The error behind the failure.
    package var cause: any Error {
        switch self {
        case .refused(let cause, _, to: _), .unanswered(let cause), .failed(let cause): cause
        }
    }
}
