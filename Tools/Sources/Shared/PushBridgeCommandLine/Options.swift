public import ArgumentParser
import Foundation

/// The options that every command has.
public struct OutputOptions: ParsableArguments {
    /// Whether the command prints JSON.
    @Flag(name: .long, help: "Print JSON instead of tables.")
    public var json = false

    /// The condition under which verdict words are coloured; ``Terminal/isColored`` evaluates it.
    @Option(help: "Colour verdicts: auto (on a terminal, unless NO_COLOR is set), always or never.")
    public var color = ColorChoice.auto

    /// Creates the options, for ArgumentParser.
    public init() {}
}

/// The option of commands that send or receive push notifications.
public struct APNsOptions: ParsableArguments {
    /// The file with the settings for APNs.
    @Option(
        help: ArgumentHelp(
            "How to reach APNs: a file with the JSON object that apns serve prints, or with a list of these objects.",
            valueName: "file"
        )
    )
    public var apns: String

    /// Creates the options, for ArgumentParser.
    public init() {}
}

/// The options that select a provider and a topic for APNs.
public struct ProviderOptions: ParsableArguments {
    /// The name of the provider.
    @Option(
        help: "The name of a provider in the --apns file (default: the topic's provider, or the first)."
    )
    public var provider: String?

    /// The topic for which a push is sent.
    @Option(
        help: ArgumentHelp(
            "The topic that is sent to APNs; it also selects the provider (default: the topic of the provider).",
            valueName: "identifier"
        )
    )
    public var topic: String?

    /// Creates the options, for ArgumentParser.
    public init() {}
}

/// The option of commands that can also write a report.
public struct ReportOptions: ParsableArguments {
    /// The files; their extensions determine the formats.
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

    /// Whether one of the reports is a page.
    var hasPage: Bool {
        reports.contains { URL(fileURLWithPath: $0).pathExtension.lowercased() == "html" }
    }

    /// Reserves the files of the requested reports.
    /// - Parameter job: A string that only earlier reports of the same work contain; the command may replace these
    ///   reports.
    /// - Returns: The files; they do not exist until they are written.
    /// - Throws: ``CommandFailure`` if a file cannot be reserved.
    public func files(of job: String? = nil) throws -> [ReportFile] {
        try reports.map { try ReportFile(at: $0, replacing: job) }
    }

    /// Checks the extensions of the files.
    /// - Throws: `ValidationError` for an extension other than `.json` and `.html`, and for two reports in one file.
    public func validate() throws {
        let places = reports.map { URL(fileURLWithPath: $0).standardizedFileURL }
        for (report, place) in zip(reports, places)
        where !["json", "html"].contains(place.pathExtension.lowercased()) {
            throw ValidationError("--report \(report): a report's name must end in .json or .html.")
        }
        guard Set(places).count == places.count else {
            throw ValidationError("Each --report requires a different file.")
        }
    }
}

/// The option of commands whose page refers to the project's documents.
public struct DocumentOptions: ParsableArguments {
    @Option(
        name: .customLong("documents"),
        help: ArgumentHelp(
            "Where PushBridge's repository can be read, such as https://git.example.com/PushBridge/blob/main or the path "
                + "of a copy. In an HTML report, references to the repository's documents become links.",
            valueName: "address"
        )
    )
    private var documents: String?

    /// The address below which the documents are; `nil` if the user named none.
    ///
    /// A path becomes a `file` address.
    public var address: String? {
        documents.map { URL(string: $0)?.scheme == nil ? URL(fileURLWithPath: $0).absoluteString : $0 }
    }

    /// Creates the options, for ArgumentParser.
    public init() {}

    /// Checks the address.
    /// - Throws: `ValidationError` if the address is empty, or has a scheme other than `http`, `https` and `file`.
    public func validate() throws {
        guard let documents else { return }
        let scheme = URL(string: documents)?.scheme?.lowercased()
        let isReadable = scheme.map { ["http", "https", "file"].contains($0) } ?? true
        guard !documents.isEmpty, isReadable else {
            throw ValidationError("--documents takes an http, https or file address, or a path.")
        }
    }

    /// Checks that there is a page for the links.
    /// - Parameter reports: The requested reports.
    /// - Throws: `ValidationError` if there is an address, but no page.
    public func validate(for reports: ReportOptions) throws {
        guard documents == nil || reports.hasPage else {
            throw ValidationError("--documents needs --report with a name that ends in .html.")
        }
    }
}

/// The user's choice of when text is coloured.
public enum ColorChoice: String, CaseIterable, ExpressibleByArgument, Sendable {
    /// On a terminal, unless `NO_COLOR` is set or `TERM` is `dumb`.
    case auto
    /// Always.
    case always
    /// Never.
    case never

    /// Reads the choice from a command's arguments; the last `--color` counts.
    init(arguments: [String]) {
        var choice = Self.auto
        for (index, argument) in arguments.enumerated() {
            if argument == "--color", index + 1 < arguments.count {
                choice = Self(rawValue: arguments[index + 1]) ?? choice
            } else if argument.hasPrefix("--color=") {
                choice = Self(rawValue: String(argument.dropFirst(8))) ?? choice
            }
        }
        self = choice
    }

    /// Returns whether text is coloured.
    func colors(environment: [String: String], isTerminal: Bool) -> Bool {
        switch self {
        case .always: true
        case .never: false
        // https://no-color.org: any non-empty value disables colours.
        case .auto: isTerminal && (environment["NO_COLOR"] ?? "").isEmpty && environment["TERM"] != "dumb"
        }
    }
}
