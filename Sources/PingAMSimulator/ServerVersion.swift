import Foundation
public import PushBridgeCore

// To add a version, add a case with its `releases`, and a property for each change of behaviour. If devices see no
// difference from an earlier version, it suffices to add the number to the `releases` of that version. In both cases,
// also add:
//
// - the number and the changes of behaviour, to `Tests/ServerFixtures/make_golden.py`; run the script, which writes
//   `golden.json`
// - a switch for each behaviour that is only inferred, to `ServerAlternative.swift`
// - the differences that clients notice, to `PushParity/Comparing/VersionDivergence.swift`; then run
//   `Scripts/checks/document-tables`; if clients notice no difference, add a sentence to `docs/server-versions.md`
// - the checks of codes and pushes, to `Conformance/FormCheck.swift`, and the checks of answers, to
//   `ConformanceCheck+Responses.swift`
// - the version, to the tables in `VersionTests` and `ConformTests`, whose tests fail without it, and to the texts in
//   `ConformMatrixTests`
// - the behaviour of the version, to `Scripts/checks/library/client.py`
// - the source of this behaviour, to the article `Server-behaviour`
// - the version, to the documents that `VersionTests` and `ScenarioGuideTests` check, among them CHANGELOG
// - the line that `Scripts/checks/api` prints, to `Scripts/checks/api.allowed`

/// A version of PingAM.
///
/// Versions that behave in the same way for devices may share a case. Later releases of PushBridge may add
/// cases.
public enum ServerVersion: String, CaseIterable, Codable, Comparable, Sendable {
    /// AM 6.5: modules create all codes, and the tokens in pushes contain only the data that an answer requires.
    case v6_5 = "6.5"
    /// AM 7.0 and 7.1: nodes create codes.
    case v7_1 = "7.1"
    /// AM 7.2: the tokens in pushes contain the text to show, a type, numbers, a payload and a context.
    case v7_2 = "7.2"
    /// AM 7.3 and 7.4: the server has combined codes, and a category for each type of push.
    case v7_3 = "7.3"
    /// AM 7.5.
    case v7_5 = "7.5"
    /// AM 8.0.0.
    case v8_0_0 = "8.0.0"
    /// AM 8.0.1 and 8.0.2: codes and pushes contain the user's name, and a device may send a new token.
    case v8_0_2 = "8.0.2"
    /// AM 8.1.0: the approval of a challenge with a wrong number is rejected with 400, and profiles can be updated.
    ///
    /// The behaviour of this version was inferred from changes in both client SDKs and from the server's
    /// reference, not from the server's source.
    case v8_1_0 = "8.1.0"

    /// The releases that behave like this version, oldest first.
    ///
    /// One of these releases has the version's number.
    public var releases: [String] {
        switch self {
        case .v7_1: ["7.0", "7.1"]
        case .v7_3: ["7.3", "7.4"]
        case .v8_0_2: ["8.0.1", "8.0.2"]
        case .v6_5, .v7_2, .v7_5, .v8_0_0, .v8_1_0: [rawValue]
        }
    }

    /// Creates the version that behaves like a release; `nil` for an unknown release.
    /// - Parameter number: The number of one of the ``releases``, for example `8.0.1`. A final `.0` may
    ///   be added or left out.
    public init?(number: String) {
        let found = Self.allCases.first { version in
            version.releases.contains { $0 == number || "\($0).0" == number || $0 == "\(number).0" }
        }
        guard let found else { return nil }
        self = found
    }

    /// Returns whether a version is earlier than another.
    public static func < (lhs: ServerVersion, rhs: ServerVersion) -> Bool {
        (allCases.firstIndex(of: lhs) ?? 0) < (allCases.firstIndex(of: rhs) ?? 0)
    }

    /// Whether a device may send a new token; versions before 8.0.1 respond with 501.
    public var takesNewTokens: Bool { self >= .v8_0_2 }
    /// Whether the server responds with 400 if a challenge is approved with a wrong number.
    ///
    /// Earlier versions respond with 200 and deny the login.
    public var refusesWrongNumbers: Bool { self >= .v8_1_0 }
    /// Whether the owner of a device's profile may change the device's name; earlier versions respond with 501.
    public var updatesProfiles: Bool { self >= .v8_1_0 }
    /// Whether codes and pushes contain the user's name.
    var namesUser: Bool { self >= .v8_0_2 }
    /// Whether pushes contain a category and a date; a node's pushes then also contain a text, a type and other data.
    var hasRichPushes: Bool { self >= .v7_2 }
    /// Whether the version has combined codes for push and one-time passwords.
    public var hasCombinedCodes: Bool { self >= .v7_3 }
}

/// The part of PingAM that creates codes and sends pushes.
public enum PushSender: String, CaseIterable, Codable, Sendable {
    /// A node of an authentication tree, whose messages are kept in the token store.
    case node
    /// An authentication module of a chain, whose messages are kept in the memory of the server that sent them.
    case module
}

extension ServiceSettings {
    /// Whether the tokens in pushes contain the text to show, a type, numbers, a payload and a context.
    var hasRichPushes: Bool { sender == .node && version.hasRichPushes }
    /// Whether a module creates the codes.
    ///
    /// AM 6.5 has no node that creates codes.
    var makesModuleCodes: Bool { sender == .module || version < .v7_1 }
    /// Whether the login page has its own time-out, in addition to the message's lifetime.
    var hasPageTimeout: Bool { sender == .node && version >= .v7_3 }

    /// Whether a profile contains the date when its device last approved a login at a node.
    var keepsLastAccess: Bool { sender == .node && version >= .v8_0_0 }
    /// The number of seconds for which a registration page waits.
    ///
    /// The page of a module has no separate time-out.
    var pageLifetime: TimeInterval { makesModuleCodes ? messageLifetime : registrationPatience }
    /// The size of a challenge in bytes.
    var challengeSize: Int { has(.shortChallenges) ? 16 : 32 }
    /// The default colour of codes.
    var colour: String { makesModuleCodes ? "519387" : "032b75" }

    /// Returns the members of `aps` in the server's order.
    func aps(_ type: PushType, text: String, messageId: String, token: String) -> OrderedObject {
        var aps: OrderedObject = [("alert", .string(text)), ("sound", "default")]
        if version.hasRichPushes {
            aps.append(("category", .string(category(of: type))))
            aps.append(("interruption-level", "time-sensitive"))
        }
        aps.append(("messageId", .string(messageId)))
        aps.append(("data", .string(token)))
        aps.append(("content-available", version < .v7_3 ? "1" : 1))
        if version >= .v7_3 { aps.append(("mutable-content", 1)) }
        return aps
    }

    private func category(of type: PushType) -> String {
        guard sender == .node, version >= .v7_3 else { return "authentication" }
        return switch type {
        case .default: "authentication"
        case .challenge: "authentication_challenge"
        case .biometric: "authentication_biometric"
        }
    }
}

/// The members of a JSON object in the order in which the server writes them.
typealias OrderedObject = [(name: String, value: JSONValue)]

extension OrderedObject {
    /// Returns the object as JSON text, with or without spaces.
    func text(isCompact: Bool) -> String {
        let blank = isCompact ? "" : " "
        let members = map {
            "\(JSONValue.string($0.name).text):\(blank)\($0.value.text(isCompact: isCompact))"
        }
        return "{\(members.text(isCompact: isCompact))}"
    }

    /// The members as a JSON object, which has no order.
    var json: JSONValue { .object(Dictionary(map { ($0.name, $0.value) }) { _, last in last }) }
}

extension ServiceSettings {
    /// An empty object in the server's format.
    var nothing: String { has(.compactNothing) ? "{}" : "{  }" }

    /// Returns a payload or a context in the server's format.
    ///
    /// The members are sorted by name.
    @_spi(PushBridgeTools) public func text(of value: JSONValue) -> String {
        value == [:] ? nothing : value.text(isCompact: has(.compactPayloads))
    }
}

extension JSONValue {
    /// Returns the value as JSON text, with or without spaces inside brackets and after colons and commas.
    fileprivate func text(isCompact: Bool) -> String {
        switch self {
        case .object(let members):
            members.sorted { $0.key < $1.key }.map { (name: $0.key, value: $0.value) }
                .text(isCompact: isCompact)
        case .array(let elements):
            "[\(elements.map { $0.text(isCompact: isCompact) }.text(isCompact: isCompact))]"
        default: text
        }
    }
}

extension [String] {
    /// Returns the elements, separated by commas, as they are written between brackets.
    fileprivate func text(isCompact: Bool) -> String {
        isCompact ? joined(separator: ",") : " \(joined(separator: ", ")) "
    }
}
