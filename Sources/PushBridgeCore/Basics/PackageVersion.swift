/// The version of this package.
///
/// `pushbridge --version` prints it, and the events of a roll-out contain it.
@_spi(PushBridgeTools) public enum PackageVersion {
    /// The version; the tag of the release has the same name.
    public static let current = "0.1.0"
}
