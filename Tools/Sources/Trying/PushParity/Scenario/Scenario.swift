public import Foundation
public import PingAMSimulator

/// A sequence of events on a user's device, which is played on both APIs.
///
/// As a JSON document:
///
/// ```json
/// {
///   "name": "A challenge is approved after a failure of the network",
///   "steps": [
///     {"do": "token", "hex": "0a1b2c"},
///     {"do": "enrol", "credential": "babs"},
///     {"do": "receive", "push": "p1", "credential": "babs", "type": "challenge", "numbers": "34,43,57"},
///     {"do": "fault", "kind": "dropConnection"},
///     {"do": "answer", "push": "p1", "with": "challenge", "number": "34"},
///     {"do": "answer", "push": "p1", "with": "challenge", "number": "34"},
///     {"do": "list", "what": "notifications"}
///   ]
/// }
/// ```
///
/// Every step is an object. The member `do` names a case of ``Step``, and the other members are the members
/// of the case's value. Optional members may be omitted. Unknown members are rejected. Every step takes a
/// second.
///
/// In a scenario, `credential` and `push` are names that stand for the ids of servers and clients. If the
/// step that creates a credential or push fails on a side, that side skips all steps that name this
/// credential or push.
public struct Scenario: Codable, Equatable, Sendable {
    /// The name, which states what the scenario shows.
    public var name: String
    /// The settings of the servers, the stores and the clients.
    public var settings: ScenarioSettings
    /// The events in order.
    public var steps: [Step]
    /// The folder of the files that steps name.
    ///
    /// The folder is not part of the scenario's file.
    public var folder: URL?

    private enum CodingKeys: CodingKey {
        case name, settings, steps
    }

    /// Whether the sides can be compared: both perform the same steps, and they share no store.
    public var isComparable: Bool { settings.shared != true && steps.allSatisfy { $0.side == nil } }

    /// Creates a scenario.
    public init(_ name: String, settings: ScenarioSettings = ScenarioSettings(), steps: [Step]) {
        self.name = name
        self.settings = settings
        self.steps = steps
    }

    /// Decodes a scenario.
    ///
    /// The settings are optional.
    public init(from decoder: any Decoder) throws {
        let container = try decoder.container(keyedBy: CodingKeys.self)
        name = try container.decode(String.self, forKey: .name)
        settings = try container.decodeIfPresent(ScenarioSettings.self, forKey: .settings) ?? .init()
        steps = try container.decode([Step].self, forKey: .steps)
    }
}

/// The settings of the servers, the stores and the clients of a scenario.
///
/// All settings are optional.
public struct ScenarioSettings: Codable, Equatable, Sendable {
    /// The place where credentials are stored.
    public enum Store: String, CaseIterable, Codable, Sendable {
        /// In memory.
        case memory
        /// In an SQLite file.
        ///
        /// A restart closes the file and opens it again.
        case sqlite
        /// The legacy side works on the legacy SDK's keychain items.
        ///
        /// The async API's store is in memory, unless both sides share one store.
        case inPlace
    }

    /// The spelling of the server's addresses in registration URIs.
    public enum Addresses: String, CaseIterable, Codable, Sendable {
        /// `/json/alpha/…`
        case short
        /// `/json/realms/root/realms/alpha/…`
        case full
        /// `/json/…&realm=/alpha`
        case query
    }

    /// The servers (nodes) behind one address.
    public enum Nodes: String, CaseIterable, Codable, Sendable {
        /// One server; messages of modules are in its memory, and messages of nodes in PingAM's token store.
        case single
        /// The same as ``single``.
        case tokenStore
        /// Two nodes behind a load balancer.
        ///
        /// Only the load balancer's cookie leads back to the node that sent the message.
        case balanced
    }

    /// The kind of store; `memory` by default.
    public var store: Store?
    /// The spelling of the server's addresses in registration URIs; `short` by default.
    public var addresses: Addresses?
    /// The version of the server; 8.0.2 by default.
    public var version: ServerVersion?
    /// The nodes behind the server's address; `single` by default.
    public var nodes: Nodes?
    /// The component of the server that creates codes and pushes; nodes by default.
    public var sender: PushSender?
    /// Whether both sides share one store, server and device; false by default.
    ///
    /// If so, a step that names no side is performed on the legacy side.
    public var shared: Bool?
    /// Whether a user may have several devices; false by default, as on real servers.
    public var severalDevices: Bool?
    /// Whether the clients can evaluate the policies `biometricAvailable` and `deviceTampering`; false by default.
    public var policies: Bool?
    /// The maximum number of notifications that the async API stores for each credential; by default, the API's own
    /// maximum.
    public var keptNotifications: Int?
    /// Whether the async API uses its own default time-out.
    ///
    /// By default, it uses the time-out of the legacy API.
    public var ownTimeout: Bool?
    /// The seed of the server's ids, secrets and challenges; 1 by default.
    public var seed: UInt64?

    /// Creates the standard settings.
    public init() {}
}

/// The reason why a scenario cannot be played.
public struct ParityError: Error, Equatable, Sendable {
    /// The kind of failure.
    public enum Code: Sendable {
        /// The scenario's file cannot be read, or does not contain a scenario.
        case unreadable
        /// A step or a setting is invalid.
        case invalidStep
        /// The scenario cannot be played, for example because a store or a client cannot be created.
        case notPlayable
    }

    /// The kind of failure.
    public let code: Code
    /// The reason as a sentence for the user.
    public let reason: String
}

extension ParityError: LocalizedError {
    /// The reason.
    public var errorDescription: String? { reason }
}
