/// Stands in for a type that both packages have.
public struct Request {
    /// Where the type comes from.
    public static let origin = "the legacy SDK"
}
