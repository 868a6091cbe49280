import Foundation
import PingAMSimulator
import PushBridgeCommandLine
import PushBridgeCore

/// The findings, and the versions that they fit.
struct ConformanceReport: Report {
    let checks: [Conformance.Check]
    let candidates: Set<Candidate>
    /// The checks that were skipped.
    let missing: Set<Conformance.Source>
    /// Whether it refused a request as PingAM's push service does.
    let isPushService: Bool

    /// Whether every answer is one that some version gives.
    var isConforming: Bool { checks.allSatisfy(\.isRight) && !candidates.isEmpty }

    var status: ExitStatus { isConforming ? .success : .needsAttention }

    /// The versions that fit, oldest first.
    var versions: [String] { Set(candidates.map(\.version)).sorted().map(\.rawValue) }
    /// The versions that fit, for a person.
    private var name: String {
        let left = Set(candidates.map(\.version))
        if left.isEmpty { return "no known version" }
        if left == Set(ServerVersion.allCases.filter(\.takesNewTokens)) { return "AM 8.0.1 or later" }
        return "AM \(versions.joined(separator: ", "))"
    }
    /// What may have made the code, and what may send pushes.
    var codes: [String] { Set(candidates.map(\.codes.rawValue)).sorted() }
    var pushes: [String] { Set(candidates.map(\.pushes.rawValue)).sorted() }

    /// The checks that would decide between the versions that are left, a sentence each.
    var hints: [String] {
        guard isPushService else {
            return ["This is no push service of PingAM; check --server and --realm."]
        }
        let left = Set(candidates.map(\.version))
        guard left.count > 1 else { return [] }
        func separates(_ isLater: (ServerVersion) -> Bool) -> Bool { Set(left.map(isLater)).count > 1 }
        var hints: [String] = []
        if missing.contains(.code), separates({ $0 >= .v7_1 }) || separates({ $0 >= .v7_3 }) {
            hints.append("A registration code of a node (--code) tells 6.5, 7.1 to 7.2, and 7.3 apart.")
        }
        if missing.contains(.push), separates({ $0 >= .v7_2 }) || separates({ $0 >= .v7_3 }) {
            hints.append("A push (--push) tells 7.1 and before, 7.2, and 7.3 and later apart.")
        }
        if missing.contains(.profile), pushes.contains("node"), separates({ $0 >= .v8_0_0 }) {
            hints.append("The profile of a device after a login (--session) tells 8.0.0 from those before.")
        }
        guard hints.isEmpty else { return hints }
        if left.allSatisfy(\.takesNewTokens) {
            return ["Only the answer to a challenge with a wrong number tells 8.1.0 from 8.0.1 and 8.0.2."]
        }
        if left.isSubset(of: [.v6_5, .v7_1]) {
            return ["6.5 and 7.1 do the same with a module; a code of a node would be one of 7.1."]
        }
        if left.contains(.v8_0_0) {
            let login = "a login by a node, with its --push and --session, tells 8.0.0"
            return ["7.3 to 8.0.0 do the same with a module; \(login)."]
        }
        return ["A device sees no difference between 7.3 and 7.5; only an administrator does."]
    }

    var text: String {
        var table = Table(("Check", .left), ("Expected", .left), ("Found", .left), ("", .left))
        for check in checks {
            table.add(check.check, check.expected, check.found, check.isRight ? "" : "differs")
        }
        let verdict = isPushService ? ["It resembles \(name)."] : []
        return "\(table.text)\n\((verdict + hints).joined(separator: "\n"))\n"
    }

    func writeJSON(to write: @escaping (Data) throws -> Void) throws {
        let report: JSONValue = [
            "schema": 2, "versions": .strings(versions), "codesOf": .strings(codes),
            "pushesOf": .strings(pushes), "hints": .strings(hints), "checks": .array(checks.map(\.json)),
        ]
        try write(Data(report.line.utf8))
    }
}

extension Conformance.Check {
    fileprivate var json: JSONValue {
        [
            "check": .string(check), "expected": .string(expected), "found": .string(found),
            "right": .bool(isRight),
        ]
    }
}
