/// Stands in for a type that both packages have.
public enum PushClient {
    /// Where the type comes from.
    public static let origin = "the successor SDK"
}
