import CredentialMigration
import Foundation
import LegacyFiles
import LegacyStore
import PushBridgeCore

/// A file that contains the accounts of a test phone.
///
/// The file is used for a rehearsal on the developer's machine.
enum PhoneFile {
    // guide: begin
    /// In a debug build: writes this phone's accounts, with secrets; returns the ids of unreadable records.
    static func writeAccounts(of store: any CredentialStore, to file: URL) throws -> [String] {
        let writer = try PropertyListStoreWriter(file)
        return try CredentialExport(of: store).write(to: writer).unreadable
    }
    // guide: end
}
