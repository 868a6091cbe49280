public import Foundation
import PushBridgeCore

extension Scenario {
    /// Reads one scenario, or a list of them, from JSON; see ``Scenario`` for its form.
    ///
    /// Throws ``ParityError`` that says what is wrong and where. A member that is not known is refused, so that a
    /// slip of the pen does not pass for a scenario that shows nothing.
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
                throw ParityError(code: .unreadable, reason: "There is no scenario in it.")
            }
            return scenarios
        } catch let error as ParityError {
            throw ParityError(code: error.code, reason: "\(name): \(error.reason)")
        } catch let error as DecodingError {
            throw ParityError(code: .unreadable, reason: "\(name): \(error.sentence)")
        } catch {
            throw ParityError(code: .unreadable, reason: "\(name) is no scenario: \(error)")
        }
    }

    /// Reads a file of scenarios.
    public static func list(contentsOf file: URL) throws(ParityError) -> [Scenario] {
        let json: Data
        do {
            json = try Data(contentsOf: file)
        } catch {
            throw ParityError(code: .unreadable, reason: "\(file.path) cannot be read.")
        }
        return try list(json: json, name: file.lastPathComponent)
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
    /// The path of a member that `known` does not have; null stands for an absent one.
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
            "A value is of the wrong kind\(Self.place(context))."
        case .keyNotFound(let key, let context): "\(key.stringValue) is missing\(Self.place(context))."
        case .dataCorrupted(let context):
            "\(context.debugDescription.trimmingCharacters(in: ["."]))\(Self.place(context))."
        @unknown default: "It is no scenario."
        }
    }

    /// Where it is, as the end of a sentence; nothing for the document itself.
    private static func place(_ context: Context) -> String {
        guard !context.codingPath.isEmpty else { return "" }
        return context.codingPath.reduce(into: ", at ") { place, key in
            place += key.intValue.map { "[\($0)]" } ?? (place.hasSuffix(" ") ? "" : ".") + key.stringValue
        }
    }
}

extension Scenario {
    /// Refuses what nobody means: a scenario without steps, and names that no step before has given.
    ///
    /// A step about a name that nothing has would be skipped on both sides, and pass for one that shows no difference.
    func validate() throws(ParityError) {
        guard !steps.isEmpty else { throw ParityError(code: .invalidStep, reason: "There are no steps.") }
        if let kept = settings.keptNotifications, kept < 0 {
            throw ParityError(code: .invalidStep, reason: "keptNotifications is negative.")
        }
        var (credentials, pushes): (Set<String>, Set<String>) = ([], [])
        for (index, step) in steps.enumerated() {
            let unknown =
                step.credentialsNamed.first { !credentials.contains($0) }.map { "credential \($0)" }
                ?? step.pushesNamed.first { !pushes.contains($0) }.map { "push \($0)" }
            if let unknown {
                let place = "Step \(index + 1), \(step.verb.rawValue)"
                throw ParityError(
                    code: .invalidStep,
                    reason: "\(place): no step before it makes a \(unknown)."
                )
            }
            credentials.formUnion(step.credentialsMade)
            pushes.formUnion(step.pushesMade)
        }
    }
}

extension Step {
    fileprivate var credentialsMade: [String] {
        switch self {
        case .enrol(let enrol): [enrol.credential]
        case .migrate(let migrate): [migrate.credential]
        default: []
        }
    }

    fileprivate var pushesMade: [String] {
        switch self {
        case .receive(let receive): [receive.push]
        case .migrate(let migrate): [migrate.push].compactMap(\.self)
        default: []
        }
    }

    fileprivate var credentialsNamed: [String] {
        switch self {
        case .token(let token): [token.credential].compactMap(\.self)
        case .enrol(let enrol): [enrol.again].compactMap(\.self)
        case .receive(let receive): [receive.credential]
        case .fault(let fault): [fault.credential].compactMap(\.self)
        case .forget(let name), .enrolElsewhere(let name), .unlock(let name), .deleteCredential(let name),
            .deleteAccount(let name),
            .code(let name):
            [name.credential]
        case .lock(let lock): [lock.credential]
        case .rename(let rename): [rename.credential]
        default: []
        }
    }

    fileprivate var pushesNamed: [String] {
        switch self {
        case .receive(let receive): [receive.messageIdOf].compactMap(\.self)
        case .receiveAgain(let push), .deleteNotification(let push): [push.push]
        case .answer(let answer): [answer.push]
        default: []
        }
    }
}
