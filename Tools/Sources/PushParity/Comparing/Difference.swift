public import PushBridgeCore

/// One value that is not the same on both sides.
public struct Difference: Equatable, Sendable {
    /// The number of the step, from 1.
    public let step: Int
    /// What kind of step it is.
    public let verb: Step.Verb
    /// Where the value is, for example `requests.0.headers.accept`.
    public let path: [String]
    /// The value on the legacy side; `nil` if there is none.
    public let legacy: JSONValue?
    /// The value on the async side; `nil` if there is none.
    public let async: JSONValue?

    /// The path as text.
    public var place: String { path.joined(separator: ".") }

    /// The difference as JSON; a value that is absent is null.
    public var json: JSONValue {
        [
            "step": .integer(step),
            "do": .string(verb.rawValue),
            "path": .string(place),
            "legacy": legacy ?? .null,
            "async": async ?? .null,
        ]
    }
}

extension JSONValue {
    /// Every value in which two values are not the same; null is not the same as absent.
    static func differences(
        _ one: JSONValue?,
        _ other: JSONValue?,
        at path: [String] = []
    ) -> [(path: [String], one: JSONValue?, other: JSONValue?)] {
        guard one != other else { return [] }
        switch (one, other) {
        case (.object(let ones), .object(let others)):
            return Set(ones.keys).union(others.keys).sorted()
                .flatMap { differences(ones[$0], others[$0], at: path + [$0]) }
        case (.array(let ones), .array(let others)):
            return (0..<max(ones.count, others.count)).flatMap { index in
                differences(ones.element(index), others.element(index), at: path + [String(index)])
            }
        default: return [(path, one, other)]
        }
    }
}

extension [JSONValue] {
    fileprivate func element(_ index: Int) -> JSONValue? { indices.contains(index) ? self[index] : nil }
}
