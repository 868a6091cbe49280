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
            case .account: .account(try LegacyAccount(object))
            case .pushMechanism: .mechanism(try LegacyMechanism(push: object))
            case .totpMechanism: .mechanism(try LegacyMechanism(totp: object))
            case .hotpMechanism: .mechanism(try LegacyMechanism(hotp: object))
            case .notification: .notification(try LegacyNotification(object))
            case .deviceToken: .deviceToken(try PushDeviceToken(object))
            }
        }
    }
}
