public import Foundation
package import PushBridgeCore
public import PushBridgePlatform

/// Writes a new legacy store, one record at a time.
///
/// The store appears whole, with mode 0600, when ``finish()`` returns; before that there is nothing at its place,
/// and a writer that is released unfinished leaves nothing behind. Secrets are written in clear, as the legacy
/// SDK does.
public protocol LegacyStoreWriting: AnyObject, NonisolatedConformance {
    /// Writes an archive as it is.
    ///
    /// Legacy keys are not unique. Where the container wants them to be, the second record of a key gets a
    /// suffix, `#2` and so on; nothing reads a record by its key, as its archive names it.
    ///
    /// - Parameters:
    ///   - archive: The keyed archive of the record.
    ///   - service: The service that the record belongs to.
    ///   - key: The key of the record, as the legacy SDK names it.
    /// - Throws: ``LegacyStoreError`` if the store cannot be written.
    func write(archive: Data, service: LegacyService, key: String) throws(LegacyStoreError)

    /// Puts the store in its place, on the disk; nothing can be written afterwards.
    ///
    /// - Throws: ``LegacyStoreError`` if the store cannot be written.
    func finish() throws(LegacyStoreError)
}

extension LegacyStoreWriting {
    /// Writes a record as the legacy SDK would store it.
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
    /// The service that holds records of a kind; only mechanisms can be too strange to have one.
    package init(_ kind: LegacyRecordKind) {
        switch kind {
        case .account: self = .account
        case .push, .totp, .hotp, .unknown: self = .mechanism
        case .notification: self = .notification
        case .deviceToken: self = .deviceToken
        }
    }
}
