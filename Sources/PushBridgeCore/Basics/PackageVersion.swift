/// The version of this package: what `pushbridge --version` prints, and events of a roll-out name.
@_spi(PushBridgeTools) public enum PackageVersion {
    /// The version in the tag of its release.
    public static let current = "0.1.0"
}
