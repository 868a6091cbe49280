package import Foundation

/// One or more requests to a server, as a value that knows neither network nor store.
///
/// It decides which request comes next and what an answer means. Two drivers send the requests, one with a callback and
/// one in a task: see `PushTransport.perform` of PushBridgePlatform.
package protocol PushOperation: Sendable {
    /// The first request.
    /// - Throws: The reason why there is none.
    mutating func firstRequest() throws -> PushRequest

    /// Evaluates the server's answer; the operation stores the parts that it needs.
    /// - Returns: The next request; `nil` if the operation is complete.
    /// - Throws: An error if the operation cannot continue.
    mutating func request(after response: PushResponse) throws -> PushRequest?
}

extension PushOperation {
    /// Ends after the first request if the server accepted it; the body does not count.
    ///
    /// - Throws: ``PushResponseError`` if the server did not accept it.
    package mutating func request(after response: PushResponse) throws -> PushRequest? {
        try response.accepted()
        return nil
    }
}

/// An operation whose end is stored: with ``complete(in:at:)`` after the server did everything that was asked, with
/// ``abandon(in:)`` after anything else.
package protocol StoredOperation: PushOperation {
    /// The value that a caller receives of the stored records.
    associatedtype Outcome: Sendable

    /// Whether something was stored when the operation began, which ``abandon(in:)`` takes back.
    var isClaimed: Bool { get }

    /// The enrolment to keep for the next process if the store refuses it; `nil` for other operations.
    var pendingEnrolment: PendingEnrolment? { get }

    /// The id of the record that the operation is about, for logs.
    var recordId: String { get }

    /// The step of a push that the request was; `nil` for requests that answer no push.
    /// - Parameters:
    ///   - isAccepted: Whether the server accepted the request.
    ///   - now: The time.
    /// - Returns: The step.
    func milestone(isAccepted: Bool, at now: Date) -> PushMilestone?

    /// Stores the outcome that the server accepted.
    /// - Parameters:
    ///   - view: The store, in its own transaction.
    ///   - now: The time.
    /// - Returns: The stored records.
    /// - Throws: The store's errors, and an error if the outcome cannot be stored.
    func complete(in view: any CredentialWriting, at now: Date) throws -> Outcome

    /// The value that a caller receives if the store refuses the server's result, which is then kept in memory.
    /// - Parameter now: The time.
    /// - Returns: What would have been stored.
    func outcome(at now: Date) -> Outcome

    /// Takes back what was stored when the operation began.
    /// - Throws: The store's errors.
    func abandon(in view: any CredentialWriting) throws
}

extension StoredOperation {
    package var pendingEnrolment: PendingEnrolment? { nil }
    package func milestone(isAccepted: Bool, at now: Date) -> PushMilestone? { nil }
}

/// Why an operation did not end.
package enum PushFailure: Error {
    /// The server's answer does not let the operation go on: the reason, the answer, and the request that it is for.
    case refused(any Error, PushResponse, to: PushRequest)
    /// A request was sent, and no answer came.
    case unanswered(any Error)
    /// Nothing is known of the server: no request could be made or sent, the task was cancelled, or an app's own
    /// handler failed.
    case failed(any Error)

    /// The reason.
    package var cause: any Error {
        switch self {
        case .refused(let cause, _, to: _), .unanswered(let cause), .failed(let cause): cause
        }
    }
}
