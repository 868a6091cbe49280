package import PushBridgeCore

extension JSONValue {
    /// A value that changed in a step, for reports.
    package struct Change: Equatable, Sendable {
        /// Where the value is.
        package let place: String
        /// The value before; `nil` if there was none.
        package let before: JSONValue?
        /// The value after; `nil` if there is none.
        package let after: JSONValue?
    }

    /// Every value that changed.
    package static func changes(from before: JSONValue?, to after: JSONValue?) -> [Change] {
        differences(before, after).map {
            Change(place: $0.path.joined(separator: "."), before: $0.one, after: $0.other)
        }
    }
}
