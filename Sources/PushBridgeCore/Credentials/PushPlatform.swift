/// The kind of server that sends the pushes.
public enum PushPlatform: String, CaseIterable, Sendable {
    /// PingAM and PingOne Advanced Identity Cloud.
    case pingAM = "PING_AM"
}
