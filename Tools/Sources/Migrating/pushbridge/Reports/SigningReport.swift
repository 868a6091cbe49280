import CredentialMigration
import Foundation
import PushBridgeCommandLine
import PushBridgeCore
import PushBridgeMigrating

/// The report of `verify` on a single store.
struct SigningReport: Report {
    private static let listed = 40

    private let check: SigningCheck
    private let name: String

    init(_ check: SigningCheck, name: String) {
        self.check = check
        self.name = name
    }

    var status: ExitStatus { check.problems.isEmpty ? .success : .needsAttention }

    var text: String {
        "verify: \(name.visible) (\(check.container), \(check.credentials.counted("push credential")))\n\n\(table)\(verdict)\n"
    }

    func writeJSON(to write: @escaping (Data) throws -> Void) throws {
        let head: JSONValue = [
            "schema": 1, "command": "verify", "source": ["container": .string(check.container)],
            "pushCredentials": .integer(check.credentials), "unableToSign": .integer(check.problems.count),
        ]
        let lines = check.problems.lazy.map { problem -> JSONValue in
            [
                "key": .string(problem.key), "credentialId": .optional(problem.credentialId),
                "number": .string(problem.code.number), "reason": .string(problem.reason),
                "repairable": .bool(problem.isRepairable),
            ]
        }
        try JSONStream(write: write).document(head: head, array: "problems", of: lines)
    }

    private var verdict: String {
        switch check.problems.count {
        case 0 where check.credentials == 0: "The store contains no push credentials."
        case 0: "Every push credential can sign."
        case let count: "\(count.counted("push credential")) cannot sign."
        }
    }

    private var table: String {
        guard !check.problems.isEmpty else { return "" }
        var table = Table(("Credential", .left), ("Problem", .left))
        for problem in check.problems.prefix(Self.listed) {
            table.add(problem.credentialId ?? problem.key, problem.code.numbered(problem.reason))
        }
        let rest = check.problems.count - Self.listed
        return table.text + (rest > 0 ? "... and \(rest) more; see --json\n" : "") + "\n"
    }
}
