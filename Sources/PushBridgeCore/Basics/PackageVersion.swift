/// The version of this package, which `pushbridge --version` prints and a roll-out's events contain.
@_spi(PushBridgeTools) public enum PackageVersion {
    /// The version; the release's tag has the same.
    public static let current = "0.1.0"
}
