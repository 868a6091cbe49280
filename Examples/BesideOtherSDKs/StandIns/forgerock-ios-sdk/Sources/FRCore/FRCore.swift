/// A stand-in for a type that both the legacy SDK and PushBridge declare.
public struct Request {
    /// The name of the SDK that declares the type.
    public static let origin = "the legacy SDK"
}
