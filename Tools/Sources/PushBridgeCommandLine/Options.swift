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
    /// The file with the settings for APNs.
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
    /// The files, whose endings decide about their formats.
    @Option(
        name: .customLong("report"),
        help: ArgumentHelp(
            "Also write a report: .json for machines, .html for people. May be repeated.",
            valueName: "file"
        )
    )
    public var reports: [String] = []

    /// Creates the options, for ArgumentParser.
    public init() {}

    /// Takes the places of the reports that were asked for.
    /// - Parameter job: A text that only earlier reports of the same work hold; they may be replaced.
    /// - Returns: The files, of which nothing is seen until they are written.
    /// - Throws: ``CommandFailure`` if there is no place for one.
    public func files(of job: String? = nil) throws -> [ReportFile] {
        try reports.map { try ReportFile(at: $0, replacing: job) }
    }

    /// Checks the endings.
    /// - Throws: `ValidationError` for another ending than `.json` and `.html`, and for two reports in one file.
    public func validate() throws {
        let places = reports.map { URL(fileURLWithPath: $0).standardizedFileURL }
        for (report, place) in zip(reports, places)
        where !["json", "html"].contains(place.pathExtension.lowercased()) {
            throw ValidationError("--report \(report): a report's name must end in .json or .html.")
        }
        guard Set(places).count == places.count else {
            throw ValidationError("Each --report needs a file of its own.")
        }
    }
}
