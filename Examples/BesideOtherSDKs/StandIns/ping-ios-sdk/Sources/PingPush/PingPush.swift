/// A stand-in for a type that both the successor SDK and PushBridge declare.
public enum PushClient {
    /// The name of the SDK that declares the type.
    public static let origin = "the successor SDK"
}
