import FRCore

/// Stands in for the part of the SDK that logs users in.
public enum FRUser {
    /// Where the core comes from that FRAuth uses.
    public static let core = Request.origin
}
