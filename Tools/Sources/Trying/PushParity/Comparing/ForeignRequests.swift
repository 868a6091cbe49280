import Foundation
package import PingAMSimulator
package import PushBridgeCore

/// Compares the requests of a user's own app with the requests of the other API.
package enum ForeignRequests {
    /// Returns the displayed form of a request.
    ///
    /// - Parameters:
    ///   - entry: The request that the app's server received.
    ///   - secret: The secret in the app's registration URI.
    /// - Returns: The request with its token decoded.
    package static func record(_ entry: JournalEntry, signedWith secret: SharedSecret) -> JSONValue {
        entry.record(signers: ["the device": secret])
    }

    /// Compares an app's request with the request of the other API in the same step.
    ///
    /// - Parameters:
    ///   - step: The step.
    ///   - number: The number of the step.
    ///   - legacy: The request of the legacy API. If the app uses this API, this is the app's request.
    ///   - async: The request of the async API. If the app uses this API, this is the app's request.
    /// - Returns: Each difference, with the id of the row that explains it; the id is `nil` if no row
    ///   explains the difference.
    package static func findings(
        _ step: Step,
        number: Int,
        legacy: JSONValue,
        async: JSONValue
    ) -> [(difference: Difference, id: String?)] {
        var judge = Judge(settings: ScenarioSettings())
        return judge.compare(
            StepRecord(step: step.content, request: legacy.comparable),
            StepRecord(step: step.content, request: async.comparable),
            step: number
        )
    }
}

extension StepRecord {
    /// Creates a record that contains only one request.
    fileprivate init(step: Step, request: JSONValue) {
        self.init(
            step: step,
            calls: [],
            requests: [request],
            timeouts: [],
            store: .null,
            server: .null,
            isDeviceLocked: false
        )
    }
}

extension JSONValue {
    /// The headers that the system's HTTP client adds to every request.
    ///
    /// On one phone, these headers are the same for both APIs.
    private static let systemHeaders: Set = [
        "accept-encoding", "accept-language", "connection", "content-length", "host", "user-agent", "accept",
        "priority",
    ]
    /// The members of a body or token that depend on the phone, the account or the time; their values are not compared.
    private static let ownMembers: Set = [
        "messageId", "response", "mechanismUid", "deviceId", "deviceName", "username", "signedBy", "header",
    ]

    /// The request without the parts that differ between two phones that use the same API.
    fileprivate var comparable: JSONValue {
        guard case .object(var members) = self else { return self }
        if case .object(let headers)? = members["headers"] {
            let isLegacy = headers["x-requested-with"] != nil
            // The legacy API sets `Accept` itself, so the header stays. With the async API, the system sets it, so it
            // is removed before the comparison.
            members["headers"] = .object(
                headers.filter { !Self.systemHeaders.contains($0.key) || isLegacy && $0.key == "accept" }
            )
        }
        if case .string(let url)? = members["url"] {
            members["url"] = .string(url.replacing(/^https:\/\/[^\/]*/, with: "https://server"))
        }
        members["body"] = members["body"]?.withoutOwnValues
        members["token"] = members["token"]?.withoutOwnValues
        return .object(members)
    }

    private var withoutOwnValues: JSONValue {
        guard case .object(let members) = self else { return self }
        return .object(
            Dictionary(
                uniqueKeysWithValues: members.map { name, value in
                    if name == "claims" { return (name, value.withoutOwnValues) }
                    return (name, Self.ownMembers.contains(name) && value != .null ? "its own" : value)
                }
            )
        )
    }
}
