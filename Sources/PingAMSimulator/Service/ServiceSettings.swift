/// How the simulated service is set up.
public struct ServiceSettings: Equatable, Sendable {
    /// The realms that have a push service.
    public var realms: Set<Realm> = [.root, "/alpha"]
    /// How registration QR codes spell the service's addresses; requests are understood in every style.
    public var realmStyle = RealmStyle.short
    /// The nodes.
    public var topology = Topology.single(.local)
    /// How many seconds a registration waits for its device.
    public var registrationTimeToLive = 120
    /// What ids, secrets and challenges are drawn from, so that two services with the same seed say the same;
    /// `nil` draws from the system's generator.
    public var seed: UInt64?
    /// Scheme, host, port and deployment path of the service; the server fills it in when it starts.
    public var base = "http://127.0.0.1/am"

    /// Creates settings for one node with the realms `/` and `/alpha`.
    public init() {}
}
