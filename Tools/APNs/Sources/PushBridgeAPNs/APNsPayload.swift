package import Foundation
package import PushBridgeCore

/// A payload that is built from separate parts; parts that are `nil` are left out.
package struct APNsPayload: Equatable, Sendable {
    /// The first line of the banner.
    package var title: String?
    /// The second line of the banner.
    package var subtitle: String?
    /// The text of the banner.
    package var body: String?
    /// The number on the app's icon; 0 removes the number.
    package var badge: Int?
    /// The sound's name; `default` is the system's default sound.
    package var sound: String?
    /// The category that defines the banner's buttons.
    package var category: String?
    /// The identifier by which the system groups banners.
    package var thread: String?
    /// The interruption level, which decides whether the banner is shown during a Focus: `passive`, `active`,
    /// `time-sensitive` or `critical`.
    package var interruptionLevel: String?
    /// Whether the service extension may change the banner.
    package var isMutable = false
    /// Whether the push wakes the app in the background.
    package var wakesApp = false
    /// The members beside `aps`, which are for the app.
    package var custom: [String: JSONValue] = [:]

    /// Creates an empty payload.
    package init() {}

    /// Whether the payload has no parts.
    package var isEmpty: Bool { self == APNsPayload() }

    /// Whether the push wakes the app, but shows nothing, plays no sound and sets no badge.
    ///
    /// APNs requires the type `background` for a silent push.
    package var isSilent: Bool { wakesApp && alert == nil && badge == nil && sound == nil }

    /// The payload as JSON, with its members sorted by name.
    package var data: Data {
        let texts: [(String, JSONValue?)] = [
            ("alert", alert), ("badge", badge.map(JSONValue.integer)), ("sound", sound.map(JSONValue.string)),
            ("category", category.map(JSONValue.string)), ("thread-id", thread.map(JSONValue.string)),
            ("interruption-level", interruptionLevel.map(JSONValue.string)),
            ("mutable-content", isMutable ? 1 : nil), ("content-available", wakesApp ? 1 : nil),
        ]
        let aps = texts.reduce(into: [:]) { $0[$1.0] = $1.1 }
        return JSONValue.object(custom.merging(["aps": .object(aps)]) { _, own in own }).data
    }

    private var alert: JSONValue? {
        let texts = [("title", title), ("subtitle", subtitle), ("body", body)]
        let members = texts.reduce(into: [:]) { $0[$1.0] = $1.1.map(JSONValue.string) }
        return members.isEmpty ? nil : .object(members)
    }
}
