public import Foundation
@_spi(PushBridgeTools) public import PushBridgeCore
import PushBridgeInternals

/// The time, the tool's version, the options and the inputs of a report.
///
/// Contains no names of folders, hosts or users, and no values of options that may be secret.
public struct Evidence: Equatable, Sendable {
    /// A file or folder from which the report was made.
    public struct Input: Equatable, Sendable {
        /// The input's name, without its folder.
        public let name: String
        /// The SHA-256 of its contents in hexadecimal; `nil` for a stream, which can be read only once.
        public let sha256: String?
        /// Whether the input is a single file, which `report verify` can compare again.
        public let isFile: Bool

        /// Reads a file and computes its digest; the digest of a SQLite database includes the log.
        /// - Parameters:
        ///   - path: The path; `-` is standard input, which is not read.
        ///   - name: The name in the report; by default the file's name.
        public init(at path: String, named name: String? = nil) {
            let isStream = path == "-"
            self.name = name ?? (isStream ? "standard input" : URL(fileURLWithPath: path).lastPathComponent)
            sha256 = isStream ? nil : Self.digest(of: path)
            isFile = !isStream
        }

        /// Treats many files as one input, whose digest covers the names and digests of the files.
        /// - Parameters:
        ///   - paths: The paths.
        ///   - noun: The singular noun for a file, such as `store`.
        public init(all paths: [String], noun: String) {
            var digest = ContentDigest()
            for path in paths {
                let name = URL(fileURLWithPath: path).lastPathComponent
                digest.add(Data("\(Self.digest(of: path) ?? "unreadable")  \(name)\n".utf8))
            }
            (name, sha256, isFile) = ("\(paths.count) \(noun)s", digest.text, false)
        }

        /// Creates an input from contents that are not in a file.
        /// - Parameters:
        ///   - name: The name in the report.
        ///   - contents: The bytes.
        public init(_ name: String, contents: Data) {
            self.name = name
            var digest = ContentDigest()
            digest.add(contents)
            sha256 = digest.text
            isFile = false
        }

        init(name: String, sha256: String?, isFile: Bool) {
            (self.name, self.sha256, self.isFile) = (name, sha256, isFile)
        }

        /// Returns the digest of a file; `nil` if it is not a regular file, or cannot be read, which the command
        /// itself reports.
        private static func digest(of path: String) -> String? {
            let url = URL(fileURLWithPath: path).resolvingSymlinksInPath()
            var digest = ContentDigest()
            do {
                try add(url, to: &digest)
                // The newest records of a database may exist only in its log.
                let log = URL(fileURLWithPath: "\(url.path)-wal")
                if FileManager.default.fileExists(atPath: log.path) { try add(log, to: &digest) }
                return digest.text
            } catch {
                return nil
            }
        }

        private static func add(_ file: URL, to digest: inout ContentDigest) throws {
            let type =
                try FileManager.default.attributesOfItem(atPath: file.path)[.type] as? FileAttributeType
            guard type == .typeRegular else { throw CocoaError(.fileReadUnknown) }
            let reader = try FileHandle(forReadingFrom: file)
            while let part = try reader.read(upToCount: 1 << 20), !part.isEmpty { digest.add(part) }
            try reader.close()
        }
    }

    /// The time at which the report was made, to the second.
    public let date: Date
    /// The name and version of the tool.
    public let tool: String
    /// The arguments of the command.
    ///
    /// Paths have no folders, and `…` replaces values that may be secret or personal.
    public let options: [String]
    /// The files and folders from which the report was made.
    public let inputs: [Input]
    /// The kinds of personal data in the report; empty if it contains none.
    public let personalData: [String]

    /// Describes a report of the current process.
    /// - Parameters:
    ///   - inputs: The files and folders from which the report is made.
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
    /// For an executable that is a single command, its name identifies the command.
    /// - Parameter process: The arguments of the process, including the path of the executable.
    /// - Returns: The command, followed by its arguments.
    public static func arguments(of process: [String]) -> [String] {
        let name = process.first.map { URL(fileURLWithPath: $0).lastPathComponent }
        let commands = ["pushbridge-audit": "audit", "pushbridge-fleet": "fleet"]
        return (name.flatMap { commands[$0] }.map { [$0] } ?? []) + process.dropFirst()
    }

    /// The options whose values may be secret or personal.
    private static let hidden: Set<String> = [
        "--session", "--code", "--push", "--control", "--user", "--device-token",
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

    /// The evidence as JSON.
    public var json: JSONValue {
        [
            "date": .string(date.formatted(.iso8601)), "tool": .string(tool),
            "options": .array(options.map(JSONValue.string)),
            "inputs": .array(
                inputs.map {
                    ["name": .string($0.name), "digest": .optional($0.sha256), "isFile": .bool($0.isFile)]
                }
            ),
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
        self.inputs = inputs.compactMap { input in
            guard case .string(let name)? = input["name"] else { return nil }
            let digest: String? = if case .string(let text)? = input["digest"] { text } else { nil }
            return Input(name: name, sha256: digest, isFile: input["isFile"] == .bool(true))
        }
    }
}

extension Evidence {
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
        let content: JSONValue = [
            "made": .string(json.text), "date": .string(date.formatted(.iso8601)), "tool": .string(tool),
            "options": .string(options.joined(separator: " ")),
            "inputs": .array(
                inputs.map { ["name": .string($0.name), "digest": .string($0.sha256 ?? "not computed")] }
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
    /// - Returns: `true` if the file begins in this way; `false` also if the file cannot be read.
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
