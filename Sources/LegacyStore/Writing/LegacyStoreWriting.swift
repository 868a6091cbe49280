public import Foundation
package import PushBridgeCore
public import PushBridgePlatform

/// Writes a new legacy store, one record at a time.
///
/// The complete store appears at its URL, with mode 0600, when ``finish()`` returns. Until then, no new file
/// appears there. A writer that is released before `finish()` leaves no files behind. Secrets are written
/// unencrypted, as in the legacy SDK's store.
public protocol LegacyStoreWriting: AnyObject, NonisolatedConformance {
    /// Writes an archive unchanged.
    ///
    /// Legacy keys are not unique, but some containers require unique keys. In these containers, the second
    /// record with a key is stored under the key with the suffix `#2`, the third with `#3`, and so on. Readers
    /// ignore these keys, because the archive identifies the record.
    ///
    /// - Parameters:
    ///   - archive: The keyed archive of the record.
    ///   - service: The service of the record.
    ///   - key: The key of the record in the legacy SDK.
    /// - Throws: ``LegacyStoreError`` if the store cannot be written.
    func write(archive: Data, service: LegacyService, key: String) throws(LegacyStoreError)

    /// Moves the finished store to its URL and flushes it to disk; the writer accepts no further records.
    ///
    /// - Throws: ``LegacyStoreError`` if the store cannot be written.
    func finish() throws(LegacyStoreError)
}

extension LegacyStoreWriting {
    /// Writes a record in the form in which the legacy SDK would store it.
    ///
    /// - Throws: ``LegacyStoreError`` with the code `notWritable` if the file cannot be written.
    package func write(_ record: LegacyRecord) throws(LegacyStoreError) {
        try write(archive: record.archive, service: record.service, key: record.identifier)
    }
}

extension LegacyRecord {
    /// The service under which the legacy SDK stores the record.
    package var service: LegacyService { LegacyService(kind) }
}

extension LegacyService {
    /// Returns the service for a kind of record; only mechanisms can be of an unknown kind.
    package init(_ kind: LegacyRecordKind) {
        switch kind {
        case .account: self = .account
        case .push, .totp, .hotp, .unknown: self = .mechanism
        case .notification: self = .notification
        case .deviceToken: self = .deviceToken
        }
    }
}
