/// The version of this package, which `pushbridge --version` prints and a roll-out's events contain.
@_spi(PushBridgeTools) public enum PackageVersion {
    /// The version; the tag of the release names the same version.
    public static let current = "0.1.0"
}
