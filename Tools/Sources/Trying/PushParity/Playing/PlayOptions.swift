package import CredentialMigration
package import Foundation

/// The options of a player: the folder of a scenario's files, and closures that receive progress.
package struct PlayOptions: Sendable {
    /// The folder of the files that steps name; `nil` if steps must not name files.
    package var folder: URL?
    /// Called on any thread with the progress of the migration of a legacy store in a file.
    package var progress: @Sendable (MigrationProgress) -> Void = { _ in }
    /// Called with the outcome of each record of such a store, once for each side.
    package var migrated: @Sendable (MigrationReceipt) -> Void = { _ in }

    package init(folder: URL? = nil) { self.folder = folder }

    /// Returns the URL of a file that a step names.
    ///
    /// Only plain file names are allowed, so that a foreign scenario cannot read other files.
    package func file(_ name: String) throws -> URL {
        guard let folder, !name.isEmpty, !name.contains("/"), !name.hasPrefix(".") else {
            let reason = "\(name) cannot be read: a step may name only files in the folder of its scenario."
            throw ParityError(code: .invalidStep, reason: reason)
        }
        return folder.appendingPathComponent(name)
    }
}
