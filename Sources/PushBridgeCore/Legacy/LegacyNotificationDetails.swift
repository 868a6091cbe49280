public import Foundation

/// What the legacy model knows of a notification and the new one has no field for.
public struct LegacyNotificationDetails: Equatable, Sendable {
    /// The exact seconds the server waits; the new model has whole ones.
    public var timeToLive: TimeInterval
    /// The push type as the legacy record spelled it; `nil` before SDK 3.3.
    public var pushType: String?

    /// Creates details.
    public init(timeToLive: TimeInterval, pushType: String?) {
        self.timeToLive = timeToLive
        self.pushType = pushType
    }
}
