import FRCore

/// A stand-in for the part of the SDK that logs users in.
public enum FRUser {
    /// The name of the SDK whose core FRAuth uses.
    public static let core = Request.origin
}
