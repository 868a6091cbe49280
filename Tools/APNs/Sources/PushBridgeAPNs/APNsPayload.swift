package import Foundation
package import PushBridgeCore

/// A payload made of its parts, by the names that Apple gives them.
package struct APNsPayload: Equatable, Sendable {
    /// The first line.
    package var title: String?
    /// The second line.
    package var subtitle: String?
    /// The text.
    package var body: String?
    /// The number at the app's icon; 0 takes it away.
    package var badge: Int?
    /// The sound's name; `default` is the system's.
    package var sound: String?
    /// Which buttons the banner has.
    package var category: String?
    /// What groups banners.
    package var thread: String?
    /// What gets through Focus: `passive`, `active`, `time-sensitive` or `critical`.
    package var interruptionLevel: String?
    /// Whether the service extension may change what is shown.
    package var isMutable = false
    /// Whether the app is woken in the background.
    package var wakesApp = false
    /// What lies beside `aps`, for the app.
    package var custom: [String: JSONValue] = [:]

    /// Creates an empty payload.
    package init() {}

    /// Whether nothing was set.
    package var isEmpty: Bool { self == APNsPayload() }

    /// Whether nothing is shown, heard or counted: APNs wants such pushes to be of the type `background`.
    package var isSilent: Bool { wakesApp && alert == nil && badge == nil && sound == nil }

    /// The payload as it is sent, its members in the order of their names.
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
