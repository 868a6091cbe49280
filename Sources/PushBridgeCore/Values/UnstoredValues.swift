/// Values of any type that an app attached to a credential or notification; they exist in memory only.
///
/// The successor SDK's property is a `[String: Any]`. Unchecked because, as there, the app must not change the objects
/// in it after it set them. Two values are always equal: only the stored part of the app's data counts.
package struct UnstoredValues: @unchecked Sendable, Equatable {
    /// The values by name; `nil` for a value that was read from a store.
    package let values: [String: Any]?

    package init(_ values: [String: Any]? = nil) {
        self.values = values
    }

    package static func == (_: UnstoredValues, _: UnstoredValues) -> Bool { true }
}
