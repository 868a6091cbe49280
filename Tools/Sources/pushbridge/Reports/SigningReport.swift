import CredentialMigration
import Foundation

/// What `verify` says of one store alone.
struct SigningReport {
    private static let listed = 40

    private let check: SigningCheck
    private let name: String

    init(_ check: SigningCheck, name: String) {
        self.check = check
        self.name = name
    }

    /// The status to end with.
    var status: ExitStatus { check.problems.isEmpty ? .success : .needsAttention }

    /// The report for a terminal.
    var text: String {
        "verify: \(name) (\(check.container), \(check.credentials) push credentials)\n\n\(table)\(verdict)\n"
    }

    /// The report as JSON.
    func writeJSON() throws {
        let head = Head(
            source: Head.Source(container: check.container),
            pushCredentials: check.credentials,
            unableToSign: check.problems.count
        )
        try JSONStream().document(head: head, array: "problems", of: check.problems.lazy.map(Line.init))
    }

    private var verdict: String {
        switch check.problems.count {
        case 0: "Every push credential can sign."
        case 1: "1 push credential cannot sign."
        case let count: "\(count) push credentials cannot sign."
        }
    }

    private var table: String {
        guard !check.problems.isEmpty else { return "" }
        var table = Table(("Credential", .left), ("Problem", .left))
        for problem in check.problems.prefix(Self.listed) {
            table.add(problem.credentialId ?? problem.key, problem.reason)
        }
        let rest = check.problems.count - Self.listed
        return table.text + (rest > 0 ? "... and \(rest) more; see --json\n" : "") + "\n"
    }

    private struct Head: Encodable {
        struct Source: Encodable {
            let container: String
        }

        var schema = 1
        var command = "verify"
        let source: Source
        let pushCredentials: Int
        let unableToSign: Int
    }

    /// One problem; what is absent is an explicit null.
    private struct Line: Encodable {
        let problem: SigningCheck.Problem

        private enum CodingKeys: String, CodingKey {
            case key, credentialId, reason, repairable
        }

        func encode(to encoder: any Encoder) throws {
            var container = encoder.container(keyedBy: CodingKeys.self)
            try container.encode(problem.key, forKey: .key)
            try container.encode(problem.credentialId, forKey: .credentialId)
            try container.encode(problem.reason, forKey: .reason)
            try container.encode(problem.isRepairable, forKey: .repairable)
        }
    }
}
