/// The version of this package.
///
/// `pushbridge --version` prints it, and the events of a roll-out contain it.
@_spi(PushBridgeTools) public enum PackageVersion {
    /// The version, which the release's tag also names.
    public static let current = "0.1.0"
}
