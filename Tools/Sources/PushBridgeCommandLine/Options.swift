public import ArgumentParser

/// The option every command has.
public struct OutputOptions: ParsableArguments {
    /// Whether JSON is printed.
    @Flag(name: .long, help: "Print JSON instead of tables.")
    public var json = false

    /// Creates the options, for ArgumentParser.
    public init() {}
}

/// The option of commands that send or receive pushes.
public struct APNsOptions: ParsableArguments {
    /// The file that says how to reach APNs.
    @Option(
        help: ArgumentHelp(
            "How to reach APNs: a file with the line of JSON that apns serve prints, or a list of such objects.",
            valueName: "file"
        )
    )
    public var apns: String

    /// Creates the options, for ArgumentParser.
    public init() {}
}

/// Which of several push configurations is used.
public struct ProviderOptions: ParsableArguments {
    /// The provider's name.
    @Option(help: "The name of a provider in the file (default: the one of the topic, or the first).")
    public var provider: String?

    /// The topic, as the header has it.
    @Option(
        help: ArgumentHelp(
            "The topic as it is sent; it also chooses the provider (default: the provider's).",
            valueName: "identifier"
        )
    )
    public var topic: String?

    /// Creates the options, for ArgumentParser.
    public init() {}
}
