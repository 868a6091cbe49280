import CredentialMigration
import Foundation
import LegacyFiles

let folder = URL(fileURLWithPath: "Migration")
let legacy = folder.appendingPathComponent("legacy.sqlite")
let database = folder.appendingPathComponent("credentials.db").path

let store = try SQLiteCredentialStore(
    path: database,
    key: KeyFile(path: "\(database).key"),
    mode: .create
)
let migration = CredentialMigration(from: .file(legacy), to: store)

let plan = try migration.plan()
for record in plan.records {
    print(record.kind, record.key, record.result.outcome, record.result.reason ?? "")
}

let receipt = try migration.apply(plan)
for record in receipt.records where !record.isRetirable {
    print("stays:", record.key, record.result.reason ?? "")
}

let backup = folder.appendingPathComponent("backup.sqlite")
try migration.retire(receipt, backup: backup)
print(receipt.isComplete ? "All records are proven and removed." : "Some records remain.")
