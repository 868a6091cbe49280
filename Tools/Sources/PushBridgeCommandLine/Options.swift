public import ArgumentParser
import Foundation

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

/// The option of commands that also write a report.
public struct ReportOptions: ParsableArguments {
    /// The file, whose ending says what it will be.
    @Option(
        name: .long,
        help: ArgumentHelp("Also write a report: .json for machines, .html for people.", valueName: "file")
    )
    public var report: String?

    /// Creates the options, for ArgumentParser.
    public init() {}

    /// Takes the place of the report, if one was asked for.
    /// - Throws: ``CommandFailure`` if something is there, or it cannot be written.
    public func file() throws -> ReportFile? { try report.map(ReportFile.taking) }

    /// Checks the ending.
    /// - Throws: `ValidationError` for another ending than `.json` and `.html`.
    public func validate() throws {
        guard let report else { return }
        guard ["json", "html"].contains(URL(fileURLWithPath: report).pathExtension.lowercased()) else {
            throw ValidationError("The report's name must end in .json or .html.")
        }
    }
}
