public import Foundation
public import PingAMSimulator

/// What happens to a user's device, told once and played on both APIs.
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
/// Every step is an object whose `do` names one of the cases of ``Step`` and whose other members are those of the
/// case's value; members that are optional may be left out, and a member that the step does not have is refused.
/// Every step takes a second. `credential` and `push` are names of the scenario's own: they stand for the ids that
/// servers and clients make. A step about a credential or push that does not exist, because its step failed, is skipped
/// on that side.
public struct Scenario: Codable, Equatable, Sendable {
    /// The name, a fact that the scenario shows.
    public var name: String
    /// How the servers, the stores and the clients are set up.
    public var settings: ScenarioSettings
    /// What happens, in this order.
    public var steps: [Step]
    /// Where the files lie that steps name; absent from the scenario's own file.
    public var folder: URL?

    private enum CodingKeys: CodingKey {
        case name, settings, steps
    }

    /// Whether both sides do the same, so that what they do can be compared.
    public var isComparable: Bool { settings.shared != true && steps.allSatisfy { $0.side == nil } }

    /// Creates a scenario.
    public init(_ name: String, settings: ScenarioSettings = ScenarioSettings(), steps: [Step]) {
        self.name = name
        self.settings = settings
        self.steps = steps
    }

    /// Reads a scenario; settings may be left out.
    public init(from decoder: any Decoder) throws {
        let container = try decoder.container(keyedBy: CodingKeys.self)
        name = try container.decode(String.self, forKey: .name)
        settings = try container.decodeIfPresent(ScenarioSettings.self, forKey: .settings) ?? .init()
        steps = try container.decode([Step].self, forKey: .steps)
    }
}

/// How the servers, the stores and the clients of a scenario are set up; everything may be left out.
public struct ScenarioSettings: Codable, Equatable, Sendable {
    /// Where credentials are stored.
    public enum Store: String, CaseIterable, Codable, Sendable {
        /// In memory.
        case memory
        /// In an SQLite file, which a restart closes and opens again.
        case sqlite
        /// The legacy side's in the legacy SDK's own keychain items; that of the new API in memory, unless they share one.
        case inPlace
    }

    /// How registration codes spell the server's addresses.
    public enum Addresses: String, CaseIterable, Codable, Sendable {
        /// `/json/alpha/…`
        case short
        /// `/json/realms/root/realms/alpha/…`
        case full
        /// `/json/…&realm=/alpha`
        case query
    }

    /// The nodes behind the server's address.
    public enum Nodes: String, CaseIterable, Codable, Sendable {
        /// One node, which knows its messages.
        case single
        /// One node, which takes every message from the token store, where any `deny` denies.
        case tokenStore
        /// Two nodes behind a load balancer; only the cookie leads back to the one that sent the message.
        case balanced
    }

    /// Where credentials are stored; in memory unless told otherwise.
    public var store: Store?
    /// How registration codes spell the server's addresses; short unless told otherwise.
    public var addresses: Addresses?
    /// The version of the server; 8.0.2 unless told otherwise.
    public var version: ServerVersion?
    /// The nodes behind the server's address; one unless told otherwise.
    public var nodes: Nodes?
    /// What makes codes and sends pushes; nodes unless told otherwise.
    public var sender: PushSender?
    /// Whether both sides have the same store, server and device; each has its own unless told so.
    ///
    /// A step without a side then happens on the legacy side.
    public var shared: Bool?
    /// Whether a user may have several devices; one unless told so, as servers have it.
    public var severalDevices: Bool?
    /// Whether the clients know the policies `biometricAvailable` and `deviceTampering`; not unless told so.
    public var policies: Bool?
    /// How many notifications the new API keeps at most; as many as it does by itself unless told otherwise.
    public var keptNotifications: Int?
    /// Whether the new client keeps its own time-out; as long as the legacy one unless told so.
    public var ownTimeout: Bool?
    /// The seed of the server's ids, secrets and challenges; 1 unless set.
    public var seed: UInt64?

    /// Creates the standard settings.
    public init() {}
}

/// Why a scenario cannot be played.
public struct ParityError: Error, Equatable, Sendable {
    /// The kind of failure.
    public enum Code: Sendable {
        /// The scenario's file cannot be read, or is no scenario.
        case unreadable
        /// A step is invalid.
        case invalidStep
        /// A server, a store or a client could not be made.
        case notPlayable
    }

    /// The kind of failure.
    public let code: Code
    /// One sentence for a person.
    public let reason: String
}

extension ParityError: LocalizedError {
    /// The reason.
    public var errorDescription: String? { reason }
}
