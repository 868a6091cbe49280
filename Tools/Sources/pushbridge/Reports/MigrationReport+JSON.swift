import CredentialMigration
import Foundation
import PushBridgeCore

extension MigrationReport {
    /// Writes the documented JSON.
    func writeJSON(to write: @escaping (Data) throws -> Void) throws {
        let head = Head(
            schema: 1,
            command: command,
            source: Head.Source(container: container, records: records.count),
            destination: destination,
            totals: totals.byName
        )
        try JSONStream(write: write).document(head: head, array: "records", of: records.lazy.map(Line.init))
    }

    private struct Head: Encodable {
        struct Source: Encodable {
            let container: String
            let records: Int
        }

        let schema: Int
        let command: String
        let source: Source
        let destination: String
        let totals: [String: Int]
    }

    /// One record; what is absent is an explicit null.
    private struct Line: Encodable {
        let record: MigrationRecord

        private enum CodingKeys: String, CodingKey {
            case kind, key, outcome, credentialId, verified, repaired, reason
        }

        func encode(to encoder: any Encoder) throws {
            var container = encoder.container(keyedBy: CodingKeys.self)
            try container.encode(record.kind, forKey: .kind)
            try container.encode(record.key, forKey: .key)
            try container.encode(record.result.outcome, forKey: .outcome)
            try container.encode(record.result.credentialId, forKey: .credentialId)
            try container.encode(record.result.isVerified, forKey: .verified)
            try container.encode(record.isRepaired, forKey: .repaired)
            try container.encode(record.result.reason, forKey: .reason)
        }
    }
}

extension MigrationTotals {
    /// Every outcome's count and the sum, by the names of the JSON.
    var byName: [String: Int] {
        var counts = ["records": records]
        for outcome in MigrationOutcome.allCases { counts[outcome.rawValue] = self[outcome] }
        return counts
    }
}
