public import CredentialMigration
import LegacyStore
import PushBridgeCore

extension CredentialExport {
    /// Writes the records as JSON and finishes the writer.
    ///
    /// A record that a migration kept as bytes is left out if this version cannot read the bytes.
    /// - Parameter writer: The writer of a legacy JSON document.
    /// - Returns: A summary of the records that were written.
    /// - Throws: `StoreError` if the store cannot be read, `LegacyStoreError` if the writer fails.
    @discardableResult
    public func write(to writer: LegacyJSONWriter) throws -> ExportSummary {
        try export { record in
            guard let value = record.value else { return false }
            try writer.write(value)
            return true
        } finish: {
            try writer.finish()
        }
    }

    /// Writes the mechanisms with their accounts and finishes the writer.
    ///
    /// The format does not support other records. A mechanism that the vendor's parser on Android would misread is left
    /// out.
    /// - Parameter writer: The writer of a migration export.
    /// - Returns: A summary of the records that were written.
    /// - Throws: `StoreError` if the store cannot be read, `LegacyStoreError` if the writer fails.
    @discardableResult
    public func write(to writer: MigrationExportWriter) throws -> ExportSummary {
        try export { record in
            guard case .mechanism(let mechanism) = record.value else { return record.isNested }
            return try writer.write(mechanism, account: record.account)
        } finish: {
            try writer.finish()
        }
    }
}
