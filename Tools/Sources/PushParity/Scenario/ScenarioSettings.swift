/// How the servers, the stores and the clients of a scenario are set up; everything may be left out.
public struct ScenarioSettings: Codable, Equatable, Sendable {
    /// Where credentials are stored.
    public enum Store: String, CaseIterable, Codable, Sendable {
        /// In memory.
        case memory
        /// In an SQLite file, which a restart closes and opens again.
        case sqlite
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
    /// The nodes behind the server's address; one unless told otherwise.
    public var nodes: Nodes?
    /// Whether the clients know the policies `biometricAvailable` and `deviceTampering`; not unless told so.
    public var policies: Bool?
    /// How many notifications the new API keeps at most; as many as it does by itself unless told otherwise.
    public var keptNotifications: Int?
    /// What the server's ids, secrets and challenges are drawn from; 1 unless told otherwise.
    public var seed: UInt64?

    /// Creates the standard settings.
    public init() {}
}
