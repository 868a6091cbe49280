public import Foundation
@_spi(PushBridgeTools) public import PushBridgeCore
import PushBridgeInternals

/// The time, the tool's version, the options and the inputs of a report.
///
/// The evidence contains no paths of folders, no name of this machine or of its user, and no values of options
/// that may be secret.
public struct Evidence: Equatable, Sendable {
    /// An input from which the report was made: a file, several files, or standard input.
    public struct Input: Equatable, Sendable {
        /// The input's name, without its folder.
        public let name: String
        /// The SHA-256 of the input's contents in hexadecimal.
        ///
        /// `nil` for the path `-`, which means standard input, and for a path that is not a regular file or cannot be
        /// read.
        public let sha256: String?
        /// Whether the input is a single file, which `report verify` can compare again.
        public let isFile: Bool
        /// The files of an input that consists of many files; empty for other inputs.
        public private(set) var files: [Input] = []
        /// Whether the contents changed while the command read them.
        public private(set) var isChanged = false
        /// Whether a page omits the list of the files.
        public private(set) var omitsFiles = false
        /// The path of the file whose digest can be computed again; `nil` if there is no such file.
        private var path: String?

        /// Reads a file and computes its digest; the digest of a SQLite database includes the log.
        ///
        /// ``Evidence/afterReading()`` computes the digest again, to find out whether the file changed.
        /// - Parameters:
        ///   - path: The path; `-` means standard input, which has no digest.
        ///   - name: The name in the report; by default the file's name.
        ///   - progress: Called with the number of bytes of each part that was read.
        public init(at path: String, named name: String? = nil, progress: (Int) -> Void = { _ in }) {
            let isStream = path == "-"
            self.name = name ?? (isStream ? "standard input" : URL(fileURLWithPath: path).lastPathComponent)
            sha256 = isStream ? nil : Self.digest(of: path, progress)
            isFile = !isStream
            self.path = isStream ? nil : path
        }

        /// Treats many files as one input.
        ///
        /// The input's digest is the digest of a list with one line for each file: the file's digest, two spaces and
        /// the file's name.
        /// - Parameters:
        ///   - paths: The paths.
        ///   - noun: The singular noun for a file, such as `store`.
        ///   - name: Returns the name that the report shows for the file at an index, which begins at 0; `nil` shows
        ///     the file's own name.
        ///   - progress: Called with the number of bytes of each part that was read.
        public init(
            all paths: [String],
            noun: String,
            named name: (Int) -> String? = { _ in nil },
            progress: (Int) -> Void = { _ in }
        ) {
            let files = paths.enumerated().map { Self(at: $1, named: name($0), progress: progress) }
            let lines = files.map { "\($0.sha256 ?? "unreadable")  \($0.name)\n" }
            self.init(paths.count.counted(noun), contents: Data(lines.joined().utf8))
            self.files = files
        }

        /// Creates an input from the bytes that were read.
        /// - Parameters:
        ///   - name: The name in the report.
        ///   - contents: The bytes.
        ///   - isFile: Whether the bytes are the contents of a file.
        public init(_ name: String, contents: Data, isFile: Bool = false) {
            self.name = name
            var digest = ContentDigest()
            digest.add(contents)
            sha256 = digest.text
            self.isFile = isFile
        }

        init(name: String, sha256: String?, isFile: Bool, isChanged: Bool = false, files: [Input] = []) {
            (self.name, self.sha256, self.isFile) = (name, sha256, isFile)
            (self.isChanged, self.files) = (isChanged, files)
        }

        /// Whether the input is a single file whose digest is known.
        public var isComparable: Bool { isFile && sha256 != nil }

        /// The files that `report verify` compares: the input itself, or its files.
        public var all: [Input] { files.isEmpty ? [self] : files }

        fileprivate func afterReading() -> Self {
            var input = self
            input.files = files.map { $0.afterReading() }
            if let path { input.isChanged = Self.digest(of: path) != sha256 }
            if input.files.contains(where: \.isChanged) { input.isChanged = true }
            input.path = nil
            return input
        }

        fileprivate func json(listsFiles: Bool) -> JSONValue {
            var members: [String: JSONValue] = [
                "name": .string(name), "digest": .optional(sha256), "isFile": .bool(isFile),
                "isChanged": .bool(isChanged),
            ]
            if !files.isEmpty, listsFiles {
                members["files"] = .array(
                    files.map {
                        [
                            "name": .string($0.name), "digest": .optional($0.sha256),
                            "isChanged": .bool($0.isChanged),
                        ]
                    }
                )
            } else if !files.isEmpty {
                members["omitsFiles"] = .bool(true)
            }
            return .object(members)
        }

        /// Decodes the JSON of an input, or of one of its files.
        fileprivate init?(_ json: JSONValue, isListed: Bool = false) {
            guard case .string(let name)? = json["name"] else { return nil }
            let digest: String? = if case .string(let text)? = json["digest"] { text } else { nil }
            let files: [JSONValue] = if case .array(let files)? = json["files"] { files } else { [] }
            self.init(
                name: name,
                sha256: digest,
                isFile: isListed || json["isFile"] == .bool(true),
                isChanged: json["isChanged"] == .bool(true),
                files: files.compactMap { Self($0, isListed: true) }
            )
            omitsFiles = json["omitsFiles"] == .bool(true)
        }

        /// Returns the digest of a file.
        ///
        /// Returns `nil` if the file is not a regular file or cannot be read. The command itself reports such a file.
        private static func digest(of path: String, _ progress: (Int) -> Void = { _ in }) -> String? {
            let url = URL(fileURLWithPath: path).resolvingSymlinksInPath()
            var digest = ContentDigest()
            do {
                try add(url, to: &digest, progress)
                // The newest records of a database may exist only in its log.
                let log = URL(fileURLWithPath: "\(url.path)-wal")
                if FileManager.default.fileExists(atPath: log.path) { try add(log, to: &digest, progress) }
                return digest.text
            } catch {
                return nil
            }
        }

        /// Returns how many bytes the digest of a file covers.
        ///
        /// - Parameter path: The path.
        /// - Returns: The size of the file and of the log beside it; 0 if the file does not exist.
        package static func size(at path: String) -> Int {
            let path = URL(fileURLWithPath: path).resolvingSymlinksInPath().path
            return [path, "\(path)-wal"].reduce(0) { size, path in
                let attributes = try? FileManager.default.attributesOfItem(atPath: path)
                return size + ((attributes?[.size] as? NSNumber)?.intValue ?? 0)
            }
        }

        /// Returns whether a path refers to a regular file, and not to a stream.
        /// - Parameter path: The path.
        /// - Returns: `true` for a regular file; `false` for anything else, and if the path does not exist.
        public static func isFile(at path: String) -> Bool {
            isRegular(URL(fileURLWithPath: path).resolvingSymlinksInPath())
        }

        private static func isRegular(_ file: URL) -> Bool {
            let attributes = try? FileManager.default.attributesOfItem(atPath: file.path)
            return attributes?[.type] as? FileAttributeType == .typeRegular
        }

        private static func add(
            _ file: URL,
            to digest: inout ContentDigest,
            _ progress: (Int) -> Void
        ) throws {
            guard isRegular(file) else { throw CocoaError(.fileReadUnknown) }
            let reader = try FileHandle(forReadingFrom: file)
            while let part = try reader.read(upToCount: 1 << 20), !part.isEmpty {
                digest.add(part)
                progress(part.count)
            }
            try reader.close()
        }
    }

    /// The time at which the report was made, to the second.
    public let date: Date
    /// The name and version of the tool.
    public let tool: String
    /// The arguments of the command, without folders, and with `…` in place of values that may be secret or personal.
    public let options: [String]
    /// The inputs from which the report was made.
    public private(set) var inputs: [Input]
    /// The kinds of personal data in the report; empty if it contains none.
    public let personalData: [String]

    /// Whether the report contains pseudonyms instead of the names of its files.
    public var isRedacted: Bool {
        options.contains { $0 == "--redact" || $0.hasPrefix("--redact-key") }
    }

    /// Describes a report of the current process.
    /// - Parameters:
    ///   - inputs: The inputs from which the report is made.
    ///   - personalData: The kinds of personal data in the report.
    ///   - isRedacted: Whether the report replaces names. If so, the options contain no value that may be a name.
    ///   - date: The time of the report.
    ///   - arguments: The arguments of the process, without the executable's name.
    public init(
        of inputs: [Input],
        personalData: [String] = [],
        isRedacted: Bool = false,
        at date: Date = Date(),
        arguments: [String] = Self.arguments(of: CommandLine.arguments)
    ) {
        self.date = Date(timeIntervalSince1970: date.timeIntervalSince1970.rounded(.down))
        tool = "pushbridge \(PackageVersion.current)"
        options = Self.shown(arguments, isRedacted: isRedacted)
        self.inputs = inputs
        self.personalData = personalData
    }

    /// Returns the command and its arguments.
    ///
    /// The executables `pushbridge-audit` and `pushbridge-fleet` each have one command, whose name this function adds.
    /// - Parameter process: The arguments of the process, including the path of the executable.
    /// - Returns: The command, followed by its arguments.
    public static func arguments(of process: [String]) -> [String] {
        let name = process.first.map { URL(fileURLWithPath: $0).lastPathComponent }
        let commands = ["pushbridge-audit": "audit", "pushbridge-fleet": "fleet"]
        return (name.flatMap { commands[$0] }.map { [$0] } ?? []) + process.dropFirst()
    }

    /// The options whose values may be secret or personal.
    private static let hidden: Set<String> = [
        "--session", "--code", "--push", "--control", "--user", "--device-token", "--documents",
    ]

    /// The options whose values are from a fixed list; redaction does not hide these values.
    private static let listed: Set<String> = ["--on-conflict", "--as", "--environment"]

    private static func shown(_ arguments: [String], isRedacted: Bool) -> [String] {
        var option: String?
        return arguments.enumerated().map { index, argument in
            let parts = argument.split(separator: "=", maxSplits: 1).map(String.init)
            guard argument.hasPrefix("--") else {
                defer { option = nil }
                let isCommand = index == 0
                return isCommand ? argument : value(argument, of: option, isRedacted)
            }
            option = argument
            guard parts.count == 2 else { return argument }
            return "\(parts[0])=\(value(parts[1], of: parts[0], isRedacted))"
        }
    }

    private static func value(_ text: String, of option: String?, _ isRedacted: Bool) -> String {
        if let option, hidden.contains(option) { return "…" }
        if isRedacted { return option.map(listed.contains) == true ? text : "…" }
        return text.contains("/") && !text.contains("://")
            ? URL(fileURLWithPath: text).lastPathComponent : text
    }

    /// Computes the digest of each file again, and warns about files that changed while the command read them.
    /// - Returns: The evidence, which marks these files.
    func afterReading() -> Self {
        var evidence = self
        evidence.inputs = inputs.map { $0.afterReading() }
        for (old, new) in zip(inputs, evidence.inputs) where new.isChanged && !old.isChanged {
            for input in new.all where input.isChanged {
                Terminal.warn("\(input.name) changed while it was read; the report may mix both states.")
            }
        }
        return evidence
    }

    /// The evidence as JSON.
    public var json: JSONValue { json(listsFiles: true) }

    private func json(listsFiles: Bool) -> JSONValue {
        [
            "date": .string(date.formatted(.iso8601)), "tool": .string(tool),
            "options": .array(options.map(JSONValue.string)),
            "inputs": .array(inputs.map { $0.json(listsFiles: listsFiles) }),
            "personalData": .array(personalData.map(JSONValue.string)),
        ]
    }

    /// Decodes the JSON of ``json``; returns `nil` for other JSON.
    init?(_ json: JSONValue) {
        guard case .string(let date)? = json["date"], let date = try? Date(date, strategy: .iso8601),
            case .string(let tool)? = json["tool"], case .array(let inputs)? = json["inputs"]
        else { return nil }
        func texts(_ value: JSONValue?) -> [String] {
            guard case .array(let elements)? = value else { return [] }
            return elements.compactMap { if case .string(let text) = $0 { text } else { nil } }
        }
        (self.date, self.tool) = (date, tool)
        options = texts(json["options"])
        personalData = texts(json["personalData"])
        self.inputs = inputs.compactMap { Input($0) }
    }
}

extension Evidence {
    /// If the evidence has more bytes, its page omits the list of files, so that the page stays smaller than 2 MB.
    private static let mostOnPage = 500_000

    /// Returns a function that adds this evidence to a JSON object, as its first member `made`.
    /// - Parameter write: Receives the document in parts.
    /// - Returns: A function that receives the parts of the document without the evidence.
    func inserted(into write: @escaping (Data) throws -> Void) -> (Data) throws -> Void {
        var isFirst = true
        return { part in
            guard isFirst, part.first == UInt8(ascii: "{") else { return try write(part) }
            isFirst = false
            let rest = part.dropFirst()
            let comma = rest.first == UInt8(ascii: "}") ? "" : ","
            try write(Data("{\"made\":\(json.text)\(comma)".utf8) + rest)
        }
    }

    /// Returns the page with this evidence: as text at its end, and as data for `report verify` in its head.
    /// - Parameter page: A page of ``PageTemplate``.
    /// - Returns: The page with the evidence.
    /// - Throws: ``CommandFailure`` if the template is invalid.
    func inserted(into page: String) throws -> String {
        let full = json.text
        let listsFiles = full.utf8.count <= Self.mostOnPage
        let content: JSONValue = [
            "made": .string(listsFiles ? full : json(listsFiles: false).text),
            "date": .string(date.formatted(.iso8601)), "tool": .string(tool),
            "options": .string(options.joined(separator: " ")),
            "inputs": .array(
                inputs.map { input in
                    let omits = !input.files.isEmpty && !listsFiles
                    return [
                        "name": .string(input.name), "digest": .string(input.sha256 ?? "not computed"),
                        "note": .string(
                            (input.isChanged ? "; changed while it was read" : "")
                                + (omits ? "; a JSON report has the digest of each file" : "")
                        ),
                    ]
                }
            ),
            "personalData": .string(
                personalData.isEmpty
                    ? "This report contains no personal data."
                    : "This report contains personal data: \(personalData.joined(separator: ", "))."
            ),
        ]
        return page.replacing(
            "<!--made-head-->",
            with: try PageTemplate.Part.madeHead.html(content),
            maxReplacements: 1
        )
        .replacing("<!--made-->", with: try PageTemplate.Part.made.html(content), maxReplacements: 1)
    }

    /// Reads the evidence from a report, in HTML or JSON; `nil` if it is missing or invalid.
    /// - Parameter report: The bytes of the report.
    public init?(in report: Data) {
        let text = String(decoding: report, as: UTF8.self)
        if let start = text.firstRange(of: "<meta name=\"pushbridge-made\" content=\""),
            let end = text[start.upperBound...].firstIndex(of: "\"")
        {
            var json = String(text[start.upperBound..<end])
            let entities = [("&quot;", "\""), ("&#39;", "'"), ("&lt;", "<"), ("&gt;", ">"), ("&amp;", "&")]
            for (entity, character) in entities { json = json.replacing(entity, with: character) }
            guard let value = JSONValue(json: Data(json.utf8)) else { return nil }
            self.init(value)
        } else {
            guard let made = JSONValue(json: report)?["made"] else { return nil }
            self.init(made)
        }
    }

    /// Returns whether a file begins like a report with evidence.
    /// - Parameter path: The path of the file.
    /// - Returns: `true` if the file begins in this way; `false` if it does not, or cannot be read.
    public static func isReport(at path: String) -> Bool {
        do {
            let reader = try FileHandle(forReadingFrom: URL(fileURLWithPath: path))
            let head = String(decoding: try reader.read(upToCount: 4096) ?? Data(), as: UTF8.self)
            try reader.close()
            return head.hasPrefix("{\"made\":") || head.contains("<meta name=\"pushbridge-made\"")
        } catch {
            return false
        }
    }
}
