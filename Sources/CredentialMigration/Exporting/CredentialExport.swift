public import LegacyStore
public import PushBridgeCore

/// The way back: writes a credential store as a legacy store.
///
/// What a migration kept verbatim comes back as it was, the rest as the legacy SDK would store it. Migrating the
/// result gives the same credentials again. All calls block and may be made from any thread.
public struct CredentialExport: Sendable {
    private let store: any CredentialStore

    /// Creates an export of a store.
    public init(of store: any CredentialStore) {
        self.store = store
    }

    /// Writes every record as an archive in the legacy SDK's services, and finishes the writer.
    @discardableResult
    public func write(to writer: some LegacyStoreWriting) throws -> ExportSummary {
        try export { record in
            if case .kept(let kept, _) = record, kept.format == .archive {
                try writer.write(archive: kept.payload, service: LegacyService(kept.kind), key: kept.key)
            } else if let value = record.value {
                try writer.write(value)
            } else {
                return false
            }
            return true
        } finish: {
            try writer.finish()
        }
    }

    /// Writes every record as JSON, and finishes the writer.
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

    /// Writes every mechanism with its account, and finishes the writer; the shape has no place for the rest.
    @discardableResult
    public func write(to writer: MigrationExportWriter) throws -> ExportSummary {
        try export { record in
            guard case .mechanism(let mechanism) = record.value else { return record.isCarried }
            try writer.write(mechanism, account: record.account)
            return true
        } finish: {
            try writer.finish()
        }
    }

    /// Hands over one record at a time and counts; `write` answers whether the record has a place.
    private func export(
        _ write: (ExportedRecord) throws -> Bool,
        finish: () throws -> Void
    ) throws -> ExportSummary {
        var summary = ExportSummary()
        try store.read { view in
            try view.forEachExportedRecord { record in
                if case .unreadable(let id) = record {
                    summary.unreadable.append(id)
                } else {
                    summary.count(record.kind, isWritten: try write(record))
                }
            }
        }
        try finish()
        return summary
    }
}
