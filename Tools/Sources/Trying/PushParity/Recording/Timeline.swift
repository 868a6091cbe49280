import FRAuthenticator
import FRCore
import Foundation
import PingOath
import PingPush
public import PushBridgeCore

#if canImport(FoundationNetworking)
import FoundationNetworking
#endif

/// The behaviour of one side in a scenario, step by step.
public struct Timeline: Equatable, Sendable {
    /// The events of each step.
    ///
    /// In the events, names from the scenario replace ids and addresses.
    public internal(set) var stepRecords: [StepRecord] = []
}

/// The events of one step on one side.
public struct StepRecord: Equatable, Sendable {
    /// The step that caused the events.
    public let step: Step
    /// The results that the app received, call by call.
    ///
    /// The list of a call is empty if the app received no result from the call.
    public let calls: [[JSONValue]]
    /// The requests in the order of arrival; sorted if all of them are token updates.
    public let requests: [JSONValue]
    /// The time-outs of the requests in seconds, in ascending order.
    public let timeouts: [Double]
    /// The content of the store after the step.
    public let store: JSONValue
    /// The server's state after the step.
    public let server: JSONValue
    /// Whether the device is locked after the step.
    let isDeviceLocked: Bool

    /// The record as one value, for the comparison.
    public var json: JSONValue {
        [
            "calls": .array(calls.map(JSONValue.array)),
            "requests": .object(Dictionary(uniqueKeysWithValues: keyedRequests)),
            "timeouts": .array(timeouts.map(JSONValue.number)),
            "store": store,
            "server": server,
        ]
    }

    /// The requests, each with the key by which it is compared.
    ///
    /// By default, the key is the number of the request. Token updates have no fixed order, so the key of a token
    /// update names the device.
    package var keyedRequests: [(String, JSONValue)] {
        var updates: [String: Int] = [:]
        return requests.enumerated().map { index, request in
            guard case .string(let device)? = request["body"]?["mechanismUid"] else {
                return (String(index), request)
            }
            updates[device, default: 0] += 1
            let count = updates[device] ?? 1
            return ("update of \(device)\(count == 1 ? "" : " \(count)")", request)
        }
    }
}

/// A result that an app received, and the way in which it was delivered.
public struct Delivery: Equatable, Sendable {
    /// The way in which the app received the result.
    public enum Form: String, CaseIterable, Sendable {
        /// The async function returned or threw.
        case awaited
        /// The synchronous function returned or threw.
        case returned
        /// A callback was called.
        case callback
    }

    /// The thread of a callback.
    public enum ThreadClass: String, CaseIterable, Sendable {
        /// The thread of the main queue.
        case main
        /// The caller's thread, before the call returned.
        case caller
        /// Any other thread.
        case background
    }

    /// The result of a call.
    public enum Outcome: Equatable, Sendable {
        /// The call returned; the value is null if the API returns none.
        case value(JSONValue)
        /// The call failed.
        case failure(Failure)
        /// The API has no such call.
        case notOffered
        /// The call was not made, for this reason.
        case skipped(String)
    }

    /// The way in which the app received the result.
    public var form: Form
    /// The thread of a callback; `nil` for other forms.
    public var thread: ThreadClass?
    /// The result of the call.
    public var outcome: Outcome

    package init(_ form: Form, thread: ThreadClass? = nil, _ outcome: Outcome) {
        self.form = form
        self.thread = thread
        self.outcome = outcome
    }

    /// The delivery in the form that reports show.
    public var json: JSONValue {
        var members: [String: JSONValue] = ["form": .string(form.rawValue)]
        members["thread"] = thread.map { .string($0.rawValue) }
        switch outcome {
        case .value(.null): break
        case .value(let value): members["value"] = value
        case .failure(let failure): members["error"] = failure.json
        case .notOffered: members = ["notOffered": true]
        case .skipped(let reason): members = ["skipped": .string(reason)]
        }
        return .object(members)
    }
}

/// The parts of an error that an app can evaluate.
public struct Failure: Equatable, Sendable {
    /// The type and the case of the error, such as `PushError.networkFailure`.
    public var name: String
    /// The object of the error, such as an id, a policy or a parameter; `nil` if the error names none.
    public var subject: String?
    /// The status of the server's response that caused the error; `nil` if no response caused it.
    public var status: Int?
    /// The names of the errors that the error contains.
    public var parts: [String] = []

    package init(_ name: String, subject: String? = nil, status: Int? = nil) {
        self.name = name
        self.subject = subject
        self.status = status
    }

    /// Returns the type and the case of an error.
    package static func name(of error: some Error) -> String {
        // The mirror of a `URLError` depends on the system, so the name contains no label from the mirror.
        if error is URLError { return "URLError" }
        let label = Mirror(reflecting: error).children.first?.label ?? "\(error)"
        return "\(type(of: error)).\(label)"
    }

    var json: JSONValue {
        var members: [String: JSONValue] = ["name": .string(name)]
        members["subject"] = subject.map(JSONValue.string)
        members["status"] = status.map(JSONValue.integer)
        if !parts.isEmpty { members["parts"] = .array(parts.map(JSONValue.string)) }
        return .object(members)
    }
}

extension Failure {
    /// Describes an error of the async API.
    init(async error: any Error) {
        self.init(Failure.name(of: error))
        switch error {
        case let error as PushError: take(error)
        case let error as PingOath.OathError: take(error)
        default: break
        }
    }

    private mutating func take(_ error: PingOath.OathError) {
        name = "PingOath.\(name)"
        switch error {
        case .credentialLocked(let id), .credentialNotFound(let id): subject = id
        case .policyViolation(let policy, _): subject = policy
        case .missingRequiredParameter(let parameter): subject = parameter
        default: break
        }
    }

    private mutating func take(_ error: PushError) {
        switch error {
        case .credentialLocked(let id), .credentialNotFound(let id), .notificationNotFound(let id):
            subject = id
        case .policyViolation(let policy): subject = policy
        case .missingRequiredParameter(let name): subject = name
        case .networkFailure(let reason, nil): status = Self.status(in: reason)
        default: break
        }
    }
}

extension Failure {
    /// Returns the status in the message of an error, such as "(HTTP 400)"; `nil` if the message has no status.
    private static func status(in reason: String) -> Int? {
        guard let start = reason.range(of: "(HTTP ")?.upperBound else { return nil }
        return Int(reason[start...].prefix(while: \.isNumber))
    }
}

extension Failure {
    /// Describes an error of the legacy API.
    init(legacy error: any Error) {
        self.init(Failure.name(of: error))
        switch error {
        case AccountError.accountLocked(let policy), AccountError.failToRegisterPolicyViolation(let policy):
            subject = policy
        case MechanismError.alreadyExists(let identifier): subject = identifier
        case NetworkError.apiRequestFailure(_, let response, _):
            status = (response as? HTTPURLResponse)?.statusCode
        case PushNotificationError.updateFailed(errors: let errors):
            parts = errors.map { Failure(legacy: $0).name }
            status = errors.first.flatMap { Failure(legacy: $0).status }
        default: break
        }
    }
}
