/// A stand-in for a type that both packages declare.
public enum PushClient {
    /// The SDK that declares the type.
    public static let origin = "the successor SDK"
}
