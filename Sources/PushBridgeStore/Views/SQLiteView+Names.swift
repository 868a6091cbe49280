import PushBridgeCore

/// What rows are called, without opening any of their seals.
extension SQLiteView {
    func pushCredentialIDs() throws -> [String] {
        try all(PushCredential.queries.ids) { try $0.text() }
    }

    func oathCredentialIDs() throws -> [String] {
        try all(OathCredential.queries.ids) { try $0.text() }
    }

    func preservedFingerprints() throws -> [RecordFingerprint] {
        try all(MigrationQueries.preservedFingerprints) {
            try $0.present(RecordFingerprint(bytes: $0.data()))
        }
    }
}
