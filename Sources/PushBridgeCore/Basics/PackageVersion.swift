/// The version of this package.
///
/// `pushbridge --version` prints it, and the events of a roll-out contain it.
@_spi(PushBridgeTools) public enum PackageVersion {
    /// The version number, which is also the name of the release's tag.
    public static let current = "0.1.0"
}
