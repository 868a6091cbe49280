import PushBridgeCore

/// An error as an app can tell it from others.
public struct Failure: Equatable, Sendable {
    /// The type and the case, for example `PushError.networkFailure`.
    public var name: String
    /// What the error is about: an id, a policy, a parameter; absent where it is only words for people.
    public var subject: String?
    /// The status of the response that caused it.
    public var status: Int?
    /// The names of the errors it is made of.
    public var parts: [String] = []

    package init(_ name: String, subject: String? = nil, status: Int? = nil) {
        self.name = name
        self.subject = subject
        self.status = status
    }

    /// The type and the case of an error.
    package static func name(of error: some Error) -> String {
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
