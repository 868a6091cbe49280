public import AuthenticatorCore
public import Foundation

extension LegacyRecord {
    /// Refuses every archive until the reader is there.
    public init(archive: Data, service: LegacyService) throws(LegacyRecordError) {
        throw LegacyRecordError(.damaged, reason: "Archives cannot be read yet.")
    }
}
