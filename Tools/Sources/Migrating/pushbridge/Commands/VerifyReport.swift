import ArgumentParser
import Foundation
import PushBridgeCommandLine
import PushBridgeCore
import PushBridgeMigrating

/// The command `report`, whose subcommands examine earlier reports.
struct ReportCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "report",
        abstract: "Check an earlier report.",
        subcommands: [VerifyReport.self]
    )
}

/// The command `report verify`, which compares the digests in a report with the files.
struct VerifyReport: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "verify",
        abstract: "Check whether a report still describes the files from which it was made.",
        discussion: """
            Computes the SHA-256 of each file again. Without SOURCE, looks for the files in the folder of the report and in \
            the current folder, by the names in the report. In a SOURCE that is a folder, looks in all its folders, also for \
            the same contents under another name. The status is 1 if a file changed.
            """
    )

    @Argument(help: "The report: a page or JSON.")
    var report: String

    @Argument(help: ArgumentHelp("The files, in the order of the report, or folders.", valueName: "source"))
    var sources: [String] = []

    @OptionGroup var output: OutputOptions

    func run() throws {
        try perform(storeRole: .input) {
            if let other = sources.first(where: Evidence.isReport(at:)) {
                throw CommandFailure(
                    status: .usage,
                    sentence: """
                        \(other) is a report, too: one report is compared at a time, and the files after it are those that it was \
                        made from.
                        """
                )
            }
            var isFolder: ObjCBool = false
            if FileManager.default.fileExists(atPath: report, isDirectory: &isFolder), isFolder.boolValue {
                throw CommandFailure(
                    status: .unreadableInput,
                    sentence: "\(report) is a folder: one report is compared at a time, so name a file in it."
                )
            }
            guard let evidence = Evidence(in: try Data(named: report)) else {
                let sentence = "\(report) is not a report of this program, or its version wrote no digests."
                throw CommandFailure(status: .unreadableInput, sentence: sentence)
            }
            let progress = ProgressBar()
            defer { progress.finish() }
            let lines = try lines(of: evidence, progress)
            progress.finish()
            try ReportComparison(evidence: evidence, lines: lines).deliver(asJSON: output.json)
        }
    }

    /// Returns the comparison of each file with the source at its place, or with a file of its name.
    private func lines(of evidence: Evidence, _ progress: ProgressBar) throws -> [ReportComparison.Line] {
        let inputs = evidence.inputs.flatMap(\.all)
        let isSearch = sources.contains { ComparedFiles.isFolder($0) } || inputs.count > evidence.inputs.count
        if !sources.isEmpty, isSearch {
            let files = try ComparedFiles(in: sources, progress)
            return inputs.map { .init($0, now: $0.isFile ? files.digest(like: $0) : nil) }
        }
        guard sources.isEmpty || sources.count == inputs.count else {
            let count = inputs.count.counted("file")
            throw CommandFailure(status: .usage, sentence: "The report was made from \(count).")
        }
        let paths = inputs.enumerated().map { sources.isEmpty ? place(of: $1.name) : sources[$0] }
        let files = ComparedFiles(paths.compactMap(\.self), progress)
        return zip(inputs, paths).map { .init($0, now: $1.flatMap(files.digest)) }
    }

    private func place(of name: String) -> String? {
        let folder = URL(fileURLWithPath: report).deletingLastPathComponent()
        let places = [folder.appendingPathComponent(name).path, name]
        return places.first(where: FileManager.default.fileExists)
    }
}

/// The files that `report verify` compares with a report; computes each digest once, when it is needed.
private final class ComparedFiles {
    private var waiting: [String: [String]] = [:]
    private var digests: [String: String] = [:]
    private let paths: [String]
    private let progress: ProgressBar
    private let bytes: Int
    private var read = 0

    init(_ paths: [String], _ progress: ProgressBar) {
        (self.paths, self.progress) = (paths, progress)
        bytes = paths.reduce(0) { $0 + Self.size(of: $1) + Self.size(of: "\($1)-wal") }
        waiting = Dictionary(grouping: paths) { URL(fileURLWithPath: $0).lastPathComponent }
    }

    /// Collects the given files, and the files in the given folders.
    convenience init(in sources: [String], _ progress: ProgressBar) throws {
        let paths = try sources.flatMap { source -> [String] in
            guard Self.isFolder(source) else { return [source] }
            return try FileManager.default.subpathsOfDirectory(atPath: source).sorted()
                .map { URL(fileURLWithPath: source).appendingPathComponent($0).path }
                .filter { !Self.isFolder($0) }
        }
        self.init(paths, progress)
    }

    static func isFolder(_ path: String) -> Bool {
        var isFolder: ObjCBool = false
        return FileManager.default.fileExists(atPath: path, isDirectory: &isFolder) && isFolder.boolValue
    }

    private static func size(of path: String) -> Int {
        do {
            let path = URL(fileURLWithPath: path).resolvingSymlinksInPath().path
            return try (FileManager.default.attributesOfItem(atPath: path)[.size] as? NSNumber)?.intValue ?? 0
        } catch {
            // The file does not exist, which the comparison reports.
            return 0
        }
    }

    /// Returns the digest of a file; `nil` if it cannot be read.
    func digest(_ path: String) -> String? {
        if let digest = digests[path] { return digest }
        digests[path] =
            Evidence.Input(at: path) { [self] count in
                read += count
                progress.show("comparing", read >> 20, of: max(bytes, read) >> 20, unit: "MB")
            }
            .sha256
        return digests[path]
    }

    /// Returns the digest of the file that an input describes; `nil` if none is found.
    ///
    /// Of several files with the input's name, this is one with its digest, which no other input describes. A file
    /// with another name only counts if it has the digest.
    func digest(like input: Evidence.Input) -> String? {
        let named = waiting[input.name] ?? []
        if let index = named.firstIndex(where: { digest($0) == input.sha256 }) {
            waiting[input.name]?.remove(at: index)
            return input.sha256
        }
        if let other = named.first { return digest(other) }
        return paths.contains { digest($0) == input.sha256 } ? input.sha256 : nil
    }
}

/// The result of `report verify`.
struct ReportComparison: Report {
    /// One input of the report.
    struct Line {
        /// The result of the comparison of an input.
        enum Verdict: String {
            /// The input has the digest in the report.
            case same
            /// The input has another digest.
            case changed
            /// The input was not found.
            case missing
            /// The input is not a file, or the report contains no digest of the input.
            case unknown
        }

        let name: String
        let verdict: Verdict

        init(_ input: Evidence.Input, now: String?) {
            name = input.name
            verdict =
                if input.sha256 == nil || !input.isFile && now == nil {
                    .unknown
                } else if input.isChanged {
                    .changed
                } else if let now {
                    now == input.sha256 ? .same : .changed
                } else {
                    .missing
                }
        }
    }

    /// The maximum number of listed files; `--json` lists all.
    private static let listed = 40

    let evidence: Evidence
    let lines: [Line]

    var status: ExitStatus {
        if lines.contains(where: { $0.verdict == .changed }) { return .needsAttention }
        let isUnverified = lines.allSatisfy { $0.verdict == .unknown }
        return isUnverified || lines.contains { $0.verdict == .missing } ? .unreadableInput : .success
    }

    var text: String {
        var table = Table(("Read", .left), ("Now", .left))
        let shown = lines.count <= Self.listed ? lines : lines.filter { $0.verdict != .same }
        for line in shown.prefix(Self.listed) { table.add(line.name, line.verdict.rawValue) }
        let same = lines.count - shown.count
        if same > 0 { table.add("\(same.counted("more file"))", ReportComparison.Line.Verdict.same.rawValue) }
        if shown.count > Self.listed { table.add("… and \(shown.count - Self.listed) more; see --json", "") }
        let made = "Made by \(evidence.tool) on \(evidence.date.formatted(.iso8601))."
        return "\(table.isEmpty ? "" : "\(table.text)\n")\(made) \(verdict)\n"
    }

    private var verdict: String {
        switch status {
        case .needsAttention: "The report no longer describes the files."
        case .unreadableInput where lines.contains { $0.verdict == .missing }:
            "A file was not found; name the files after the report."
        case .unreadableInput: "The report contains no digest of a single file."
        default: "The report describes the current files."
        }
    }

    func writeJSON(to write: @escaping (Data) throws -> Void) throws {
        let value: JSONValue = [
            "schema": 1, "command": "report verify", "date": .string(evidence.date.formatted(.iso8601)),
            "tool": .string(evidence.tool),
            "inputs": .array(
                lines.map { ["name": .string($0.name), "now": .string($0.verdict.rawValue)] }
            ),
        ]
        try write(Data(value.line.utf8))
    }
}
