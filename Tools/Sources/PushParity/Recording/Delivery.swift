public import PushBridgeCore

/// What an app was told, once: a value or an error, and how it came.
public struct Delivery: Equatable, Sendable {
    /// How the app was told.
    public enum Form: String, CaseIterable, Sendable {
        /// The async function returned or threw.
        case awaited
        /// The synchronous function returned or threw.
        case returned
        /// A callback was called.
        case callback
    }

    /// On which thread a callback came.
    public enum ThreadClass: String, CaseIterable, Sendable {
        /// That of the main queue.
        case main
        /// The caller's thread, before the call returned.
        case caller
        /// Any other.
        case background
    }

    /// What the app was told.
    public enum Outcome: Equatable, Sendable {
        /// A value; null where the API has none to give.
        case value(JSONValue)
        /// An error: its name, what it is about, and the status of the response that caused it.
        case failure(Failure)
        /// The API has no such call.
        case notOffered
        /// Nothing was called, because what the step is about does not exist.
        case skipped(String)
    }

    /// How the app was told.
    public var form: Form
    /// On which thread, for callbacks.
    public var thread: ThreadClass?
    /// What the app was told.
    public var outcome: Outcome

    package init(_ form: Form, thread: ThreadClass? = nil, _ outcome: Outcome) {
        self.form = form
        self.thread = thread
        self.outcome = outcome
    }

    /// The delivery as reports show it.
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
