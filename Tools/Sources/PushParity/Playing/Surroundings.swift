package import CredentialMigration
package import Foundation

/// The demands of a scenario on the machine that plays it.
package struct Surroundings: Sendable {
    /// Where the files lie that steps name; `nil` where steps may name none.
    package var folder: URL?
    /// Called with the progress of the migration of a legacy store in a file, on any thread.
    package var progress: @Sendable (MigrationProgress) -> Void = { _ in }
    /// Called with what became of each record of such a store, side by side in turn.
    package var migrated: @Sendable (MigrationReceipt) -> Void = { _ in }

    package init(folder: URL? = nil) { self.folder = folder }

    /// The place of a file that a step names; a name only, so that a scenario of somebody else reads nothing else.
    package func file(_ name: String) throws -> URL {
        guard let folder, !name.isEmpty, !name.contains("/"), !name.hasPrefix(".") else {
            let reason = "\(name) cannot be read: a step names a file that lies beside its scenario."
            throw ParityError(code: .invalidStep, reason: reason)
        }
        return folder.appendingPathComponent(name)
    }
}
