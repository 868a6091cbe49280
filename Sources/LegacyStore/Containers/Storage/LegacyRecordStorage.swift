public import PushBridgeCore

/// A legacy storage that an app brings itself, in terms of records: what an adapter of its `StorageClient` answers.
///
/// Called from the thread that migrates. A storage that is locked says so with a ``LegacyStoreError`` of that code.
public protocol LegacyRecordStorage: Sendable {
    /// All records, in an order that stays as long as nothing is changed.
    func records() throws(LegacyStoreError) -> [LegacyRecord]

    /// Removes one record; the others stay, also those with the same legacy key.
    func remove(_ record: LegacyRecord) throws(LegacyStoreError)

    /// Puts back a record that was removed before a failure.
    func restore(_ record: LegacyRecord) throws(LegacyStoreError)
}
