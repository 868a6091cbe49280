public import Foundation
@_spi(PushBridgeTools) import PushBridgeCore

extension Scenario {
    /// Reads one scenario or a list of scenarios from JSON.
    ///
    /// ``Scenario`` describes the format.
    ///
    /// Throws ``ParityError``, which states the mistake and its place. Unknown members are rejected, because
    /// a misspelt member could otherwise change the scenario unnoticed.
    public static func list(json: Data, name: String) throws(ParityError) -> [Scenario] {
        do {
            let decoder = JSONDecoder()
            let isList = json.first { !" \n\r\t".utf8.contains($0) } == UInt8(ascii: "[")
            let scenarios =
                isList
                ? try decoder.decode([Scenario].self, from: json)
                : [try decoder.decode(Scenario.self, from: json)]
            try refuseUnknownMembers(of: scenarios, in: json, isList: isList)
            if scenarios.isEmpty {
                throw ParityError(code: .unreadable, reason: "The list contains no scenario.")
            }
            return scenarios
        } catch let error as ParityError {
            throw ParityError(code: error.code, reason: "\(name): \(error.reason)")
        } catch let error as DecodingError {
            let syntax = JSONFault(in: json).map { "\($0.words): This is not valid JSON." }
            throw ParityError(code: .unreadable, reason: "\(name): \(syntax ?? error.sentence)")
        } catch {
            throw ParityError(code: .unreadable, reason: "\(name) is not a scenario: \(error)")
        }
    }

    /// Reads a file of scenarios.
    public static func list(contentsOf file: URL) throws(ParityError) -> [Scenario] {
        let json: Data
        do {
            json = try Data(contentsOf: file)
        } catch {
            let isThere = FileManager.default.fileExists(atPath: file.path)
            let reason =
                isThere ? "\(file.relativePath) cannot be read." : "There is no file \(file.relativePath)."
            throw ParityError(code: .unreadable, reason: reason)
        }
        return try list(json: json, name: file.lastPathComponent).map { scenario in
            var scenario = scenario
            scenario.folder = file.deletingLastPathComponent()
            return scenario
        }
    }

    private static func refuseUnknownMembers(of scenarios: [Scenario], in json: Data, isList: Bool) throws {
        let encoder = JSONEncoder()
        let known = isList ? try encoder.encode(scenarios) : try encoder.encode(scenarios.first)
        guard let written = JSONValue(json: json), let known = JSONValue(json: known) else { return }
        if let path = written.firstMember(absentFrom: known) {
            throw ParityError(code: .unreadable, reason: "The member \(path) is not known.")
        }
    }
}

extension JSONValue {
    /// Returns the path of the first member that `known` does not contain; `nil` if there is none.
    ///
    /// Members whose value is null are skipped.
    fileprivate func firstMember(absentFrom known: JSONValue, at path: String = "") -> String? {
        switch (self, known) {
        case (.object(let members), .object(let others)):
            for (name, value) in members.sorted(by: { $0.key < $1.key }) where value != .null {
                let place = path.isEmpty ? name : "\(path).\(name)"
                guard let other = others[name] else { return place }
                if let absent = value.firstMember(absentFrom: other, at: place) { return absent }
            }
        case (.array(let elements), .array(let others)):
            for (index, pair) in zip(elements, others).enumerated() {
                let place = "\(path)[\(index)]"
                if let absent = pair.0.firstMember(absentFrom: pair.1, at: place) { return absent }
            }
        default: break
        }
        return nil
    }
}

extension DecodingError {
    fileprivate var sentence: String {
        switch self {
        case .typeMismatch(_, let context), .valueNotFound(_, let context):
            "A value is of the wrong type\(Self.path(context))."
        case .keyNotFound(let key, let context):
            "The member \"\(key.stringValue)\" is missing\(Self.path(context))."
        case .dataCorrupted(let context):
            "\(context.debugDescription.trimmingCharacters(in: ["."]))\(Self.path(context))."
        @unknown default: "The JSON is not a scenario."
        }
    }

    /// Returns the place of the error as the end of a sentence; empty for the document itself.
    private static func path(_ context: Context) -> String {
        guard !context.codingPath.isEmpty else { return "" }
        return context.codingPath.reduce(into: ", at ") { place, key in
            place += key.intValue.map { "[\($0)]" } ?? (place.hasSuffix(" ") ? "" : ".") + key.stringValue
        }
    }
}

extension Scenario {
    /// The maximum number of steps.
    ///
    /// A maximum is necessary because all events of each step are stored.
    private static let mostSteps = 10_000

    /// The range in seconds within which steps may move the clock.
    ///
    /// The clock starts in 2023. In this range, the clock stays in the years 1970 to 5000.
    private static let clock = -1_699_000_000.0...93_917_000_000.0

    /// Rejects scenarios that cannot be played, for example because they have no steps, or because a step uses a
    /// name that no earlier step defines.
    ///
    /// If a name is unknown, both sides would skip the step, and the scenario would seem to show no difference.
    package func validate() throws(ParityError) {
        guard !steps.isEmpty else {
            throw ParityError(code: .invalidStep, reason: "The scenario has no steps.")
        }
        guard steps.count <= Self.mostSteps else {
            let reason = "The scenario has \(steps.count) steps; the maximum is \(Self.mostSteps)."
            throw ParityError(code: .invalidStep, reason: reason)
        }
        if let kept = settings.keptNotifications, kept < 0 {
            throw ParityError(
                code: .invalidStep,
                reason: "The setting keptNotifications must not be negative."
            )
        }
        var (credentials, pushes): (Set<String>, Set<String>) = ([], [])
        var stores: Set<String> = []
        var elapsed = 0.0
        for (index, step) in steps.enumerated() {
            let (made, members) = (step.made, step.members)
            let unknown =
                Step.unknown(
                    ["credential", "again"].compactMap { members[$0] },
                    made: made.credential,
                    known: credentials,
                    in: stores
                )
                .map { "credential \($0)" }
                ?? Step.unknown(
                    ["push", "messageIdOf"].compactMap { members[$0] },
                    made: made.push,
                    known: pushes
                )
                .map { "push \($0)" }
            if let unknown {
                let place = "Step \(index + 1), \(step.verb.rawValue)"
                throw ParityError(
                    code: .invalidStep,
                    reason: "\(place): no earlier step creates the \(unknown)."
                )
            }
            if case .fault(let fault) = step.content, let times = fault.times, times < 1 {
                let reason = "Step \(index + 1), fault: times must be at least 1, not \(times)."
                throw ParityError(code: .invalidStep, reason: reason)
            }
            if case .advance(let seconds) = step.content {
                elapsed += seconds
                guard Self.clock.contains(elapsed) else {
                    let reason = "Step \(index + 1), advance: the clock would leave the years 1970 to 5000."
                    throw ParityError(code: .invalidStep, reason: reason)
                }
            }
            if let credential = made.credential { credentials.insert(credential) }
            if case .migrate(let migrate) = step.content, migrate.file != nil {
                stores.insert(migrate.credential)
            }
            if let push = made.push { pushes.insert(push) }
        }
    }
}

extension Step {
    /// The members of the step in a file, except `do`.
    package var members: [String: JSONValue] {
        do {
            let json = JSONValue(json: try JSONEncoder().encode(self))
            guard case .object(var members)? = json else { return [:] }
            members["do"] = nil
            return members
        } catch {
            return [:]
        }
    }

    /// The names that the step defines for later steps.
    ///
    /// A step can define the name of a credential, of a push, or of both.
    package var made: (credential: String?, push: String?) {
        switch content {
        case .enrol(let enrol): (enrol.credential, nil)
        case .receive(let receive): (nil, receive.push)
        case .migrate(let migrate): (migrate.credential, migrate.push)
        default: (nil, nil)
        }
    }

    /// Returns the first of these values that is neither a known name nor the name that the step defines; `nil` if
    /// there is no such value.
    ///
    /// The number of credentials in a legacy store is unknown until the file is read. Until then, every possible name
    /// counts as known.
    fileprivate static func unknown(
        _ values: [JSONValue],
        made: String?,
        known: Set<String>,
        in stores: Set<String> = []
    ) -> String? {
        values.lazy.compactMap { value in
            guard case .string(let name) = value, name != made, !known.contains(name) else { return nil }
            let parts = name.split(separator: "-")
            let isNumbered = parts.last.map { $0.allSatisfy(\.isNumber) } ?? false
            return isNumbered && stores.contains(parts.dropLast().joined(separator: "-")) ? nil : name
        }
        .first
    }
}
