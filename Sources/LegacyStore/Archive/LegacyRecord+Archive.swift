package import Foundation
package import PushBridgeCore

extension LegacyRecord {
    /// Reads a keyed archive of the legacy SDK that lay in `service`.
    ///
    /// Fails as damaged if the bytes are anything else, and as unsupported for a kind of mechanism that the
    /// new model does not know.
    package init(archive: Data, service: LegacyService) throws(LegacyRecordError) {
        self = try archive.reading { bytes throws(LegacyRecordError) in
            let object = try ArchivedObject(rootOf: bytes)
            return switch try object.legacyClass(in: service) {
            case .account: .account(try LegacyAccount(fields: object))
            case .pushMechanism: .mechanism(try LegacyMechanism(archived: object, kind: .push))
            case .totpMechanism: .mechanism(try LegacyMechanism(archived: object, kind: .totp))
            case .hotpMechanism: .mechanism(try LegacyMechanism(archived: object, kind: .hotp))
            case .notification: .notification(try LegacyNotification(fields: object))
            case .deviceToken: .deviceToken(try PushDeviceToken(fields: object))
            }
        }
    }

    /// The record as the last legacy SDK, 4.9, would archive it; reading it gives the same record.
    ///
    /// Holds secrets in the clear, as the legacy store does.
    package var archive: Data {
        var fields = KeyedArchiveWriter()
        write(to: &fields)
        return fields.bytes(class: archiveClass)
    }

    private var archiveClass: LegacyArchiveClass {
        switch kind {
        case .account: .account
        case .totp: .totpMechanism
        case .hotp: .hotpMechanism
        case .notification: .notification
        case .deviceToken: .deviceToken
        case .push, .unknown: .pushMechanism
        }
    }
}
