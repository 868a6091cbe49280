/// Values of any type that an app attached to a credential or notification.
///
/// The values exist only in memory.
///
/// The successor SDK's property for these values is a `[String: Any]`. This type is `@unchecked Sendable`: as in the
/// SDK, the app must not change objects in the dictionary after it has set them. Two values are always equal, because
/// only the stored part of the app's data is compared.
package struct UnstoredValues: @unchecked Sendable, Equatable {
    /// The values by name; `nil` if the app has set none in this process.
    package let values: [String: Any]?

    package init(_ values: [String: Any]? = nil) {
        self.values = values
    }

    package static func == (_: UnstoredValues, _: UnstoredValues) -> Bool { true }
}
