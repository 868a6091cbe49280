import FRCore

/// A stand-in for the part of the legacy SDK that logs users in.
public enum FRUser {
    /// The name of the SDK whose module `FRCore` is imported by FRAuth.
    public static let core = Request.origin
}
