import Foundation
import PingAMSimulator
import PushBridgeCommandLine
import PushBridgeCore

/// The findings of `conform`, and the versions of PingAM that match them.
struct ConformanceReport: Report {
    /// A kind of check that distinguishes versions.
    enum Decider: CaseIterable {
        case code
        case push
        case profile
        case challenge
        case update
    }

    let findings: [Finding]
    let candidates: Set<ServerCandidate>
    /// The options with which the simulator produces the observed refusals.
    let forms: Set<ServerAlternative>
    /// A sentence for each skipped test, with the reason.
    let untried: [String]
    /// The checks that were completed.
    let settled: Set<Decider>
    /// Whether the service refused a request in the same way as PingAM's push service.
    let isPushService: Bool
    /// A sentence with the reason why the run ended early; `nil` if it did not end early.
    let interruption: String?

    /// The options with which the simulator reproduces the observations.
    var alternatives: [String] {
        forms.union(findings.compactMap(reading)).map(\.rawValue).sorted()
    }

    private func reading(of finding: Finding) -> ServerAlternative? {
        finding.check.reading(finding.found, among: candidates)
    }

    /// Whether some known version gives every observed response.
    var isConforming: Bool { findings.allSatisfy(\.isRight) && !candidates.isEmpty }

    var status: ExitStatus {
        if interruption != nil { return .tryAgain }
        return isConforming ? .success : .needsAttention
    }

    /// The verdict, as a sentence.
    private var verdict: String {
        guard !candidates.isEmpty else {
            return "The server resembles no known version: different checks match different versions."
        }
        let senders =
            candidates.pushes.count == 1
            ? " Pushes come from \(candidates.pushes == [.node] ? "nodes" : "modules")." : ""
        // No completed check distinguishes 8.0.1 from later versions, so all of them are named together.
        let isNewest = candidates.versions == ServerVersion.allCases.filter(\.takesNewTokens)
        let names = isNewest ? "8.0.1 or later" : candidates.versions.map(\.name).joined(separator: ", ")
        return "The server resembles AM \(names).\(senders)"
    }

    /// The command that starts a simulator with the same behaviour.
    ///
    /// The value is `nil` if no version matches, or if the simulator needs no option for the observations.
    private var simulation: String? {
        guard let version = candidates.versions.last, !alternatives.isEmpty else { return nil }
        let switches = alternatives.map { " --alternative \($0)" }.joined()
        let sender = candidates.pushes == [.module] ? " --sender module" : ""
        return
            "To simulate this server: pushbridge simulate --am-version \(version.rawValue)\(sender)\(switches)"
    }

    /// Sentences about the checks that would distinguish the remaining versions, or about the reason why none would.
    var hints: [String] {
        guard isPushService else {
            return ["This is not a push service of PingAM; check --server and --realm."]
        }
        if findings.contains(where: { !$0.isRight && $0.found == ConformanceCheck.noServiceWords }) {
            return ["The realm has no push service; check --realm."]
        }
        let left = candidates.versions
        guard left.count > 1 else { return [] }
        func separates(_ isLater: (ServerVersion) -> Bool) -> Bool { Set(left.map(isLater)).count > 1 }
        let mayBeNodes = candidates.pushes.contains(.node)
        var hints: [String] = []
        if !settled.contains(.code), separates({ $0 >= .v7_1 }) || separates({ $0 >= .v7_3 }) {
            hints.append(
                "A registration URI of a node (--code) distinguishes 6.5, versions 7.1 to 7.2, and later versions."
            )
        }
        if !settled.contains(.push), separates({ $0 >= .v7_2 }) || separates({ $0 >= .v7_3 }) {
            hints.append("A push (--push) distinguishes 7.2 from earlier and from later versions.")
        }
        if !settled.contains(.profile), mayBeNodes, separates({ $0 >= .v8_0_0 }) {
            hints.append(
                "The profile of a device (--session) distinguishes earlier versions from 8.0.0 and later ones, if the device has approved a login at a node."
            )
        }
        if !settled.contains(.challenge), mayBeNodes, separates(\.refusesWrongNumbers) {
            hints.append(
                "A challenge of a node, answered with a wrong number (--answer), distinguishes 8.1.0 from earlier versions."
            )
        }
        if !settled.contains(.update), separates(\.updatesProfiles) {
            hints.append(
                "The profile of a device enrolled in this run (--code and --session) distinguishes 8.1.0 from earlier versions."
            )
        }
        return hints.isEmpty ? [sameness(of: left)] : hints
    }

    /// Returns the reason why no check distinguishes these versions.
    private func sameness(of left: [ServerVersion]) -> String {
        if left.allSatisfy({ $0 < .v7_2 }) {
            return "6.5 and 7.1 behave the same with a module's code; only 7.1 has nodes that create codes."
        }
        if left.contains(.v8_0_0) {
            let login = "a login by a node, tested with --push and --session, distinguishes 8.0.0"
            return "7.3 to 8.0.0 behave the same with a module; \(login)."
        }
        let names = left.map(\.rawValue).joined(separator: " and ")
        return "A device cannot distinguish \(names); only an administrator can."
    }

    var text: String {
        var table = Table(("Check", .left), ("Found", .left), ("Leaves", .left), ("Expected", .left))
        for finding in findings {
            table.add(
                finding.check.name,
                reading(of: finding).map { "\(finding.found) (\($0.rawValue))" } ?? finding.found,
                finding.isRight ? finding.fitting.words : "differs",
                finding.check.expected
            )
        }
        let known = [verdict] + [simulation].compactMap(\.self)
        let lines = (isPushService ? known : []) + hints + skipped.map { "Not tried. \($0)" }
        return "\(table.text)\n\(lines.joined(separator: "\n"))\n"
    }

    /// The skipped tests.
    ///
    /// If the run ended early, the reason precedes the tests.
    private var skipped: [String] {
        isPushService ? [interruption.map { "The remaining tests. \($0)" }].compactMap(\.self) + untried : []
    }

    func writeJSON(to write: @escaping (Data) throws -> Void) throws {
        let report: JSONValue = [
            "schema": 2, "versions": .strings(candidates.versions.map(\.rawValue)),
            "codesOf": .strings(candidates.codes.map(\.rawValue).sorted()),
            "pushesOf": .strings(candidates.pushes.map(\.rawValue).sorted()), "hints": .strings(hints),
            "alternatives": .strings(alternatives), "untried": .strings(skipped),
            "checks": .array(findings.map(json)),
        ]
        try write(Data(report.line.utf8))
    }
}

extension ConformanceReport {
    fileprivate func json(of finding: Finding) -> JSONValue {
        [
            "check": .string(finding.check.name), "expected": .string(finding.check.expected),
            "found": .string(finding.found), "right": .bool(finding.isRight),
            "alternative": .optional(reading(of: finding)?.rawValue),
            "versions": .strings(finding.fitting.versions.map(\.rawValue)),
            "codesOf": .strings(finding.fitting.codes.map(\.rawValue).sorted()),
            "pushesOf": .strings(finding.fitting.pushes.map(\.rawValue).sorted()),
        ]
    }
}
