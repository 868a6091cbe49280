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
            the current folder, by the names in the report. If a SOURCE is a folder, searches this folder and all folders in it, \
            and also finds renamed files by their contents. If no SOURCE is a folder, compares each SOURCE with the input at the \
            same position in the report. The status is 1 if a file changed.
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
                        \(other) is also a report. Name only one report, followed by the files from which it was made.
                        """
                )
            }
            var isFolder: ObjCBool = false
            if FileManager.default.fileExists(atPath: report, isDirectory: &isFolder), isFolder.boolValue {
                throw CommandFailure(
                    status: .unreadableInput,
                    sentence: "\(report) is a folder. Name one report in it."
                )
            }
            guard let evidence = Evidence(in: try Data(named: report)) else {
                let sentence =
                    "\(report) is not a report of this program, or was written by a version that recorded no digests."
                throw CommandFailure(status: .unreadableInput, sentence: sentence)
            }
            if evidence.inputs.contains(where: \.omitsFiles) {
                throw CommandFailure(
                    status: .unreadableInput,
                    sentence: "\(report) omits its list of files, which the JSON report contains."
                )
            }
            let progress = ProgressBar()
            defer { progress.finish() }
            let isSearch = sources.contains { ComparedFiles.isFolder($0) }
            let inputs = evidence.inputs.flatMap(\.all)
            let files = ComparedFiles(progress)
            let lines = try isSearch ? found(inputs, files) : inOrder(inputs, files)
            progress.finish()
            try ReportComparison(
                evidence: evidence,
                lines: lines,
                isByContents: isSearch && evidence.isRedacted
            ).deliver(asJSON: output.json)
        }
    }

    /// Returns the comparison of each input with a file.
    ///
    /// If sources are given, the file is the source at the input's position. Otherwise, it is the file with the input's
    /// name, beside the report or in the current folder.
    private func inOrder(
        _ inputs: [Evidence.Input],
        _ files: ComparedFiles
    ) throws -> [ReportComparison.Line] {
        guard sources.isEmpty || sources.count == inputs.count else {
            let count = inputs.count.counted("file")
            throw CommandFailure(
                status: .usage,
                sentence: "The report was made from \(count): name \(count), or a folder with them."
            )
        }
        let names = Dictionary(grouping: inputs, by: \.name)
        let paths = inputs.enumerated().map { index, input -> String? in
            if !sources.isEmpty { return sources[index] }
            return names[input.name]?.count == 1 ? place(of: input.name) : nil
        }
        return zip(inputs, files.digests(of: paths)).map { input, now in
            let isAmbiguous = sources.isEmpty && input.isComparable && names[input.name]?.count != 1
            return .init(input, now: now, isAmbiguous: isAmbiguous)
        }
    }

    /// Returns the comparison of each input with the best matching file in the sources.
    private func found(_ inputs: [Evidence.Input], _ files: ComparedFiles) throws -> [ReportComparison.Line] {
        let digests = try files.digests(like: inputs, in: sources)
        return zip(inputs, digests).map { .init($0, now: $1) }
    }

    private func place(of name: String) -> String? {
        let folder = URL(fileURLWithPath: report).deletingLastPathComponent()
        let places = [folder.appendingPathComponent(name).path, name]
        return places.first(where: FileManager.default.fileExists)
    }
}

/// The files that `report verify` compares with a report; each file is read at most once.
private final class ComparedFiles {
    /// The digests by path; the value is `nil` for a file that cannot be read.
    private var digests: [String: String?] = [:]
    private let progress: ProgressBar
    private var bytes = 0
    private var read = 0

    init(_ progress: ProgressBar) { self.progress = progress }

    /// Returns the digests of files; `nil` for a file that cannot be read.
    func digests(of paths: [String?]) -> [String?] {
        let new = Set(paths.compactMap(\.self)).subtracting(digests.keys).sorted()
        bytes += new.reduce(0) { $0 + Evidence.Input.size(at: $1) }
        for path in new {
            let input = Evidence.Input(at: path) { [self] count in
                read += count
                progress.show("comparing", read >> 20, of: max(bytes, read) >> 20, unit: "MB")
            }
            digests.updateValue(input.sha256, forKey: path)
        }
        return paths.map { $0.flatMap { digests[$0] ?? nil } }
    }

    /// Returns the digest of the file that each input describes; `nil` if no file is found.
    ///
    /// Each file counts for one input only. If several files have the input's name, a file with the input's digest
    /// is preferred. A file with another name counts only if it has the input's digest.
    func digests(like inputs: [Evidence.Input], in sources: [String]) throws -> [String?] {
        let names = Set(inputs.filter(\.isComparable).map(\.name))
        var (named, others): ([String], [String]) = ([], [])
        for path in try Self.files(in: sources) {
            if names.contains(Self.name(of: path)) { named.append(path) } else { others.append(path) }
        }
        var unused: [String: UnusedFiles] = [:]
        for (path, digest) in zip(named, digests(of: named)) {
            unused[Self.name(of: path), default: .init()].add(digest)
        }
        var found = inputs.map { unused[$0.name]?.take($0.isComparable ? $0.sha256 : nil) }
        for (index, input) in inputs.enumerated() where input.isComparable && found[index] == nil {
            found[index] = unused[input.name]?.takeAny()
        }
        let missing = inputs.indices.filter { inputs[$0].isComparable && found[$0] == nil }
        guard !missing.isEmpty else { return found }
        var rest = UnusedFiles()
        digests(of: others).forEach { rest.add($0) }
        for files in unused.values { rest.add(files) }
        for index in missing { found[index] = rest.take(inputs[index].sha256) }
        return found
    }

    private static func name(of path: String) -> String { URL(fileURLWithPath: path).lastPathComponent }

    /// Returns the given files and the files in the given folders, each once.
    private static func files(in sources: [String]) throws -> Set<String> {
        let paths = try sources.flatMap { source -> [String] in
            guard FileManager.default.fileExists(atPath: source) else {
                throw CommandFailure(status: .unreadableInput, sentence: "There is no file \(source).")
            }
            guard isFolder(source) else { return [source] }
            return try FileManager.default.subpathsOfDirectory(atPath: source)
                .map { URL(fileURLWithPath: source).appendingPathComponent($0).path }
                .filter { !isFolder($0) }
        }
        return Set(paths.map { URL(fileURLWithPath: $0).standardizedFileURL.path })
    }

    static func isFolder(_ path: String) -> Bool {
        var isFolder: ObjCBool = false
        return FileManager.default.fileExists(atPath: path, isDirectory: &isFolder) && isFolder.boolValue
    }
}

/// The files that have not been matched with an input yet, counted by digest.
private struct UnusedFiles {
    private var counts: [String: Int] = [:]

    mutating func add(_ digest: String?) {
        if let digest { counts[digest, default: 0] += 1 }
    }

    mutating func add(_ files: Self) { counts.merge(files.counts) { $0 + $1 } }

    /// Removes a file with a digest, and returns the digest; returns `nil` if no file with this digest is left.
    mutating func take(_ digest: String?) -> String? {
        guard let digest, let count = counts[digest] else { return nil }
        counts[digest] = count > 1 ? count - 1 : nil
        return digest
    }

    /// Removes any one of the files, and returns its digest; returns `nil` if no file is left.
    mutating func takeAny() -> String? { take(counts.keys.first) }
}

/// The result of `report verify`.
struct ReportComparison: Report {
    /// One input of the report.
    struct Line {
        /// The result of the comparison of an input.
        enum Verdict: String {
            /// The input has the digest in the report.
            case same
            /// The input has a different digest now, or changed while the report was made.
            case changed
            /// The input was not found.
            case missing
            /// The report has no digest of the input, the input's name is not unique, or the input is not a file and
            /// no source was given for it.
            case unknown
        }

        let name: String
        let verdict: Verdict
        /// Whether another input has the same name, and the files are compared by name.
        let isAmbiguous: Bool

        init(_ input: Evidence.Input, now: String?, isAmbiguous: Bool = false) {
            name = input.name
            self.isAmbiguous = isAmbiguous
            verdict =
                if isAmbiguous || input.sha256 == nil || !input.isFile && now == nil {
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
    /// Whether the files were found by their contents only, because the report does not contain their names.
    let isByContents: Bool

    var status: ExitStatus {
        if lines.contains(where: { $0.verdict == .changed }) { return .needsAttention }
        let isUnverified = lines.allSatisfy { $0.verdict == .unknown }
        return isUnverified || lines.contains { $0.verdict == .missing || $0.isAmbiguous }
            ? .unreadableInput : .success
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
        let missing = lines.filter { $0.verdict == .missing }
        let unknown = lines.count { $0.verdict == .unknown }
        return switch status {
        case .needsAttention: "The report no longer describes the files."
        case .unreadableInput where isByContents && !missing.isEmpty:
            "No file has the contents of \(missing[0].name)\(missing.count > 1 ? " and \(missing.count - 1) more" : "")."
        case .unreadableInput where !missing.isEmpty:
            "A file was not found; add the paths of the files to the command."
        case .unreadableInput where lines.contains(where: \.isAmbiguous):
            "Several inputs have the same name; add the paths of the files to the command."
        case .unreadableInput: "The report contains no digest that can be compared with a file."
        default:
            unknown == 0
                ? "The report describes the current files."
                : "\(unknown.counted("input")) cannot be compared; the report describes the other files."
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
