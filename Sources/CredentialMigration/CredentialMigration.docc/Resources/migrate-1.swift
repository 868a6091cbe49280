import CredentialMigration
import Foundation
import LegacyFiles

let folder = URL(fileURLWithPath: "Migration")
let legacy = folder.appendingPathComponent("legacy.sqlite")
let database = folder.appendingPathComponent("credentials.db").path
