public import Foundation
@_spi(PushBridgeTools) public import PushBridgeCore
import PushBridgeInternals

/// When, by which version, with which options and from which contents a report was made.
///
/// Names no folder, host or user, and no value of an option that may be secret.
public struct Evidence: Equatable, Sendable {
    /// A file or folder that was read.
    public struct Input: Equatable, Sendable {
        /// Its name without the folder.
        public let name: String
        /// The SHA-256 of its contents in hexadecimal; `nil` for a stream, which can be read only once.
        public let sha256: String?
        /// Whether it is one file, which can be compared again.
        public let isFile: Bool

        /// Reads a file and computes the digest; that of a SQLite database includes its log.
        /// - Parameters:
        ///   - path: The path; `-` is standard input, which is not read.
        ///   - name: The name to report in place of the file's own.
        public init(at path: String, named name: String? = nil) {
            let isStream = path == "-"
            self.name = name ?? (isStream ? "standard input" : URL(fileURLWithPath: path).lastPathComponent)
            sha256 = isStream ? nil : Self.digest(of: path)
            isFile = !isStream
        }

        /// Reads many files as one input, whose digest covers their names and digests.
        /// - Parameters:
        ///   - paths: The paths.
        ///   - noun: The singular noun for one of them.
        public init(all paths: [String], noun: String) {
            var digest = ContentDigest()
            for path in paths {
                let name = URL(fileURLWithPath: path).lastPathComponent
                digest.add(Data("\(Self.digest(of: path) ?? "unreadable")  \(name)\n".utf8))
            }
            (name, sha256, isFile) = ("\(paths.count) \(noun)s", digest.text, false)
        }

        /// The contents of something that is no file.
        /// - Parameters:
        ///   - name: Its name.
        ///   - contents: Its bytes.
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

        /// The digest of a file; `nil` if it cannot be read, which the command itself reports, or is no regular file.
        private static func digest(of path: String) -> String? {
            let url = URL(fileURLWithPath: path).resolvingSymlinksInPath()
            var digest = ContentDigest()
            do {
                try add(url, to: &digest)
                // The latest records of a database may be in its log alone.
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

    /// When the report was made, to the second.
    public let date: Date
    /// The name and version of the tool.
    public let tool: String
    /// The arguments of the command; paths without their folders, and `…` for values that may be secret or personal.
    public let options: [String]
    /// The inputs.
    public let inputs: [Input]
    /// The kinds of personal data in the report; empty if there are none.
    public let personalData: [String]

    /// Describes a report that is being made.
    /// - Parameters:
    ///   - inputs: The inputs.
    ///   - personalData: The kinds of personal data in the report.
    ///   - isRedacted: Whether names are replaced; then the options contain no text that may be one.
    ///   - date: The time.
    ///   - arguments: The arguments of the process, without its name.
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

    /// The command and its arguments: an executable beside `pushbridge` that is one command has its name from it.
    /// - Parameter process: The arguments of the process, with its path.
    /// - Returns: The command, then its arguments.
    public static func arguments(of process: [String]) -> [String] {
        let name = process.first.map { URL(fileURLWithPath: $0).lastPathComponent }
        let commands = ["pushbridge-audit": "audit", "pushbridge-fleet": "fleet"]
        return (name.flatMap { commands[$0] }.map { [$0] } ?? []) + process.dropFirst()
    }

    /// The options whose values may be secret or personal.
    private static let hidden: Set<String> = [
        "--session", "--code", "--push", "--control", "--user", "--device-token",
    ]

    /// The options with values from a list of words, which no redaction hides.
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

    /// The members as JSON.
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

    /// Reads what ``json`` wrote; `nil` if it is something else.
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
    /// A function that writes a JSON object with this evidence as its first member, `made`.
    /// - Parameter write: Receives the document in parts.
    /// - Returns: The function, which receives the document without it.
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

    /// The page with this evidence: for people at its end, for `report verify` in its head.
    /// - Parameter page: A page of ``PageTemplate``.
    /// - Returns: The page.
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

    /// The evidence in a report, a page or JSON; `nil` if it has none.
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

    /// Whether a file begins as a report with evidence does.
    /// - Parameter path: The file.
    /// - Returns: `false` also for a file that cannot be read.
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
