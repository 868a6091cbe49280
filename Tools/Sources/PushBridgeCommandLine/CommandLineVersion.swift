/// Which release of the command line this is.
public enum CommandLineVersion {
    /// The version, as SemVer has it.
    public static let current = "0.1.0"
}
