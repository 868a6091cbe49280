import Foundation
package import PingAMSimulator
package import PushBridgeCore

/// The requests of an app of another project, compared as those of a side are.
package enum ForeignRequests {
    /// A request as it is shown.
    ///
    /// - Parameters:
    ///   - entry: The request as the app's server got it.
    ///   - secret: The secret of the code that the app scanned.
    /// - Returns: The request with its token taken apart.
    package static func record(_ entry: JournalEntry, signedWith secret: SharedSecret) -> JSONValue {
        entry.record(signers: ["the device": secret])
    }

    /// Compares an app's request with that of the other API's side in the same step.
    ///
    /// - Parameters:
    ///   - step: The step.
    ///   - number: Its number.
    ///   - legacy: The request on the side of the legacy API: the app's, if it is built with that.
    ///   - async: The request on the side of the new API.
    /// - Returns: The difference, with the id of the row that explains it; `nil` if no row does.
    package static func findings(
        _ step: Step,
        number: Int,
        legacy: JSONValue,
        async: JSONValue
    ) -> [(difference: Difference, id: String?)] {
        var judge = Judge(settings: ScenarioSettings())
        return judge.compare(
            Moment(step: step.content, request: legacy.comparable),
            Moment(step: step.content, request: async.comparable),
            step: number
        )
    }
}

extension Moment {
    /// A moment of which only a request is known.
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
    /// The additions of a system's client for HTTP to any app's request: it is the same for both APIs on one phone.
    private static let systemHeaders: Set = [
        "accept-encoding", "accept-language", "connection", "content-length", "host", "user-agent", "accept",
        "priority",
    ]
    /// The values that differ with the phone, the account or the moment.
    private static let ownMembers: Set = [
        "messageId", "response", "mechanismUid", "deviceId", "deviceName", "username", "signedBy", "header",
    ]

    /// The request without what differs between two phones on the same API.
    fileprivate var comparable: JSONValue {
        guard case .object(var members) = self else { return self }
        if case .object(let headers)? = members["headers"] {
            let isLegacy = headers["x-requested-with"] != nil
            // The legacy API sets the header; other clients have their own.
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
