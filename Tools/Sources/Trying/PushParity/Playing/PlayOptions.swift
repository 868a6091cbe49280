package import CredentialMigration
package import Foundation

/// The folder of a scenario's files, and the closures that a player calls during migrations.
package struct PlayOptions: Sendable {
    /// The folder of the files that steps name; `nil` if steps must not name files.
    package var folder: URL?
    /// Called with the progress when a legacy store is migrated, except if the side works in place.
    ///
    /// The closure can be called on any thread.
    package var progress: @Sendable (CredentialMigration.Progress) -> Void = { _ in }
    /// Called with the receipt when a legacy store in a file has been migrated, once for each side.
    package var migrated: @Sendable (MigrationReceipt) -> Void = { _ in }

    package init(folder: URL? = nil) { self.folder = folder }

    /// Returns the URL of a file that a step names.
    ///
    /// Only plain file names are allowed. Otherwise, a scenario from another person could read files in other
    /// folders.
    package func file(_ name: String) throws -> URL {
        guard let folder, !name.isEmpty, !name.contains("/"), !name.hasPrefix(".") else {
            let reason = "\(name) cannot be read: a step may name only files in the folder of its scenario."
            throw ParityError(code: .invalidStep, reason: reason)
        }
        return folder.appendingPathComponent(name)
    }
}
